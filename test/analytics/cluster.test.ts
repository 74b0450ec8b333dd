import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClickHouseClient, openClickhouse } from '#analytics/client.ts'
import { clusterOf, clusterStatements, migrationsTable } from '#analytics/cluster.ts'
import { eraseTenant } from '#analytics/erase-tenant.ts'
import { readWatermarks } from '#analytics/latest-results.ts'
import { readClickhouseMigrations } from '#analytics/migrate.ts'
import { checkSpreads } from '#analytics/queries/spreads.ts'
import { Rollups } from '#analytics/rollup.ts'
import { type ClickhouseServer, startClickhouse } from '#test/support/clickhouse.ts'
import { makeCheck, openIngest, resultOf, rows, seenStatus } from './given.ts'

const hour = 3_600_000
const midnight = Math.floor(Date.now() / (24 * hour) - 1) * 24 * hour

const allStatements = async (cluster: string) => [
  migrationsTable(cluster),
  ...(await readClickhouseMigrations()).flatMap(({ sql }) => clusterStatements(sql, cluster)),
]

test('analytics/schema-cluster.sql is the schema on a cluster (npm run schema writes it)', async () => {
  const text = (await allStatements('vedette')).map(statement => `${statement};\n`).join('\n')
  await expect(text).toMatchFileSnapshot(`${process.cwd()}/analytics/schema-cluster.sql`)
})

test('a migration of a form that has none for clusters is refused', () => {
  expect(() => clusterStatements('OPTIMIZE TABLE check_results', 'vedette')).toThrow('There is no form for clusters')
  expect(() => clusterStatements('CREATE TABLE IF NOT EXISTS notes (a UInt8) ENGINE = Log', 'vedette')).toThrow(
    'There is no form for clusters',
  )
})

test('a table with tenants is distributed by them, and one without lies in one shard', async () => {
  const distributed = (await allStatements('vedette')).filter(statement => statement.includes('= Distributed('))
  expect(distributed.length).toBeGreaterThan(8)
  for (const statement of distributed)
    expect(statement).toMatch(statement.includes('restore_marks') ? /, 0\)$/ : /, cityHash64\(tenant_id\)\)$/)
})

/*
 * The embedded ClickHouse knows distributed tables, but neither Keeper nor statements ON CLUSTER. So this is a cluster
 * of one shard without replicas: it shows that everything we ask is right of distributed tables, not that replicas
 * agree.
 */
describe('on distributed tables', () => {
  const cluster = 'single'
  let server: ClickhouseServer
  let clickhouse: ClickHouseClient
  beforeAll(async () => {
    server = await startClickhouse({
      prepare(folder) {
        mkdirSync(join(folder, 'limits.d'))
        const replica = '<replica><host>localhost</host><port>9000</port></replica>'
        writeFileSync(
          join(folder, 'limits.d', 'cluster.xml'),
          `<clickhouse><tcp_port>9000</tcp_port><remote_servers><${cluster}><shard>${replica}</shard></${cluster}></remote_servers></clickhouse>`,
        )
      },
    })
    const url = server.url('vedette')
    const schema = openClickhouse(url)
    for (const statement of await allStatements(cluster))
      await schema.command({
        query: statement
          .replace(` ON CLUSTER '${cluster}'`, '')
          .replace(/Replicated(\w+)\('[^']*', '[^']*'(?:, )?/, '$1('),
      })
    await schema.close()
    clickhouse = openClickhouse(url, { cluster })
  })
  afterAll(async () => {
    await clickhouse?.close()
    await server?.stop()
  })

  test('results are stored once, rolled up, read and erased as in one server', async () => {
    expect(clusterOf(clickhouse)).toBe(cluster)
    const clock = { time: midnight + hour }
    const intake = openIngest(clickhouse, () => clock.time)
    const keeper = new Rollups({ clickhouse, now: () => clock.time })
    await keeper.reconcile()
    const [check, other] = [makeCheck(), makeCheck()]
    for (const each of [check, other]) intake.checks.set(each.check, each)
    clock.time = midnight + 1.5 * hour
    const sent = [
      resultOf(check, midnight + hour),
      resultOf(check, midnight + hour + 60_000, seenStatus(500)),
      resultOf(other, midnight + hour),
    ]
    await intake.send(sent)
    await intake.send(sent) // an agent that missed the answer
    const counted = await rows(
      clickhouse,
      `SELECT check_id, count() AS results FROM check_results FINAL GROUP BY check_id ORDER BY results`,
    )
    expect(counted).toEqual([
      { check_id: other.check, results: 1 },
      { check_id: check.check, results: 2 },
    ])
    const watermarks = await Array.fromAsync(readWatermarks(clickhouse))
    expect(watermarks.find(mark => mark.check === check.check)).toMatchObject({ due: midnight + hour + 60_000 })

    clock.time = midnight + 2 * hour + 61_000
    await keeper.tick()
    expect(await keeper.reconcile()).toBe(0)
    const cells = await rows(
      clickhouse,
      `SELECT total, good, failed, warning FROM results_by_hour FINAL WHERE monitor_id = '${check.monitor}' AND total > 0`,
    )
    expect(cells).toEqual([{ total: 2, good: 1, failed: 1, warning: 0 }])
    const spreads = await checkSpreads(clickhouse, {
      ...{ tenant: check.tenant, monitors: [check.monitor], checks: [check.check] },
      ...{ from: new Date(midnight), to: new Date(midnight + 3 * hour), now: new Date(clock.time) },
    })
    expect(spreads).toMatchObject([{ check_id: check.check }])

    // erasing is ON CLUSTER, which the embedded server has not; what it counts by is
    await expect(eraseTenant(clickhouse, { tenantId: check.tenant, purgedAt: new Date() })).rejects.toThrow(
      /ON CLUSTER|DDL/i,
    )
    expect(await rows(clickhouse, `SELECT tenant_id FROM purged_tenants FINAL`)).toEqual([{ tenant_id: check.tenant }])
  })
})
