import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { hashSecret, kindOfSecret } from '#control-plane/base/token-secret.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { goesOnSql } from '#control-plane/tenancy/team-states/state.ts'
import { type TenantRow, tenantColumns, tenantContext } from '#control-plane/tenancy/tenants/context.ts'

type ServerRow = TenantRow & Row<'agent_tokens', 'monitor_id'> & { token_id: Row<'agent_tokens'>['id'] }

const statement = prepared(
  'recognise-server',
  (bearerHash: Buffer) => sql<ServerRow>`
    select k.id as token_id, k.monitor_id, ${tenantColumns('t')} from agent_tokens k
    join tenants t on t.id = k.tenant_id
    where k.hash = ${bearerHash} and (k.expires_at is null or k.expires_at > clock_timestamp())
      and ${goesOnSql('servers')}`,
)

/** The server that a token belongs to. It is read from the database each time, so a revoked token ends at once. */
export async function recogniseServer(
  accessPool: Pool,
  bearer: string,
): Promise<{ tokenId: string; monitorId: string; tenant: TenantContext } | null> {
  if (kindOfSecret(bearer) !== 'am') return null
  const [row] = await rows(accessPool, statement(hashSecret(bearer)))
  return row ? { tokenId: row.token_id, monitorId: row.monitor_id, tenant: tenantContext(row) } : null
}
