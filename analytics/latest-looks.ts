import { z } from 'zod'
import type { ClickHouseClient } from './client.ts'
import type { LookWatermark } from './ingest/observation.ts'
import { query } from './query.ts'

const watermarks = query({
  params: z.object({}),
  row: z.object({ check_id: z.string(), region: z.string(), due_ms: z.int(), attempt: z.int() }),
  sql: `
    SELECT check_id, region, toUnixTimestamp64Milli(max((due, attempt)).1) AS due_ms, max((due, attempt)).2 AS attempt
    FROM latest_looks
    GROUP BY check_id, region
  `,
})

/** The newest stored, hence decided, look of every check in every region: where deciding goes on after a restart. */
export async function loadWatermarks(clickhouse: ClickHouseClient): Promise<LookWatermark[]> {
  return (await watermarks(clickhouse, {})).map(({ check_id, region, due_ms, attempt }) => ({ check: check_id, region, due: due_ms, attempt }))
}
