import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import type { ClickHouseClient } from '#analytics/client.ts'
import { nativeBlocks } from '#analytics/native.ts'

const params = z.object({
  tenant: z.uuid(),
  monitor: z.uuid(),
  metrics: z.array(z.string()).max(50),
  from: z.date(),
  to: z.date(),
  most: z.int(),
})
type HistoryParams = z.input<typeof params>

/** The mean of a minute (counted since 1970) of one metric with one label, and when its last sample was received. */
export interface ServerMinute {
  minute: number
  mean: number
  /** When its first sample was measured, in milliseconds. */
  firstAt: number
  receivedAt: number
  metric: string
  label: string
}

const where =
  'WHERE tenant_id = {tenant: UUID} AND monitor_id = {monitor: UUID} AND at >= {from: DateTime64(3)} AND at < ' +
  '{to: DateTime64(3)}'

/** As `serverMinutes`, for one server and a long time: in the order of arrival, at most `most`. Cores are averaged. */
const minutes = `
  SELECT toUInt32(intDiv(toUnixTimestamp(at), 60)) AS minute, avg(value) AS mean,
    toFloat64(min(toUnixTimestamp64Milli(at))) AS first_at,
    toFloat64(toUnixTimestamp64Milli(max(received_at))) AS received,
    toLowCardinality(toString(metric)) AS name, toLowCardinality(if(metric = 'cpu', '', label)) AS of
  FROM server_samples FINAL ${where} AND metric IN {metrics: Array(String)}
  GROUP BY minute, name, of ORDER BY received, minute, name, of LIMIT {most: UInt32} FORMAT Native`

/** When samples were received: the first and the last time of each minute with samples. */
const received = `
  SELECT toFloat64(toUnixTimestamp64Milli(min(received_at))) AS first, toFloat64(toUnixTimestamp64Milli(max(received_at))) AS last
  FROM server_samples ${where} GROUP BY intDiv(toUnixTimestamp(received_at), 60) ORDER BY first FORMAT Native`

const read = async (clickhouse: ClickHouseClient, query: string, of: HistoryParams) =>
  nativeBlocks(await buffer((await clickhouse.exec({ query, query_params: params.parse(of) })).stream))

export async function serverHistory(
  clickhouse: ClickHouseClient,
  of: HistoryParams,
): Promise<{ minutes: ServerMinute[]; reports: number[] }> {
  const found: ServerMinute[] = []
  for (const block of of.metrics.length > 0 ? await read(clickhouse, minutes, of) : []) {
    const [minute, mean, firstAt, received, names, labels] = [
      block.numbers('minute'),
      block.numbers('mean'),
      block.numbers('first_at'),
      block.numbers('received'),
      block.texts('name'),
      block.texts('of'),
    ]
    for (let row = 0; row < block.rows; row++)
      found.push({
        minute: minute[row]!,
        mean: mean[row]!,
        firstAt: firstAt[row]!,
        receivedAt: received[row]!,
        metric: names.text(names.of[row]!),
        label: labels.text(labels.of[row]!),
      })
  }
  const times: number[] = []
  for (const block of await read(clickhouse, received, of)) {
    const [first, last] = [block.numbers('first'), block.numbers('last')]
    for (let row = 0; row < block.rows; row++) {
      times.push(first[row]!)
      if (last[row]! > first[row]!) times.push(last[row]!)
    }
  }
  return { minutes: found, reports: times }
}
