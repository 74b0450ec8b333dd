import type { CheckRow } from '#control-plane/monitoring/checks/row.ts'
import type { MonitorRow } from '#control-plane/monitoring/monitors/row.ts'
import type { Interval } from './moments.ts'
import type { RealIncident } from './read.ts'
import { maxShown, type SimulationView } from './view.ts'

interface NotesContext {
  period: Interval
  requested: Interval
  monitor: MonitorRow
  checks: readonly CheckRow[]
  notReplayed: readonly CheckRow[]
  incidents: readonly RealIncident[]
  eligibilitiesKnownSince: number | null
  monitoringGapMs: number
  missingRuns: number
  notRejudged: number
  were: number
  unchanged: number
  wouldBe: number
}

/** Notes on what this backtest could not know. */
export function notesOn(context: NotesContext): SimulationView['notes'] {
  const {
    period,
    requested,
    monitor,
    checks,
    notReplayed,
    incidents,
    eligibilitiesKnownSince,
    monitoringGapMs,
    missingRuns,
    notRejudged,
    were,
    unchanged,
    wouldBe,
  } = context
  const since = (at: number) => new Date(at).toISOString()
  const isChanged = [monitor, ...checks].some(({ updated_at }) => Date.parse(updated_at) > period.from)
  const notes: [applies: boolean, code: string, message: string][] = [
    [
      period.from > requested.from,
      'retention',
      `Results are kept since ${since(period.from)}; the time before is left out.`,
    ],
    [
      missingRuns > 0,
      'looks_not_made',
      `${missingRuns} confirmation runs that the other settings would have requested were not made then. The next ` +
        'result decides instead, so an incident may be confirmed or end up to an interval later than it would have.',
    ],
    [
      notRejudged > 0,
      'looks_not_judged',
      `The observations of ${notRejudged} results are no longer kept: they count as they were judged then.`,
    ],
    [
      isChanged,
      'settings_changed',
      'Settings were changed within this time. The real incidents follow the settings of their day, the replay ' +
        'follows those of today.',
    ],
    [
      were !== unchanged,
      'not_reproduced',
      `By the settings of today the same results give ${unchanged} incidents; there were ${were}.`,
    ],
    [
      incidents.some(({ resolution }) => resolution !== null && resolution !== 'recovered'),
      'ended_by_hand',
      'Incidents that ended without a recovery end, in the replay, when the check was up again.',
    ],
    [
      incidents.some(({ suppressed_by }) => suppressed_by === 'storm' || suppressed_by === 'host'),
      'storms_not_replayed',
      'A storm takes many monitors: the alerts that it grouped count one by one in the replay.',
    ],
    [
      eligibilitiesKnownSince === null || eligibilitiesKnownSince > period.from,
      'regions_assumed',
      `Which regions were eligible is known ${
        eligibilitiesKnownSince === null ? 'only from now on' : `since ${since(eligibilitiesKnownSince)}`
      }; before that, every region with a result counts as eligible.`,
    ],
    [
      monitoringGapMs > 0,
      'blind',
      `For ${Math.ceil(monitoringGapMs / 60_000)} minutes no results were received: that time is not judged.`,
    ],
    [
      monitor.depends_on.length > 0,
      'depends_on',
      'The monitors that this one depends on keep the verdicts that they had.',
    ],
    [
      notReplayed.length > 0,
      'not_replayed',
      'Not replayed, because they open no incident or their reports are not kept: ' +
        `${notReplayed.map(({ type }) => type).join(', ')}.`,
    ],
    [
      Math.max(were, wouldBe) > maxShown,
      'shortened',
      `The lists have the newest ${maxShown} incidents; totals count all.`,
    ],
  ]
  return notes.flatMap(([applies, code, message]) => (applies ? { code, message } : []))
}
