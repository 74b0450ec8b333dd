import { setTimeout as pause } from 'node:timers/promises'
import { shardCount } from '#contract/shards.ts'
import type { ClickHouseClient } from './client.ts'
import { clusterOf, sequentially } from './cluster.ts'
import type { RunWatermark } from './ingest/observation.ts'

interface Row {
  check_id: string
  region: string
  due_ms: number
  attempt: number
}

/** `shardOf` of contract/shards.ts: the last two of the digits. */
const shardOfTenant = `reinterpretAsUInt8(unhex(substring(toString(tenant_id), 35, 2))) % ${shardCount}`

const answerMs = 2_000

/** The same as `readWatermarks`, but fails soon where the store does not answer: nothing can be decided on before. */
export async function* readWatermarksSoon(
  clickhouse: ClickHouseClient,
  shards: readonly number[] | null = null,
): AsyncGenerator<RunWatermark> {
  const late = pause(answerMs, { success: false }, { ref: false })
  const { success } = await Promise.race([clickhouse.ping(), late])
  if (!success) throw new Error('ClickHouse does not answer.')
  yield* readWatermarks(clickhouse, shards)
}

/**
 * Streams the newest stored, hence decided, result of every check in every region: where the verdict engine continues
 * after a restart. `shards`: only of tenants in these.
 */
export async function* readWatermarks(
  clickhouse: ClickHouseClient,
  shards: readonly number[] | null = null,
): AsyncGenerator<RunWatermark> {
  const result = await clickhouse.query({
    query: `SELECT check_id, region, toUnixTimestamp64Milli(due) AS due_ms, attempt FROM latest_results FINAL
      ${shards === null ? '' : `WHERE ${shardOfTenant} IN {shards:Array(UInt8)}`}`,
    ...(shards !== null && { query_params: { shards } }),
    format: 'JSONEachRow',
    // one that is behind would have results decided a second time
    ...(clusterOf(clickhouse) !== undefined && { clickhouse_settings: sequentially }),
  })
  for await (const rows of result.stream<Row>())
    for (const row of rows) {
      const { check_id: check, region, due_ms: due, attempt } = row.json()
      yield { check, region, due, attempt }
    }
}
