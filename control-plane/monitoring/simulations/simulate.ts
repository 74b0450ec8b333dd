import { effectiveLimits } from '#contract/plans.ts'
import { stamp } from '#contract/time.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { checksOf } from '#control-plane/monitoring/checks/find.ts'
import { shortUnit } from '#control-plane/monitoring/checks/verb.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { periodOf, periodQuery } from '#control-plane/monitoring/statistics/period.ts'
import { backtestSlots } from './backtest-slots.ts'
import { changesIn, OtherSettings, replayedKindOf } from './changes.ts'
import { notesOn } from './notes.ts'
import { readBlindMs, readFlaps, readIncidents, readSnoozes } from './read.ts'
import { type CheckOutcome, maxLooks, readHistory, runCheck } from './run.ts'
import { besideReal, differenceOf, newest, SimulationView, seen, showChange, showCourse, showReal } from './view.ts'

const maxDays = 90
const dayMs = 86_400_000

export const simulateMonitor = endpoint({
  method: 'POST',
  path: '/monitors/{monitor}/simulate',
  summary: 'Try other settings on what was seen: which incidents and alerts there would have been',
  description:
    'Goes through the stored looks of up to 90 days as if the monitor had had other settings, and sets what would have been beside what was. Changes nothing. One at a time for each team, else 429; where many are asked for they wait for each other, and who would wait too long gets 503.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  detached: true,
  body: OtherSettings.extend(periodQuery.shape),
  returns: ok({ data: SimulationView }),

  handle: facts =>
    backtestSlots.use(
      { teamId: facts.tenant.id, tenantId: facts.caller.impersonator?.tenantId ?? facts.caller.tenant.id },
      async () => {
        const { tenant, body, params, services, now, requestId } = facts
        const asked = periodOf(body, { now, defaultDays: 30, maxDays })
        const limits = effectiveLimits(tenant.plan, tenant.featureOverrides)
        const keptFrom = now.getTime() - Math.min(maxDays, limits.data_retention_days) * dayMs
        const stretch = { from: Math.max(asked.from, keptFrom), to: asked.to }
        if (stretch.from >= stretch.to) throw invalid({ to: ['Nothing of that time is kept any more.'] }, 'not_kept')

        const known = await shortUnit(facts, requestId, async em => {
          const monitor = await findMonitor(em, tenant, params.monitor)
          const checks = await checksOf(em, tenant, [monitor.id])
          const changes = changesIn(body, monitor, checks, services.config)
          const incidents = await readIncidents(em, monitor.id, stretch)
          const flaps = await readFlaps(em, monitor.id, stretch)
          const replayed = checks.filter(check => check.severity !== null && replayedKindOf(check) !== undefined)
          const histories = []
          for (const check of replayed)
            histories.push(await readHistory(em, services, { monitor, check, limits, incidents, stretch }))
          const earliest = Math.min(stretch.from, ...histories.map(({ startsAt }) => startsAt))
          const snoozes = await readSnoozes(
            em,
            tenant,
            checks.map(({ id }) => id),
            { from: earliest, to: stretch.to },
          )
          return {
            monitor,
            checks,
            changes,
            incidents,
            flaps,
            snoozes,
            replayed,
            histories,
            blindMs: await readBlindMs(em, stretch),
          }
        })

        const outcomes: CheckOutcome[] = []
        for (const history of known.histories) {
          const looksLeft = maxLooks - outcomes.reduce((sum, { looks }) => sum + looks, 0)
          outcomes.push(
            await runCheck(services, { tenant, history, changes: known.changes, to: stretch.to, looksLeft }),
          )
        }

        const byCheck = new Map(known.checks.map(check => [check.id, check]))
        const were = seen(
          known.incidents.flatMap(incident => {
            const check = byCheck.get(incident.check_id)
            return check ? showReal(check, incident, stretch) : []
          }),
          known.flaps,
          stretch,
        )
        const shown = (pick: (outcome: CheckOutcome) => CheckOutcome['unchanged']) =>
          showCourse(
            outcomes.map(outcome => ({ check: outcome.check, course: pick(outcome) })),
            known.snoozes,
            stretch,
          )
        const unchanged = shown(outcome => outcome.unchanged)
        const wouldBe = shown(outcome => outcome.changed)
        return {
          data: {
            monitor_id: known.monitor.id,
            from: stamp(new Date(stretch.from)),
            to: stamp(new Date(stretch.to)),
            looks: outcomes.reduce((sum, { looks }) => sum + looks, 0),
            were: { ...were.totals, list: newest(were.incidents) },
            unchanged: unchanged.totals,
            would_be: { ...wouldBe.totals, list: besideReal(wouldBe.incidents, were.incidents) },
            difference: differenceOf(wouldBe.totals, unchanged.totals),
            changes: known.changes.map((change, index) =>
              showChange(
                change,
                shown(outcome => outcome.alone[index] ?? outcome.unchanged),
                unchanged,
              ),
            ),
            notes: notesOn({
              ...known,
              asked,
              stretch,
              notReplayed: known.checks.filter(check => !known.replayed.includes(check)),
              standingsKnownSince: known.histories[0]?.standings.knownSince ?? null,
              unmade: outcomes.reduce((sum, { unmade }) => sum + unmade, 0),
              left: outcomes.reduce((sum, { left }) => sum + left, 0),
              were: were.incidents.length,
              unchanged: unchanged.incidents.length,
              wouldBe: wouldBe.incidents.length,
            }),
          },
        }
      },
    ),
})
