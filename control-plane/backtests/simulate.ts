import { effectiveLimits } from '#contract/plans.ts'
import { stamp } from '#contract/time.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { shortUnit } from '#control-plane/monitoring/checks/check-endpoint.ts'
import { checksOf } from '#control-plane/monitoring/checks/find.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { periodOf, periodQuery } from '#control-plane/monitoring/statistics/period.ts'
import { backtestSlots } from './backtest-slots.ts'
import { changesIn, OtherSettings, replayedKindOf } from './changes.ts'
import { notesOn } from './notes.ts'
import { readFlappings, readIncidents, readMaintenance, readMonitoringGapMs, readSnoozes } from './read.ts'
import { type CheckBacktest, maxResults, readHistory, runCheck } from './run.ts'
import {
  besideReal,
  differenceOf,
  newest,
  SimulationView,
  showChange,
  showReal,
  showTimelines,
  summarise,
} from './view.ts'

const maxDays = 90
const dayMs = 86_400_000

export const simulateMonitor = endpoint({
  method: 'POST',
  path: '/monitors/{monitor}/simulate',
  summary: 'Backtest other settings',
  description:
    'Which incidents and alerts they would have caused. ' +
    'Replays the stored results of up to 90 days as if the monitor had had other settings, and compares the ' +
    'incidents and alerts with the real ones. Changes nothing. A team runs one backtest at a time, else 429. ' +
    'Where many are requested they wait for each other, and one that would wait too long gets 503.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  detached: true,
  body: OtherSettings.extend(periodQuery.shape),
  returns: ok({ data: SimulationView }),

  handle: context =>
    backtestSlots.use(
      { teamId: context.tenant.id, tenantId: context.caller.impersonator?.tenantId ?? context.caller.tenant.id },
      async () => {
        const { tenant, body, params, services, now, requestId } = context
        const requested = periodOf(body, { now, defaultDays: 30, maxDays })
        const limits = effectiveLimits(tenant.plan, tenant.featureOverrides)
        const keptFrom = now.getTime() - Math.min(maxDays, limits.data_retention_days) * dayMs
        const period = { from: Math.max(requested.from, keptFrom), to: requested.to }
        if (period.from >= period.to) throw invalid({ to: ['No results of that time are kept any more.'] }, 'not_kept')

        const stored = await shortUnit(context, requestId, async em => {
          const monitor = await findMonitor(em, tenant, params.monitor)
          const checks = await checksOf(em, tenant, [monitor.id])
          const changes = changesIn(body, monitor, checks, services.config)
          const incidents = await readIncidents(em, monitor.id, period)
          const flappings = await readFlappings(em, monitor.id, period)
          const replayed = checks.filter(check => check.severity !== null && replayedKindOf(check) !== undefined)
          const histories = []
          for (const check of replayed)
            histories.push(await readHistory(em, services, { monitor, check, limits, incidents, period }))
          const earliest = Math.min(period.from, ...histories.map(({ startsAt }) => startsAt))
          const snoozes = await readSnoozes(
            em,
            tenant,
            checks.map(({ id }) => id),
            { from: earliest, to: period.to },
          )
          return {
            monitor,
            checks,
            changes,
            incidents,
            flappings,
            snoozes,
            maintenance: await readMaintenance(em, monitor.id, { from: earliest, to: period.to }),
            replayed,
            histories,
            monitoringGapMs: await readMonitoringGapMs(em, period),
          }
        })

        const backtests: CheckBacktest[] = []
        for (const history of stored.histories) {
          const resultsLeft = maxResults - backtests.reduce((sum, { results }) => sum + results, 0)
          backtests.push(
            await runCheck(services, { tenant, history, changes: stored.changes, to: period.to, resultsLeft }),
          )
        }

        const shownPeriod = { ...period, maintenance: stored.maintenance }
        const byCheck = new Map(stored.checks.map(check => [check.id, check]))
        const were = summarise(
          stored.incidents.flatMap(incident => {
            const check = byCheck.get(incident.check_id)
            return check ? showReal(check, incident, shownPeriod) : []
          }),
          stored.flappings,
          period,
        )
        const shown = (pick: (backtest: CheckBacktest) => CheckBacktest['unchanged']) =>
          showTimelines(
            backtests.map(backtest => ({ check: backtest.check, timeline: pick(backtest) })),
            stored.snoozes,
            shownPeriod,
          )
        const unchanged = shown(backtest => backtest.unchanged)
        const wouldBe = shown(backtest => backtest.changed)
        return {
          data: {
            monitor_id: stored.monitor.id,
            from: stamp(new Date(period.from)),
            to: stamp(new Date(period.to)),
            looks: backtests.reduce((sum, { results }) => sum + results, 0),
            were: { ...were.totals, list: newest(were.incidents) },
            unchanged: unchanged.totals,
            would_be: { ...wouldBe.totals, list: besideReal(wouldBe.incidents, were.incidents) },
            difference: differenceOf(wouldBe.totals, unchanged.totals),
            changes: stored.changes.map((change, index) =>
              showChange(
                change,
                shown(backtest => backtest.alone[index] ?? backtest.unchanged),
                unchanged,
              ),
            ),
            notes: notesOn({
              ...stored,
              requested,
              period,
              notReplayed: stored.checks.filter(check => !stored.replayed.includes(check)),
              eligibilitiesKnownSince: stored.histories[0]?.eligibilities.knownSince ?? null,
              missingRuns: backtests.reduce((sum, { missingRuns }) => sum + missingRuns, 0),
              notRejudged: backtests.reduce((sum, { notRejudged }) => sum + notRejudged, 0),
              were: were.incidents.length,
              unchanged: unchanged.incidents.length,
              wouldBe: wouldBe.incidents.length,
            }),
          },
        }
      },
    ),
})
