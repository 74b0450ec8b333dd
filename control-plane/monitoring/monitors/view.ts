import { z } from 'zod'
import { effectiveLimits, type Limits } from '#contract/plans.ts'
import { stamp } from '#contract/time.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { summariesOf } from '#control-plane/monitoring/checks/find.ts'
import { allMonitorTypes } from '#control-plane/monitoring/checks/input.ts'
import type { SummaryRow } from '#control-plane/monitoring/checks/row.ts'
import { nextTurn } from '#control-plane/monitoring/checks/turns.ts'
import { CheckSummary, coverages, summarise } from '#control-plane/monitoring/checks/view.ts'
import { ifReachable, lastLookedAt } from '#control-plane/monitoring/results/looks.ts'
import { findMonitors } from './find.ts'
import { ownFields, viewOwn } from './own.ts'
import { type MonitorRow, policyModes } from './row.ts'

const time = z.string().meta({ format: 'date-time' })
const own = ownFields('the first verdict')

export const MonitorView = z
  .object({
    id: z.uuid(),
    ...own,
    url: z.string(),
    type: z.enum(allMonitorTypes),
    held_by_plan: own.held_by_plan.meta({
      description: 'More monitors than the plan allows: this one is not looked at.',
    }),
    coverage: z.enum(coverages).meta({
      description:
        'How many of the regions asked cover the monitor: those that may vote and whose newest result is no older than two intervals and a timeout. `none` opens no incident, and the status stays what it was.',
    }),
    coverage_since: time.nullable().meta({ description: 'Since when the coverage is what it is.' }),
    check_interval: z.int(),
    timeout: z.int(),
    regions: z.array(z.string()),
    region_policy: z.object({ mode: z.enum(policyModes), count: z.int().nullable() }),
    confirmations: z.int(),
    recovery_confirmations: z.int(),
    last_checked_at: time.nullable().meta({ description: 'In lists up to five seconds behind.' }),
    next_check_at: time.nullable(),
    checks: z.array(CheckSummary),
  })
  .meta({ id: 'Monitor' })

type Known = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'services'>

/** Monitors with their checks and when they were looked at: one statement and, beside it, one question, however many they are. */
export async function viewMonitors(
  facts: Known,
  rows: readonly MonitorRow[],
  looked = askWhenLooked(facts, rows),
): Promise<z.input<typeof MonitorView>[]> {
  const { em, tenant, now } = facts
  const checks = await summariesOf(
    em,
    tenant,
    rows.map(row => row.id),
  )
  const lookedAt = await looked
  const limits = effectiveLimits(tenant.plan, tenant.featureOverrides)
  const byMonitor = Map.groupBy(checks, check => check.monitor_id)
  return rows.map(row => viewMonitor(row, byMonitor.get(row.id) ?? [], lookedAt.get(row.id), limits, now))
}

/** Begins to ask ClickHouse, which can answer while PostgreSQL is asked for the rest. */
const askWhenLooked = ({ services, tenant }: Known, rows: readonly MonitorRow[]): Promise<Map<string, number>> =>
  ifReachable(
    services,
    lastLookedAt(
      services,
      tenant,
      rows.map(row => row.id),
    ),
  )

/** Monitors as they are stored now, in the order of their ids. */
export const readMonitors = async (facts: Known, ids: readonly string[]) =>
  viewMonitors(facts, await findMonitors(facts.em, facts.tenant, ids))

function viewMonitor(
  row: MonitorRow,
  checks: readonly SummaryRow[],
  lookedAt: number | undefined,
  limits: Limits,
  now: Date,
): z.input<typeof MonitorView> {
  const timed = { check_interval: row.check_interval, monitor_regions: row.regions }
  const turns =
    row.status === 'paused'
      ? []
      : checks.flatMap(check => (check.is_enabled ? (nextTurn({ ...check, ...timed }, limits, now) ?? []) : []))
  return {
    ...row,
    ...viewOwn(row),
    type: allMonitorTypes.find(type => type === row.type) ?? 'website',
    coverage: coverages.find(coverage => coverage === row.coverage) ?? 'none',
    last_checked_at: lookedAt === undefined ? null : stamp(new Date(lookedAt)),
    next_check_at: turns.length > 0 ? stamp(new Date(Math.min(...turns.map(turn => turn.getTime())))) : null,
    checks: checks.map(check => summarise(check, now)),
  }
}
