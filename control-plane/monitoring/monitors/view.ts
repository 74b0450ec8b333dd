import { z } from 'zod'
import { effectiveLimits, type Limits } from '#contract/plans.ts'
import { stamp } from '#contract/time.ts'
import { policyModes } from '#control-plane/db/model/shapes.ts'
import { isWatched } from '#control-plane/engine/state/state.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { summariesOf } from '#control-plane/monitoring/checks/find.ts'
import { allMonitorTypes } from '#control-plane/monitoring/checks/input.ts'
import { nextRunAt } from '#control-plane/monitoring/checks/next-run.ts'
import type { SummaryRow } from '#control-plane/monitoring/checks/row.ts'
import { CheckSummary, coverages, summarise } from '#control-plane/monitoring/checks/view.ts'
import { ifReachable, lastCheckedAt } from '#control-plane/monitoring/results/latest.ts'
import { findMonitors } from './find.ts'
import { ownFields, viewOwn } from './own.ts'
import type { MonitorRow } from './row.ts'

const time = z.string().meta({ format: 'date-time' })
const own = ownFields('the first verdict')

export const MonitorView = z
  .object({
    id: z.uuid(),
    ...own,
    url: z.string(),
    type: z.enum(allMonitorTypes).meta({ id: 'MonitorType' }),
    held_by_plan: own.held_by_plan.meta({
      description: 'More monitors than the plan allows: this one is not checked.',
    }),
    coverage: z.enum(coverages).meta({
      description:
        'How many of the regions cover the monitor: those that are eligible and whose newest result is no older than ' +
        'two intervals and a timeout. With `none` no incident opens, and the state is unknown.',
    }),
    coverage_since: time.nullable().meta({ description: 'Since when the coverage is what it is.' }),
    check_interval: z.int(),
    effective_interval: z.int().meta({
      description: 'Seconds between two runs of a check without an interval of its own: no less than the plan allows.',
    }),
    timeout: z.int(),
    regions: z.array(z.string()),
    region_policy: z.object({ mode: z.enum(policyModes).meta({ id: 'PolicyMode' }), count: z.int().nullable() }),
    confirmations: z.int(),
    recovery_confirmations: z.int(),
    last_checked_at: time.nullable().meta({ description: 'In lists up to five seconds behind.' }),
    next_check_at: time.nullable(),
    checks: z.array(CheckSummary),
  })
  .meta({ id: 'Monitor' })

type ViewContext = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'services'>

/** Monitors with their checks and last runs: one statement and one concurrent ClickHouse query for all of them. */
export async function viewMonitors(
  context: ViewContext,
  rows: readonly MonitorRow[],
  lastChecked = readLastChecked(context, rows),
): Promise<z.input<typeof MonitorView>[]> {
  const { em, tenant, now } = context
  const checks = await summariesOf(
    em,
    tenant,
    rows.map(row => row.id),
  )
  const checkedAt = await lastChecked
  const limits = effectiveLimits(tenant.plan, tenant.featureOverrides)
  const byMonitor = Map.groupBy(checks, check => check.monitor_id)
  return rows.map(row => viewMonitor(row, byMonitor.get(row.id) ?? [], checkedAt.get(row.id), limits, now))
}

/** Starts a ClickHouse query that runs while PostgreSQL is read. */
const readLastChecked = (
  { services, tenant }: ViewContext,
  rows: readonly MonitorRow[],
): Promise<Map<string, number>> =>
  ifReachable(
    services,
    lastCheckedAt(
      services,
      tenant,
      rows.map(row => row.id),
    ),
  )

/** Monitors as they are stored now, in the order of their ids. */
export const readMonitors = async (context: ViewContext, ids: readonly string[]) =>
  viewMonitors(context, await findMonitors(context.em, context.tenant, ids))

function viewMonitor(
  row: MonitorRow,
  checks: readonly SummaryRow[],
  checkedAt: number | undefined,
  limits: Limits,
  now: Date,
): z.input<typeof MonitorView> {
  const timed = { check_interval: row.check_interval, monitor_regions: row.regions }
  const nextRuns =
    !isWatched(row.state) || row.is_paused_by_maintenance
      ? []
      : checks.flatMap(check => (check.is_enabled ? (nextRunAt({ ...check, ...timed }, limits, now) ?? []) : []))
  return {
    ...row,
    ...viewOwn(row),
    type: allMonitorTypes.find(type => type === row.type) ?? 'website',
    effective_interval: Math.max(row.check_interval, limits.min_check_interval),
    coverage: coverages.find(coverage => coverage === row.coverage) ?? 'none',
    last_checked_at: checkedAt === undefined ? null : stamp(new Date(checkedAt)),
    next_check_at: nextRuns.length > 0 ? stamp(new Date(Math.min(...nextRuns.map(run => run.getTime())))) : null,
    checks: checks.map(check => summarise(check, now)),
  }
}
