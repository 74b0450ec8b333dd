import type { Pool } from 'pg'

/** As if these addresses had confirmed to get mail from the team’s channels. */
export const confirmRecipients = (platform: Pool, tenantId: string, ...addresses: string[]): Promise<unknown> =>
  platform.query(
    `insert into mail_recipients (tenant_id, email, confirmed_at) select $1, unnest($2::citext[]), now()
     on conflict (tenant_id, email) do update set confirmed_at = excluded.confirmed_at`,
    [tenantId, addresses],
  )
