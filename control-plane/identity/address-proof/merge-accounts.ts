import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { addAudit, type Traces } from '#control-plane/outbox/audit.ts'
import { insertEventsSql, wakeDispatcher } from '#control-plane/outbox/emit.ts'

const rank = (role: string) => sql`array_position(array['owner', 'admin', 'member', 'viewer'], ${sql.ref(role)}::text)`

/** Of two roles in one team the higher one is kept: the team gave both to this address. */
const moveMemberships = (survivor: string, others: readonly string[]) => sql<Row<'memberships', 'tenant_id'>>`
  with moved as (
    insert into memberships as m (user_id, tenant_id, role, invited_by)
    select distinct on (o.tenant_id) ${survivor}::uuid, o.tenant_id, o.role, o.invited_by from memberships o
    where o.user_id = any(${others}::uuid[]) order by o.tenant_id, ${rank('o.role')}
    on conflict (user_id, tenant_id) do update set updated_at = clock_timestamp(),
      role = case when ${rank('excluded.role')} < ${rank('m.role')} then excluded.role else m.role end
    returning m.tenant_id, m.role, m.xmax = 0 as is_new
  ), removed as (
    ${insertEventsSql({
      name: 'member.removed',
      tenant: 'o.tenant_id',
      payload: { tenant_id: 'o.tenant_id', user_id: 'o.user_id', role: 'o.role' },
      from: sql`from memberships o where o.user_id = any(${others}::uuid[])`,
    })}
  ), added as (
    ${insertEventsSql({
      name: 'member.added',
      tenant: 'tenant_id',
      payload: { tenant_id: 'tenant_id', user_id: sql`${survivor}::uuid`, role: 'role' },
      from: sql`from moved where is_new`,
    })}
  )
  select tenant_id from moved`

/** Moves the teams of unverified accounts of the same address to one account, and deletes those accounts. */
export async function mergeAccounts(
  client: PoolClient,
  survivor: string,
  others: readonly string[],
  { ip, requestId }: Traces,
): Promise<void> {
  if (others.length === 0) return
  const moved = await rows(client, moveMemberships(survivor, others))
  await rows(client)`delete from tokens where kind = 'svc' and created_by = any(${others}::uuid[])`
  await rows(client)`delete from users where id = any(${others}::uuid[]) and email_verified_at is null`
  const merged = { action: 'account.merged', type: 'user' as const, id: survivor, changes: { replaced: others } }
  const entries = moved.map(({ tenant_id: tenantId }) => ({ tenantId, ...merged }))
  await addAudit(client, entries, { userId: survivor, ip, requestId })
  await wakeDispatcher(client)
}
