import { limits, Result, runReasons } from '#contract/agent.ts'
import type { Fault, Phases } from '#contract/check.ts'
import { faultCodes, runPhases } from '#contract/check.ts'
import { shardCount } from '#contract/shards.ts'

/** Parses one line of a batch; undefined if it is not a result. */
export function readResult(line: string): Result | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  return isResult(value) ? value : Result.safeParse(value).data
}

/** The sequence number of an invalid line, if at least that can be read. */
export function readSeq(line: string): number | undefined {
  try {
    const { seq } = JSON.parse(line)
    return Number.isSafeInteger(seq) && seq >= 0 ? seq : undefined
  } catch {
    return undefined
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const codes = new Set<unknown>(faultCodes)
const phaseNames = new Set<unknown>(runPhases)
const reasons = new Set<unknown>(runReasons)

/**
 * Fast check for `Result`. The schema decides about every value that is not accepted here; ordinary results, tens of
 * thousands a second, avoid its cost. A test ensures that nothing passes here that the schema refuses.
 */
export function isResult(value: unknown): value is Result {
  const row = value as Partial<Record<keyof Result, unknown>>
  return (
    isPlain(value) &&
    isCount(row.seq) &&
    (row.shard === undefined || (isCount(row.shard) && row.shard < shardCount)) &&
    isUuid(row.check) &&
    isText(row.kind, 40) &&
    Number.isSafeInteger(row.due) &&
    isCount(row.attempt) &&
    row.attempt <= 65_535 &&
    reasons.has(row.reason) &&
    (row.request === undefined || isUuid(row.request)) &&
    Number.isSafeInteger(row.at) &&
    isSpan(row.took) &&
    isPhases(row.phases) &&
    (row.seen === undefined || isPlain(row.seen)) &&
    (row.fault === undefined || isFault(row.fault)) &&
    (row.excerpt === undefined || isText(row.excerpt, limits.excerptChars)) &&
    (row.address === undefined || isText(row.address, 64)) &&
    (row.is_unreliable === undefined || typeof row.is_unreliable === 'boolean')
  )
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isSpan = (value: unknown) => typeof value === 'number' && value >= 0 && value !== Number.POSITIVE_INFINITY
const isSpanOrNull = (value: unknown) => value === null || isSpan(value)
const isText = (value: unknown, length: number) => typeof value === 'string' && value.length <= length
const isUuid = (value: unknown) => typeof value === 'string' && value.length === 36 && uuid.test(value)

function isPhases(value: unknown): value is Phases {
  const phases = value as Phases
  return (
    isPlain(value) &&
    isSpanOrNull(phases.dns) &&
    isSpanOrNull(phases.connect) &&
    isSpanOrNull(phases.tls) &&
    isSpanOrNull(phases.first_byte) &&
    isSpanOrNull(phases.total)
  )
}

function isFault(value: unknown): value is Fault {
  const fault = value as Fault
  return isPlain(value) && codes.has(fault.code) && phaseNames.has(fault.phase) && isText(fault.message, 500)
}
