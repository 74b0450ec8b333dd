import { lastChecked } from '#analytics/queries/last-checked.ts'
import { type NewestResult, newestResults } from '#analytics/queries/newest-results.ts'
import type { Outcome } from '#contract/check.ts'
import type { Services } from '#control-plane/http/services.ts'

/** The newest result of one check from one region, as ingest stored it. Times are milliseconds of the server's clock. */
export interface LatestResult {
  check: string
  region: string
  at: number
  outcome: Outcome | 'unknown'
  code: string | null
  reason: string | null
  responseMs: number | null
}

export const latestResultOf = ({
  check_id,
  region,
  at_ms,
  outcome,
  code,
  reason,
  response_ms,
}: NewestResult): LatestResult => ({
  check: check_id,
  region,
  at: at_ms,
  outcome,
  code: code || null,
  reason: reason || null,
  responseMs: response_ms,
})

interface CheckKey {
  id: string
  monitor_id: string
}

const timeoutMs = 1_500

/** The newest result of every region for each of these checks, in one query. */
export async function latestResults(
  { clickhouse }: Services,
  tenant: { id: string },
  checks: readonly CheckKey[],
): Promise<Map<string, LatestResult[]>> {
  if (checks.length === 0) return new Map()
  const rows = await newestResults(clickhouse, {
    tenant: tenant.id,
    monitors: [...new Set(checks.map(check => check.monitor_id))],
    checks: checks.map(check => check.id),
  })
  return Map.groupBy(rows.map(latestResultOf), result => result.check)
}

/** When each of these monitors had its last result, in milliseconds of the server's clock. */
export async function lastCheckedAt(
  { clickhouse }: Services,
  tenant: { id: string },
  monitors: readonly string[],
): Promise<Map<string, number>> {
  if (monitors.length === 0) return new Map()
  const rows = await lastChecked(clickhouse, { tenant: tenant.id, monitors: [...monitors] })
  return new Map(rows.map(row => [row.monitor_id, row.at_ms]))
}

/** The answer of ClickHouse, or an empty map while it is away or slow: monitors are served without it. Never rejects. */
export async function ifReachable<Value>(
  { log }: Services,
  asked: Promise<Map<string, Value>>,
): Promise<Map<string, Value>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([asked, late])
  } catch (error) {
    log.warn({ err: error }, 'latest results read failure')
    return new Map()
  } finally {
    clearTimeout(timer)
  }
}
