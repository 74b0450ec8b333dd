import type { CheckRow } from '#control-plane/monitoring/checks/row.ts'
import type { MonitorRow } from '#control-plane/monitoring/monitors/row.ts'
import type { Stretch } from './moments.ts'
import type { RealIncident } from './read.ts'
import { maxShown, type SimulationView } from './view.ts'

interface Known {
  stretch: Stretch
  asked: Stretch
  monitor: MonitorRow
  checks: readonly CheckRow[]
  notReplayed: readonly CheckRow[]
  incidents: readonly RealIncident[]
  standingsKnownSince: number | null
  blindMs: number
  unmade: number
  left: number
  were: number
  unchanged: number
  wouldBe: number
}

/** What a replay cannot know, said of this one. */
export function notesOn(known: Known): SimulationView['notes'] {
  const {
    stretch,
    asked,
    monitor,
    checks,
    notReplayed,
    incidents,
    standingsKnownSince,
    blindMs,
    unmade,
    left,
    were,
    unchanged,
    wouldBe,
  } = known
  const since = (at: number) => new Date(at).toISOString()
  const isChanged = [monitor, ...checks].some(({ updated_at }) => Date.parse(updated_at) > stretch.from)
  const notes: [holds: boolean, code: string, message: string][] = [
    [
      stretch.from > asked.from,
      'retention',
      `Looks are kept since ${since(stretch.from)}; what was before is left out.`,
    ],
    [
      unmade > 0,
      'looks_not_made',
      `${unmade} looks that the other settings would have asked for at once were not made then. The next look that was made decides instead, so an incident may be confirmed or end up to an interval later than it would have.`,
    ],
    [
      left > 0,
      'looks_not_judged',
      `Of ${left} looks it is no longer kept what they saw: they count as they were judged when they were made.`,
    ],
    [
      isChanged,
      'settings_changed',
      'Settings were changed within this time. What was, was by the settings of its day; the replay goes by those of today.',
    ],
    [
      were !== unchanged,
      'not_reproduced',
      `By the settings of today the same looks give ${unchanged} incidents; there were ${were}.`,
    ],
    [
      incidents.some(({ resolution }) => resolution === 'manual'),
      'ended_by_hand',
      'Incidents ended by hand end, in the replay, when the check was well again.',
    ],
    [
      incidents.some(({ held_by }) => held_by === 'storm'),
      'storms_not_replayed',
      'A storm takes many monitors: what one gathered then counts as told one by one in the replay.',
    ],
    [
      standingsKnownSince === null || standingsKnownSince > stretch.from,
      'regions_assumed',
      `Which regions could vouch for themselves is known ${standingsKnownSince === null ? 'from now on only' : `since ${since(standingsKnownSince)}`}; before, all that looked are taken to.`,
    ],
    [
      blindMs > 0,
      'blind',
      `For ${Math.ceil(blindMs / 60_000)} minutes nothing was received: nobody was judged on that time.`,
    ],
    [monitor.depends_on.length > 0, 'depends_on', 'Monitors this one leans on are taken to have been as they were.'],
    [
      notReplayed.length > 0,
      'not_replayed',
      `Not replayed, as they open no incident or tell of themselves what is not kept: ${notReplayed.map(({ type }) => type).join(', ')}.`,
    ],
    [
      Math.max(were, wouldBe) > maxShown,
      'shortened',
      `The lists hold the newest ${maxShown} incidents; totals count all.`,
    ],
  ]
  return notes.flatMap(([holds, code, message]) => (holds ? { code, message } : []))
}
