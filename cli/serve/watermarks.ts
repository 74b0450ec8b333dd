import type { ClickHouseClient } from '#analytics/client.ts'
import type { LookWatermark } from '#analytics/ingest/observation.ts'

interface Row {
  check_id: string
  region: string
  due_ms: number
  attempt: number
}

/** The newest stored look of every check in every region, as they stream in. */
export async function* readWatermarks(clickhouse: ClickHouseClient): AsyncGenerator<LookWatermark> {
  const result = await clickhouse.query({
    query: 'SELECT check_id, region, toUnixTimestamp64Milli(due) AS due_ms, attempt FROM latest_looks FINAL',
    format: 'JSONEachRow',
  })
  for await (const rows of result.stream<Row>())
    for (const row of rows) {
      const { check_id: check, region, due_ms, attempt } = row.json()
      yield { check, region, due: Number(due_ms), attempt }
    }
}
