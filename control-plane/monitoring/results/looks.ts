import { newestLooks } from '#analytics/queries/newest-looks.ts'
import type { Outcome } from '#contract/check.ts'
import type { Services } from '#control-plane/kernel/services.ts'

/** The newest look of one region at one check, as ingest stored it. Times are milliseconds of the server's clock. */
export interface RegionLook {
  check: string
  region: string
  due: number
  at: number
  outcome: Outcome | 'unknown'
  code: string | null
  reason: string | null
  responseMs: number | null
}

interface CheckKey {
  id: string
  monitor_id: string
}

const patienceMs = 1_500

/** The newest look of every region at each of these checks: one question, however many checks. */
export async function latestLooks({ clickhouse }: Services, tenant: { id: string }, checks: readonly CheckKey[]): Promise<Map<string, RegionLook[]>> {
  if (checks.length === 0) return new Map()
  const rows = await newestLooks(clickhouse, {
    tenant: tenant.id,
    monitors: [...new Set(checks.map(check => check.monitor_id))],
    checks: checks.map(check => check.id),
  })
  const looks = rows.map(row => ({
    check: row.check_id,
    region: row.region,
    due: row.due_ms,
    at: row.at_ms,
    outcome: row.outcome,
    code: row.code || null,
    reason: row.reason || null,
    responseMs: row.response_ms,
  }))
  return Map.groupBy(looks, look => look.check)
}

/** As `latestLooks`, and none while ClickHouse is away or slow: monitors can be read and changed without it. */
export async function latestLooksIfReachable(services: Services, tenant: { id: string }, checks: readonly CheckKey[]): Promise<Map<string, RegionLook[]>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${patienceMs} ms`)), patienceMs)
  })
  try {
    return await Promise.race([latestLooks(services, tenant, checks), late])
  } catch (error) {
    services.log.warn({ err: error }, 'newest looks not read')
    return new Map()
  } finally {
    clearTimeout(timer)
  }
}
