import { sql } from 'kysely'
import type { Pool } from 'pg'
import { prepared, rows } from '#control-plane/db/queries.ts'

/**
 * Notes that a mail server says this address has no mailbox, where the team has the address: a member's, or a
 * recipient's of one of its channels.
 */
export const noteRefused = (platform: Pool, tenantId: string, address: string): Promise<unknown> =>
  rows(platform, recipientsRefused(tenantId, address))

/** Notes that a mail server has taken a mail to this address. */
export const noteTaken = (platform: Pool, tenantId: string, address: string): Promise<unknown> =>
  rows(platform, recipientsTaken(tenantId, address))

const recipientsRefused = prepared(
  'recipients-refused',
  (tenantId: string, address: string) => sql`insert into
    mail_recipients (tenant_id, email, refused_at) select ${tenantId}::uuid, ${address}::citext, clock_timestamp()
    where exists (
      select 1 from memberships m join users u on u.id = m.user_id where m.tenant_id = ${tenantId}
      and u.email = ${address}::citext ) or exists (
      select 1 from notification_channels c, jsonb_array_elements_text(c.config -> 'recipients') r(email)
      where c.tenant_id = ${tenantId} and c.type = 'email' and r.email::citext = ${address}::citext)
    on conflict (tenant_id, email) do update set refused_at = excluded.refused_at`,
)

const recipientsTaken = prepared(
  'recipients-taken',
  (tenantId: string, address: string) => sql`update mail_recipients
    set refused_at = null where tenant_id = ${tenantId} and email = ${address}::citext and refused_at is not null`,
)
