import type { Pool } from 'pg'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'
import type { SmtpFailure } from '#control-plane/tenancy/smtp/failure.ts'
import type { CustomServer } from './mail-settings.ts'

const fallbackMails = insertMailsSql({
  tenant: 't.id',
  type: 'smtp_fell_back',
  data: {
    team_name: 't.name',
    host: '$4::text',
    reason: '$3::text',
    occurred_at: stampSql('clock_timestamp()'),
  },
  from: `from before b join tenants t on t.id = b.tenant_id
    join memberships m on m.tenant_id = t.id and m.role in ('owner', 'admin') and m.disabled_at is null
    join users u on u.id = m.user_id
    where b.failing_since is null and not u.is_service
    order by m.role = 'owner' desc limit 5`,
})

/**
 * Notes a failure of a mail server. The first failure is also mailed to owners and administrators, by the platform's
 * server.
 */
export const noteFailure = (
  platform: Pool,
  { tenant_id, host, updated_at }: CustomServer,
  why: SmtpFailure,
): Promise<unknown> =>
  platform.query({
    name: 'smtp-failed',
    text: `with before as (
        select tenant_id, failing_since from smtp_configs
        where tenant_id = $1 and updated_at = $2::timestamptz for update
      ), noted as (
        update smtp_configs s set failure = $3, failing_since = coalesce(s.failing_since, clock_timestamp())
        from before b where s.tenant_id = b.tenant_id
      )
      ${fallbackMails}`,
    values: [tenant_id, updated_at, why, host],
  })

export const noteSuccess = (platform: Pool, { tenant_id, updated_at }: CustomServer): Promise<unknown> =>
  platform.query(
    `update smtp_configs set failing_since = null, failure = null
     where tenant_id = $1 and updated_at = $2::timestamptz`,
    [tenant_id, updated_at],
  )
