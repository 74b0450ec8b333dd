import type { ClickHouseClient } from '@clickhouse/client'
import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { eraseTenant } from '#analytics/erase-tenant.ts'
import { stamp as stampOf } from '#contract/time.ts'
import type { RetryLater } from '#contract/workflows.ts'
import { type Calendar, later } from '#control-plane/base/calendar.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { orderEnd } from '#control-plane/billing/stripe/end-subscriptions.ts'
import { affected, json, queries, type Row, rows, stamp, withDates } from '#control-plane/db/queries.ts'
import { insertAuditSql } from '#control-plane/outbox/audit.ts'
import { graceDays } from './view.ts'

/** `deleted_at` has milliseconds, to be compared with that of the purge workflow. */
export type Doomed = Row<'managed_teams', 'id' | 'tenant_id' | 'reseller_id'> & { deleted_at: Date | null }

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
    const [stored] = await rows(client)<Row<'managed_teams', 'id' | 'tenant_id' | 'reseller_id' | 'deleted_at'>>`
      select id, tenant_id, reseller_id, deleted_at from managed_teams where id = ${teamId} for update`
    if (!stored) return (await wasPurged(client, teamId, deletedAt)) ? 'purged' : 'kept'
    const team = withDates(stored, 'deleted_at')
    if (team.deleted_at?.getTime() !== deletedAt.getTime()) return 'kept'
    const end = new Date(deletedAt.getTime() + graceDays * calendar.dayMs)
    const now = await calendar.now(client)
    if (now < end) return later(end, now)
    await erase(client, team)
    return 'purged'
  })

/** Whether an earlier attempt has already purged the team. */
async function wasPurged(client: PoolClient, teamId: string, deletedAt: Date): Promise<boolean> {
  const rowCount = await affected(client)`
    select 1 from purged_tenants where managed_team_id = ${teamId} and deleted_at = ${deletedAt}`
  return rowCount !== 0
}

/**
 * Deletes the tenant's row, and all others by cascade. The reseller's audit entries keep the ids and lose the
 * changes.
 */
export async function erase(client: PoolClient, { id, tenant_id, reseller_id, deleted_at }: Doomed): Promise<void> {
  await rows(client)`insert into purged_tenants (tenant_id, managed_team_id, reseller_id, deleted_at)
    values (${tenant_id}, ${id}, ${reseller_id}, ${deleted_at}) on conflict (tenant_id) do nothing`
  const mentions = (column: 'changes' | 'payload') =>
    sql`strpos(${sql.ref(column)}::text, ${tenant_id}::text) > 0 or strpos(${sql.ref(column)}::text, ${id}::text) > 0`
  await rows(client)`update audit_entries set changes = null where tenant_id = ${reseller_id}
    and changes is not null
    and (entity_id in (${tenant_id}::uuid, ${id}::uuid) or ${mentions('changes')})`
  await rows(client)`delete from outbox where tenant_id = ${reseller_id} and (${mentions('payload')})`
  await rows(client)`delete from users u where not u.is_super_admin
    and coalesce(u.home_tenant_id, ${tenant_id}) = ${tenant_id}
    and exists (select 1 from memberships m where m.user_id = u.id and m.tenant_id = ${tenant_id})
    and not exists (select 1 from memberships m where m.user_id = u.id and m.tenant_id <> ${tenant_id})`
  await orderEnd(client, tenant_id)
  await rows(client)`delete from tenants where id = ${tenant_id}`
  // nothing is written once the reseller is deleted
  await rows(
    client,
    insertAuditSql({
      tenant: 'id',
      action: 'managed_tenant.purged',
      type: 'managed_tenant',
      entity: sql`${id}::uuid`,
      changes: json({ tenant_id, deleted_at: stampOf(deleted_at) }),
      from: sql`from tenants where id = ${reseller_id}`,
    }),
  )
}

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
  await rows(platform)`update purged_tenants set results_erased_at = clock_timestamp() where tenant_id = ${tenantId}`
  return 'erased'
}
