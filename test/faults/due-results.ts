import { createClient } from '@clickhouse/client'

interface Due {
  checks: readonly string[]
  regions: readonly string[]
  everyMs: number
  fromMs: number
  toMs: number
}

/** Every due time of every region between two moments is to have exactly one result. */
export async function missingAndDoubled(
  clickhouseUrl: string,
  { checks, regions, everyMs, fromMs, toMs }: Due,
): Promise<{ expected: number; missing: number; doubled: number }> {
  const [row] = await askClickhouse<{ stored: string; unique: string }>(
    clickhouseUrl,
    `SELECT count() AS stored, uniqExact(check_id, region, due) AS unique FROM check_results FINAL
     WHERE run_reason = 'due' AND check_id IN {checks: Array(UUID)} AND region IN {regions: Array(String)}
       AND due >= fromUnixTimestamp64Milli({from: Int64}) AND due < fromUnixTimestamp64Milli({to: Int64})`,
    { checks, regions, from: fromMs, to: toMs },
  )
  const expected = checks.length * regions.length * Math.round((toMs - fromMs) / everyMs)
  const unique = Number(row?.unique)
  return { expected, missing: expected - unique, doubled: Number(row?.stored) - unique }
}

/** With a client of its own: the server may be another one than a moment ago. */
export async function askClickhouse<Row>(
  url: string,
  query: string,
  params: Record<string, unknown> = {},
): Promise<Row[]> {
  const client = createClient({ url })
  try {
    return await (await client.query({ query, query_params: params, format: 'JSONEachRow' })).json<Row>()
  } finally {
    await client.close()
  }
}
