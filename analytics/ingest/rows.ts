import type { Result } from '#contract/agent.ts'
import type { Judged } from './judge.ts'
import type { AssignedCheck } from './observation.ts'

/** In the order in which `encodeRow` writes them. */
export const columns = [
  'tenant_id',
  'monitor_id',
  'check_id',
  'region',
  'kind',
  'due',
  'attempt',
  'at',
  'received_at',
  'run_reason',
  'request',
  'outcome',
  'code',
  'reason',
  'response_ms',
  'dns_ms',
  'connect_ms',
  'tls_ms',
  'first_byte_ms',
  'total_ms',
  'http_status',
  'seen',
  'fault_phase',
  'excerpt',
  'address',
  'is_unreliable',
  'agent_id',
  'version',
  'keep_days',
] as const

/**
 * Days for which a result is stored: as long as the plan keeps data. At least as long as roll-ups may have to be
 * computed from it, at most as long as settings can be tried on it.
 */
export const storedDays = { least: 7, most: 90 } as const

export interface Origin {
  region: string
  agent: string
  receivedAt: number
  /** Of several rows with the same key the one with the highest version is read: the one that was received first. */
  version: number
}

/** Decreases with every batch: 1,024 values per millisecond, as the table's default assumes. */
export const versionOf = (receivedAt: number, batch: number) =>
  Number.MAX_SAFE_INTEGER - receivedAt * 1_024 - (batch % 1_024)

/** Text that ClickHouse can read: an unpaired surrogate would make it refuse the whole insert. */
const text = (value: string | undefined) =>
  value ? JSON.stringify(value.isWellFormed() ? value : value.toWellFormed()) : '""'

/**
 * One result as a line of JSONCompactEachRow. Times as milliseconds: a DateTime64(3) reads a bare number as its ticks.
 */
export function encodeRow(
  result: Result,
  check: AssignedCheck,
  judged: Judged,
  { region, agent, receivedAt, version }: Origin,
): string {
  const { phases, request } = result
  const { judgement, seen, responseMs } = judged
  return `["${check.tenant}","${check.monitor}","${check.check}","${region}","${check.kind}",${result.due},${result.attempt},${result.at},${receivedAt},"${result.reason}",${
    request ? `"${request}"` : 'null'
  },"${judgement.status}",${text(judgement.code)},${text(judgement.reason)},${responseMs},${phases.dns},${phases.connect},${phases.tls},${
    phases.first_byte
  },${phases.total},${statusOf(seen)},${seen ? JSON.stringify(JSON.stringify(seen)) : '""'},"${result.fault?.phase ?? ''}",${text(
    result.excerpt,
  )},${text(result.address)},${result.is_unreliable === true},"${agent}",${version},${Math.min(
    Math.max(check.keepDays, storedDays.least),
    storedDays.most,
  )}]\n`
}

/** The HTTP status, for kinds that have one. */
export const statusOf = (seen: Record<string, unknown> | undefined): number | null => {
  const status = seen?.status
  return typeof status === 'number' && Number.isInteger(status) && status >= 0 && status < 65_536 ? status : null
}

/** The values of a line that `encodeRow` wrote, by column. */
export function decodeRow(line: string): Record<(typeof columns)[number], unknown> {
  const values = JSON.parse(line) as unknown[]
  return Object.fromEntries(columns.map((name, index) => [name, values[index]])) as ReturnType<typeof decodeRow>
}

/** A line without what was read of the target. */
export const cutRow = (line: string): string =>
  JSON.stringify(Object.values({ ...decodeRow(line), seen: '', excerpt: '' }))
