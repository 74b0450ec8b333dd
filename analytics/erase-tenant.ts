import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { ClickHouseClient } from './client.ts'
import { clusterOf, onCluster } from './cluster.ts'
import { moment, query } from './query.ts'

const firstPollMs = 250
const pollMs = 2_000
/** Replaced parts are kept for `old_parts_lifetime`; a query that still reads one keeps it longer. */
const timeoutMs = 300_000

/**
 * Deletes every row of a tenant from every table and resolves when none is left. May be interrupted and repeated. The
 * tenant is recorded first, so that rows restored from a backup can be recognized.
 */
export async function eraseTenant(
  clickhouse: ClickHouseClient,
  { tenantId, purgedAt }: { tenantId: string; purgedAt: Date },
): Promise<void> {
  await listPurged(clickhouse, [{ tenant_id: tenantId, purged_at: purgedAt.toISOString() }])
  // raw results first, so that a roll-up computed meanwhile cannot restore rows
  for (const { table } of await tenantTables(clickhouse, {})) await eraseFrom(clickhouse, table, tenantId)
  for (const { table } of await tenantTables(clickhouse, {})) await eraseFrom(clickhouse, table, tenantId)
}

/** Records tenants as purged, by which rows of theirs are recognized when they come back. */
export async function listPurged(
  clickhouse: ClickHouseClient,
  purged: readonly { tenant_id: string; purged_at: string }[],
): Promise<void> {
  await clickhouse.insert({
    table: 'purged_tenants',
    columns: ['tenant_id', 'purged_at'],
    values: purged.map(({ tenant_id, purged_at }) => [tenant_id, Date.parse(purged_at)]),
    format: 'JSONCompactEachRow',
    clickhouse_settings: { async_insert: 0 },
  })
}

/**
 * Resolves when the files of rows erased so far are gone: ClickHouse deletes replaced parts at the next cleanup after
 * `old_parts_lifetime`.
 */
export async function dropReplacedParts(clickhouse: ClickHouseClient): Promise<void> {
  const [{ now } = { now: new Date() }] = await clock(clickhouse, {})
  for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(pollMs)) {
    const [{ parts } = { parts: 0 }] = await replacedParts(system(clickhouse, 'parts'))(clickhouse, { now })
    if (parts === 0) return
  }
  throw new Error('Files of erased results are still there.')
}

const clock = query({ params: z.object({}), row: z.object({ now: moment }), sql: 'SELECT now() AS now' })

/** A table of the server, or of all servers of the cluster. */
function system(clickhouse: ClickHouseClient, table: string): string {
  const cluster = clusterOf(clickhouse)
  return cluster === undefined ? `system.${table}` : `clusterAllReplicas('${cluster}', system.${table})`
}

const replacedParts = (parts: string) =>
  query({
    params: z.object({ now: z.date() }),
    row: z.object({ parts: z.int() }),
    sql: `
    SELECT count() AS parts FROM ${parts}
    WHERE database = currentDatabase() AND NOT active AND rows > 0 AND remove_time <= {now: DateTime}
      AND table IN (SELECT table FROM system.columns WHERE database = currentDatabase() AND name = 'tenant_id')
  `,
  })

async function eraseFrom(clickhouse: ClickHouseClient, table: string, tenant: string): Promise<void> {
  const cluster = clusterOf(clickhouse)
  const stored = cluster === undefined ? table : `${table}_local`
  for (;;) {
    const [{ rows } = { rows: 0 }] = await rowsOf(table)(clickhouse, { tenant })
    if (rows === 0 && cluster === undefined) return
    const [mutation] = await mutationsUnderWay(system(clickhouse, 'mutations'))(clickhouse, { table: stored, tenant })
    if (mutation?.failure)
      throw new Error(`Results of a purged tenant could not be erased from ${table}: ${mutation.failure}`)
    // of a cluster one replica was asked, and another may have rows until its mutation is done
    if (rows === 0 && !mutation) return
    if (!mutation)
      await clickhouse.command({
        query: `ALTER TABLE ${stored}${onCluster(cluster)} DELETE WHERE tenant_id = {tenant: UUID}`,
        query_params: { tenant },
      })
    await sleep(firstPollMs)
  }
}

/** Tables with rows of tenants, the raw results before the tables computed from them. */
const tenantTables = query({
  params: z.object({}),
  row: z.object({ table: z.string().regex(/^\w+$/) }),
  sql: `
    SELECT table FROM system.columns
    WHERE database = currentDatabase() AND name = 'tenant_id' AND table != 'purged_tenants'
      AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase()
        AND (engine = 'Distributed' OR engine LIKE '%MergeTree' AND NOT engine LIKE 'Replicated%'))
    ORDER BY table != 'check_results', table
  `,
})

const rowsOf = (table: string) =>
  query({
    params: z.object({ tenant: z.uuid() }),
    row: z.object({ rows: z.int() }),
    sql: `SELECT count() AS rows FROM ${table} WHERE tenant_id = {tenant: UUID}`,
  })

const mutationsUnderWay = (mutations: string) =>
  query({
    params: z.object({ table: z.string(), tenant: z.uuid() }),
    row: z.object({ failure: z.string() }),
    sql: `
    SELECT latest_fail_reason AS failure FROM ${mutations}
    WHERE database = currentDatabase() AND table = {table: String} AND NOT is_done AND position(command, {tenant: String}) > 0
  `,
  })

/** Purged tenants among these, as recorded here. */
export const purgedTenants = query({
  params: z.object({}),
  row: z.object({ tenant_id: z.uuid(), purged_at: moment }),
  sql: 'SELECT tenant_id, purged_at FROM purged_tenants FINAL',
})
