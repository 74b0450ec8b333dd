import { z } from 'zod'
import { kindNames } from '#checks/index.ts'
import { outcomes } from '#contract/check.ts'
import type { Limits } from '#contract/plans.ts'
import { stamp } from '#contract/time.ts'
import { effectiveInterval } from '#control-plane/engine/assignments/interval.ts'
import { maskSettings } from '#control-plane/engine/assignments/settings-secrets.ts'
import { directRegion } from '#control-plane/engine/verdicts/quorum.ts'
import type { LatestResult } from '#control-plane/monitoring/results/latest.ts'
import { checkSeverities } from './input.ts'
import { byKind } from './kinds-described.ts'
import { nextRunAt } from './next-run.ts'
import type { CheckRow, SummaryRow } from './row.ts'

const time = z.string().meta({ format: 'date-time' })
export const coverages = ['full', 'partial', 'none'] as const
export const resultNames = ['pending', 'succeeded', 'warning', 'failed', 'errored_or_timed_out'] as const

const type = z.enum(kindNames).meta({ id: 'CheckType' })
const severity = z.enum(checkSeverities).meta({ id: 'CheckSeverity' })
const status = z
  .enum(outcomes)
  .meta({ id: 'CheckStatus' })
  .nullable()
  .meta({ description: 'The verdict; `null` before the first one.' })
const coverage = z.enum(coverages).meta({ id: 'Coverage' }).meta({
  description: 'Whether all, some or none of the regions of the check are eligible and have a current result.',
})

/** A check as its monitor shows it. */
export const CheckSummary = z
  .object({
    id: z.uuid(),
    type,
    is_enabled: z.boolean(),
    severity,
    status,
    status_reason: z.string().nullable(),
    coverage,
    snoozed_until: time.nullable(),
  })
  .meta({ id: 'CheckSummary' })

export const RegionResult = z
  .object({
    region: z.string(),
    result: z.enum(resultNames).meta({ id: 'RunResult' }),
    at: time,
    response_ms: z.number().nullable(),
    error_code: z.string().nullable(),
    summary: z.string().nullable(),
  })
  .meta({ id: 'RegionResult' })

export const CheckView = byKind(
  {
    id: z.uuid(),
    monitor_id: z.uuid(),
    is_enabled: z.boolean(),
    interval: z.int().nullable(),
    effective_interval: z.int().meta({ description: 'Seconds between runs, by monitor, kind and plan.' }),
    severity,
    status,
    status_since: time.nullable(),
    status_reason: z.string().nullable(),
    coverage,
    failing_regions: z.array(z.string()),
    latest_result: z.enum(resultNames),
    latest_run_at: time.nullable(),
    latest_summary: z.string().nullable(),
    consecutive_failures: z.int().meta({ description: 'Failures in a row, of the region that has most.' }),
    region_results: z.array(RegionResult),
    snoozed_until: time.nullable(),
    snoozed_by: z.uuid().nullable(),
    snooze_reason: z.string().nullable(),
    next_check_at: time.nullable(),
    created_at: time,
    updated_at: time,
  },
  'shown',
  kind => `${kind}Check`,
)

/** The newest result of each region, and the most failures in a row that one of them has. */
export interface CheckResults {
  results: readonly LatestResult[]
  failures: number
}

export function viewCheck(
  row: CheckRow,
  { results, failures }: CheckResults,
  limits: Limits,
  now: Date,
): z.input<typeof CheckView> {
  const newest = newestOf(results)
  const isSnoozed = row.snoozed_until !== null && new Date(row.snoozed_until) > now
  return {
    ...summarise(row, now),
    monitor_id: row.monitor_id,
    settings: maskSettings(row.settings),
    interval: row.interval,
    effective_interval: effectiveInterval(row, limits),
    status_since: row.verdict_since,
    failing_regions: row.failing_regions.filter(region => region !== directRegion),
    latest_result: newest ? resultOf(newest) : 'pending',
    latest_run_at: newest ? stamp(new Date(newest.at)) : null,
    latest_summary: newest?.reason ?? null,
    consecutive_failures: failures,
    region_results: results.map(viewRegionResult),
    snoozed_by: isSnoozed ? row.snoozed_by : null,
    snooze_reason: isSnoozed ? row.snooze_reason : null,
    next_check_at: row.is_enabled && row.is_monitor_running ? stamp(nextRunAt(row, limits, now)) : null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}

export function summarise(row: SummaryRow, now: Date): z.input<typeof CheckSummary> {
  return {
    id: row.id,
    type: oneOf(kindNames, row.type, kindNames[0]),
    is_enabled: row.is_enabled,
    severity: oneOf(checkSeverities, row.severity, 'warning'),
    status: outcomes.find(outcome => outcome === row.verdict) ?? null,
    status_reason: row.verdict_reason,
    coverage: oneOf(coverages, row.coverage, 'none'),
    snoozed_until: row.snoozed_until !== null && new Date(row.snoozed_until) > now ? row.snoozed_until : null,
  }
}

export const viewRegionResult = (result: LatestResult): z.input<typeof RegionResult> => ({
  region: result.region,
  result: resultOf(result),
  at: stamp(new Date(result.at)),
  response_ms: result.responseMs,
  error_code: result.outcome === 'up' ? null : result.code,
  summary: result.reason,
})

const timeouts = new Set(['timeout', 'dns_timeout'])

/** The result of one run by its name in the API. */
export function resultOf({ outcome, code }: Pick<LatestResult, 'outcome' | 'code'>): (typeof resultNames)[number] {
  if (outcome === 'up') return 'succeeded'
  if (outcome === 'warning') return 'warning'
  return outcome === 'unknown' || timeouts.has(code ?? '') ? 'errored_or_timed_out' : 'failed'
}

export const newestOf = (results: readonly LatestResult[]) =>
  results.reduce<LatestResult | undefined>(
    (newest, result) => (newest && newest.at >= result.at ? newest : result),
    undefined,
  )

const oneOf = <Value extends string>(values: readonly Value[], text: string | null, otherwise: Value): Value =>
  values.find(value => value === text) ?? otherwise
