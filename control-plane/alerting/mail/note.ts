import { sql } from 'kysely'
import type { Pool } from 'pg'
import { prepared, rows, stamp } from '#control-plane/db/queries.ts'
import { insertMailsSql } from '#control-plane/outbox/mail.ts'
import type { SmtpFailure } from '#control-plane/tenancy/smtp/failure.ts'
import type { CustomServer } from './mail-settings.ts'

const fallbackMails = (host: string, why: SmtpFailure) =>
  insertMailsSql({
    tenant: 't.id',
    type: 'smtp_fell_back',
    data: {
      team_name: 't.name',
      host: sql`${host}::text`,
      reason: sql`${why}::text`,
      occurred_at: stamp(sql<string>`clock_timestamp()`),
    },
    from: sql`from before b join tenants t on t.id = b.tenant_id
    join memberships m on m.tenant_id = t.id and m.role in ('owner', 'admin') and m.disabled_at is null
    join users u on u.id = m.user_id
    where b.failing_since is null and not u.is_service
    order by m.role = 'owner' desc limit 5`,
  })

const fail = prepared(
  'smtp-failed',
  (tenantId: string, updatedAt: string, why: SmtpFailure, host: string) => sql`
    with before as (
      select tenant_id, failing_since from smtp_configs
      where tenant_id = ${tenantId} and updated_at = ${updatedAt}::timestamptz for update
    ), noted as (
      update smtp_configs s set failure = ${why}, failing_since = coalesce(s.failing_since, clock_timestamp())
      from before b where s.tenant_id = b.tenant_id
    )
    ${fallbackMails(host, why)}`,
)

/**
 * Notes a failure of a mail server. The first failure is also mailed to owners and administrators, by the platform's
 * server.
 */
export const noteFailure = (
  platform: Pool,
  { tenant_id, host, updated_at }: CustomServer,
  why: SmtpFailure,
): Promise<unknown> => rows(platform, fail(tenant_id, updated_at, why, host))

export const noteSuccess = (platform: Pool, { tenant_id, updated_at }: CustomServer): Promise<unknown> =>
  rows(platform)`update smtp_configs set failing_since = null, failure = null
    where tenant_id = ${tenant_id} and updated_at = ${updated_at}::timestamptz`
