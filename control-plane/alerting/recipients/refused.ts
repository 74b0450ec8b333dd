import type { Pool } from 'pg'

/**
 * Notes that a mail server says this address has no mailbox, where the team has the address: a member's, or a
 * recipient's of one of its channels.
 */
export const noteRefused = (platform: Pool, tenantId: string, address: string): Promise<unknown> =>
  platform.query({
    name: 'recipients-refused',
    text: `insert into mail_recipients (tenant_id, email, refused_at)
      select $1::uuid, $2::citext, clock_timestamp()
      where exists (
        select 1 from memberships m join users u on u.id = m.user_id where m.tenant_id = $1 and u.email = $2::citext
      ) or exists (
        select 1 from notification_channels c, jsonb_array_elements_text(c.config -> 'recipients') r(email)
        where c.tenant_id = $1 and c.type = 'email' and r.email::citext = $2::citext)
      on conflict (tenant_id, email) do update set refused_at = excluded.refused_at`,
    values: [tenantId, address],
  })

/** Notes that a mail server has taken a mail to this address. */
export const noteTaken = (platform: Pool, tenantId: string, address: string): Promise<unknown> =>
  platform.query({
    name: 'recipients-taken',
    text: `update mail_recipients set refused_at = null
      where tenant_id = $1 and email = $2::citext and refused_at is not null`,
    values: [tenantId, address],
  })
