import type { ClickHouseClient } from '@clickhouse/client'
import type { Pool, PoolClient } from 'pg'
import { eraseTenant } from '#analytics/erase-tenant.ts'
import { stamp as stampOf } from '#contract/time.ts'
import type { RetryLater } from '#contract/workflows.ts'
import { type Calendar, later } from '#control-plane/base/calendar.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { orderEnd } from '#control-plane/billing/stripe/end-subscriptions.ts'
import { queries, type Row, stamp } from '#control-plane/db/queries.ts'
import { insertAuditSql } from '#control-plane/outbox/audit.ts'
import { graceDays } from './view.ts'

/** `deleted_at` has milliseconds, to be compared with that of the purge workflow. */
export type Doomed = Row<'managed_teams', 'id' | 'tenant_id' | 'reseller_id'> & { deleted_at: Date }

/**
 * Erases a team from PostgreSQL if this deletion is still in effect and its thirty days are over. A restore locks the
 * same row, so a team is either restored or erased.
 */
export const purgeTeam = (
  platform: Pool,
  teamId: string,
  deletedAt: Date,
  calendar: Calendar,
): Promise<'purged' | 'kept' | RetryLater> =>
  inTransaction(platform, async client => {
    const { rows } = await client.query<Doomed>(
      'select id, tenant_id, reseller_id, deleted_at from managed_teams where id = $1 for update',
      [teamId],
    )
    const team = rows[0]
    if (!team) return (await wasPurged(client, teamId, deletedAt)) ? 'purged' : 'kept'
    if (team.deleted_at?.getTime() !== deletedAt.getTime()) return 'kept'
    const end = new Date(deletedAt.getTime() + graceDays * calendar.dayMs)
    const now = await calendar.now(client)
    if (now < end) return later(end, now)
    await erase(client, team)
    return 'purged'
  })

/** Whether an earlier attempt has already purged the team. */
async function wasPurged(client: PoolClient, teamId: string, deletedAt: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    'select 1 from purged_tenants where managed_team_id = $1 and deleted_at = $2',
    [teamId, deletedAt],
  )
  return rowCount !== 0
}

/**
 * Deletes the tenant's row, and all others by cascade. The reseller's audit entries keep the ids and lose the
 * changes.
 */
export async function erase(client: PoolClient, { id, tenant_id, reseller_id, deleted_at }: Doomed): Promise<void> {
  await client.query(
    `insert into purged_tenants (tenant_id, managed_team_id, reseller_id, deleted_at) values ($1, $2, $3, $4)
     on conflict (tenant_id) do nothing`,
    [tenant_id, id, reseller_id, deleted_at],
  )
  const mentions = 'strpos(%::text, $2::text) > 0 or strpos(%::text, $3::text) > 0'
  await client.query(
    `update audit_entries set changes = null where tenant_id = $1 and changes is not null
     and (entity_id in ($2::uuid, $3::uuid) or ${mentions.replaceAll('%', 'changes')})`,
    [reseller_id, tenant_id, id],
  )
  await client.query(`delete from outbox where tenant_id = $1 and (${mentions.replaceAll('%', 'payload')})`, [
    reseller_id,
    tenant_id,
    id,
  ])
  await client.query(
    `delete from users u where not u.is_super_admin and coalesce(u.home_tenant_id, $1) = $1
       and exists (select 1 from memberships m where m.user_id = u.id and m.tenant_id = $1)
       and not exists (select 1 from memberships m where m.user_id = u.id and m.tenant_id <> $1)`,
    [tenant_id],
  )
  await orderEnd(client, tenant_id)
  await client.query('delete from tenants where id = $1', [tenant_id])
  await client.query(auditPurge, [reseller_id, id, JSON.stringify({ tenant_id, deleted_at: stampOf(deleted_at) })])
}

/** Nothing is written once the reseller is deleted. */
const auditPurge = insertAuditSql({
  tenant: 'id',
  action: 'managed_tenant.purged',
  type: 'managed_tenant',
  entity: '$2',
  changes: '$3',
  from: 'from tenants where id = $1',
})

/** Erases the results in ClickHouse of a tenant that is purged from PostgreSQL. Safe to interrupt and repeat. */
export async function eraseResults(
  platform: Pool,
  clickhouse: ClickHouseClient,
  tenantId: string,
): Promise<'erased' | 'kept'> {
  const purged = await queries(platform)
    .selectFrom('purged_tenants as p')
    .where('p.tenant_id', '=', tenantId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('tenants as t').whereRef('t.id', '=', 'p.tenant_id').select('t.id'))),
    )
    .select(({ ref }) => stamp(ref('p.purged_at')).as('purged_at'))
    .executeTakeFirst()
  if (!purged) return 'kept'
  await eraseTenant(clickhouse, { tenantId, purgedAt: new Date(purged.purged_at) })
  await platform.query('update purged_tenants set results_erased_at = clock_timestamp() where tenant_id = $1', [
    tenantId,
  ])
  return 'erased'
}
