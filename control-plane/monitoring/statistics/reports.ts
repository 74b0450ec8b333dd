import { z } from 'zod'
import { newestSeen } from '#analytics/queries/newest-seen.ts'
import { resultOutcomes } from '#analytics/queries/results-page.ts'
import type { Report } from '#checks/report.ts'
import { reports } from '#checks/reports.ts'
import { outcomes } from '#contract/check.ts'
import { stamp } from '#contract/time.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { checksOf } from '#control-plane/monitoring/checks/find.ts'
import type { CheckRow } from '#control-plane/monitoring/checks/row.ts'
import { coverages, RegionResult, viewRegionResult } from '#control-plane/monitoring/checks/view.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { latestResultOf } from '#control-plane/monitoring/results/latest.ts'
import { readSeries, SeriesPoint } from '#control-plane/monitoring/results/series.ts'
import { dayMs } from './judged-time.ts'
import { periodOf, periodQuery } from './period.ts'
import { CheckChange, readChangesOf } from './read-changes.ts'

const time = z.string().meta({ format: 'date-time' })

const common = {
  monitor_id: z.uuid(),
  check_id: z.uuid(),
  check_ids: z
    .array(z.uuid())
    .meta({ description: 'All checks of this kind that the monitor has; `check` chooses another.' }),
  is_enabled: z.boolean(),
  status: z.enum(outcomes).nullable().meta({ description: 'The verdict; `null` before the first one.' }),
  status_since: time.nullable(),
  status_reason: z.string().nullable(),
  coverage: z.enum(coverages),
  failing_regions: z.array(z.string()),
  from: time,
  to: time,
}

const questions = periodQuery.extend({
  check: z
    .uuid()
    .toLowerCase()
    .optional()
    .meta({ description: 'Which of several checks of this kind; by default the first one that is enabled.' }),
})

/** `GET /monitors/{monitor}/<statistic>`: the verdict, the newest result of each region, the changes, and the days. */
const reportEndpoint = (of: Report) =>
  endpoint({
    method: 'GET',
    path: `/monitors/{monitor}/${of.statistic}`,
    summary: of.summary,
    description:
      (of.description === undefined ? '' : `${of.description} `) +
      `Of the monitor’s ${of.kind.name} check; 404 without one. Days in UTC, 30 by default, 90 at most.`,
    access: { tenant: 'monitors:read', reseller: 'monitors:read' },
    query: questions,
    returns: ok({
      data: z
        .object({
          ...common,
          type: z.literal(of.kind.name),
          regions: z.array(
            RegionResult.extend({
              outcome: z.enum(resultOutcomes),
              latest: of.latest
                .nullable()
                .meta({ description: 'The observation of the newest result; `null` when it has none.' }),
            }),
          ),
          ...(of.kind.changeDetection && {
            changes: z.array(CheckChange).meta({ description: 'Confirmed changes, newest first, a hundred at most.' }),
          }),
          days: z.array(SeriesPoint).meta({ description: 'Days without results are left out.' }),
        })
        .meta({ id: `${nameOf(of)}Report` }),
    }),

    async handle({ em, tenant, params, query, now, services }) {
      const period = periodOf(query, { now, defaultDays: 30, maxDays: 90 })
      const monitor = await findMonitor(em, tenant, params.monitor)
      const checks = (await checksOf(em, tenant, [monitor.id])).filter(({ type }) => type === of.kind.name)
      const check = choose(checks, of, query.check)
      const span = {
        from: new Date(Math.floor(period.from / dayMs) * dayMs),
        to: new Date(Math.ceil(period.to / dayMs) * dayMs),
        bucket: 'day',
      } as const
      const [results, series, changes] = await Promise.all([
        newestSeen(services.clickhouse, { tenant: tenant.id, monitor: monitor.id, check: check.id }),
        readSeries(services, tenant, [check], span, [], now),
        of.kind.changeDetection ? readChangesOf(em, tenant, check.id, period) : undefined,
      ])
      return {
        data: {
          monitor_id: monitor.id,
          check_id: check.id,
          check_ids: checks.map(({ id }) => id),
          type: of.kind.name,
          is_enabled: check.is_enabled,
          status: outcomes.find(outcome => outcome === check.verdict) ?? null,
          status_since: check.verdict_since,
          status_reason: check.verdict_reason,
          coverage: coverages.find(coverage => coverage === check.coverage) ?? 'none',
          failing_regions: check.failing_regions,
          from: stamp(new Date(period.from)),
          to: stamp(new Date(period.to)),
          regions: results.map(row => ({
            ...viewRegionResult(latestResultOf(row)),
            outcome: row.outcome,
            latest: latestOf(of, row.seen),
          })),
          ...(changes && { changes }),
          days: series.get(check.id) ?? [],
        },
      }
    },
  })

function choose(checks: readonly CheckRow[], { kind }: Report, id: string | undefined): CheckRow {
  const chosen =
    id === undefined
      ? (checks.find(({ is_enabled }) => is_enabled) ?? checks[0])
      : checks.find(check => check.id === id)
  if (chosen) return chosen
  const what =
    id === undefined ? `This monitor has no ${kind.name} check.` : `This monitor has no ${kind.name} check of that id.`
  throw new Refusal(404, 'no_such_check', what)
}

/** An observation of an older version of the kind is left out. */
function latestOf({ kind, view }: Report, text: string) {
  if (text === '') return null
  const seen = kind.seen.safeParse(JSON.parse(text))
  return seen.success ? view(seen.data) : null
}

const nameOf = ({ statistic }: Report) =>
  statistic
    .split('-')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

export const checkReports = reports.map(reportEndpoint)
