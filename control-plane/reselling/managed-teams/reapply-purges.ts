import type { Pool } from 'pg'
import { purgedTenants } from '#analytics/erase-tenant.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { among, queries, type Row, rows, withDates } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { erase, eraseResults } from './purge.ts'

type PurgeDeps = Pick<Services, 'platform' | 'clickhouse' | 'log'>

/**
 * Erases purged tenants that a restored backup of one store brought back, because the other store still lists them.
 * Returns their ids. A purge in progress is left to its workflow.
 */
export async function reapplyPurges({ platform, clickhouse, log }: PurgeDeps): Promise<string[]> {
  const quarantine = new Quarantine({ platform, log })
  const onBad = (id: string, error: unknown) => quarantine.add('purged_tenant', [{ key: id, tenant: null, error }])
  const purged = new Set((await purgedTenants(clickhouse, {})).map(({ tenant_id }) => tenant_id))
  const found: string[] = []
  const db = queries(platform)
  const back = await db
    .selectFrom('tenants')
    .select('id')
    .where('id', '=', among([...purged]))
    .execute()
  const ids = back.map(({ id }) => id)
  const eraseBoth = async (id: string) => {
    if (!(await eraseAgain(platform, id))) return
    await eraseResults(platform, clickhouse, id)
    found.push(id)
    await quarantine.release('purged_tenant', [id])
  }
  await eachIsolated(ids, eraseBoth, onBad)
  const noted = await db
    .selectFrom('purged_tenants')
    .select('tenant_id')
    .where('results_erased_at', 'is not', null)
    .execute()
  const eraseLater = async ({ tenant_id: id }: { tenant_id: string }) => {
    if (purged.has(id) && !found.includes(id)) return
    await eraseResults(platform, clickhouse, id)
    if (!found.includes(id)) found.push(id)
    await quarantine.release('purged_tenant', [id])
  }
  await eachIsolated(noted, eraseLater, ({ tenant_id: id }, error) => onBad(id, error))
  return found
}

const eraseAgain = (platform: Pool, tenantId: string): Promise<boolean> =>
  inTransaction(platform, async client => {
    const [row] = await rows(client)<Row<'managed_teams', 'id' | 'tenant_id' | 'reseller_id' | 'deleted_at'>>`
      select id, tenant_id, reseller_id, coalesce(deleted_at, clock_timestamp()) as deleted_at from managed_teams
      where tenant_id = ${tenantId} for update`
    if (row) await erase(client, withDates(row, 'deleted_at'))
    return row !== undefined
  })
