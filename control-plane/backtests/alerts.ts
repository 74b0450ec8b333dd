import type { SuppressionRules } from '#control-plane/engine/suppression/rules.ts'
import { flapsSince, outageSwing, type Swing } from '#control-plane/engine/suppression/swings.ts'
import type { Interval } from './moments.ts'
import type { ReplayedIncident, Timeline } from './replay.ts'

/** What can suppress the alerts of an incident, for a while or for good. */
export const suppressionCauses = ['flapping', 'snooze', 'storm', 'host', 'maintenance', 'shadow'] as const
export type SuppressionCause = (typeof suppressionCauses)[number]

/** When people would have been notified of an incident; `notifiedAt` null: neither of its beginning nor of its end. */
export interface IncidentNotification {
  suppressedBy: SuppressionCause | null
  notifiedAt: number | null
}

/** A time in which a monitor flaps, and when people are notified of it; null: never, as its check was snoozed. */
export interface FlappingInterval {
  notifiedAt: number | null
  endedAt: number | null
}

/** The timeline of one check by some settings. */
export interface CheckTimeline {
  check: string
  timeline: Timeline
}

interface AlertContext {
  /** When each check was snoozed. */
  snoozes: ReadonlyMap<string, readonly Interval[]>
  /** When the monitor was in maintenance. */
  maintenance: readonly Interval[]
  rules: SuppressionRules['flapping']
  to: number
}

interface TimelineEvent {
  at: number
  check: string
  opens?: ReplayedIncident
  ends?: ReplayedIncident
}

/** The first moment from `at` on in which a check is not snoozed. */
function unsnoozedFrom(snoozes: readonly Interval[], at: number): number {
  let moment = at
  for (const { from, to } of snoozes) if (moment >= from && moment < to) moment = to
  return moment
}

/** The recent changes of a check that count towards flapping. */
class Recent {
  readonly #outages = new Map<ReplayedIncident, Swing>()
  readonly #turned: readonly number[]
  #first = 0

  constructor({ turned }: Timeline) {
    this.#turned = turned
  }

  note(incident: ReplayedIncident, isOver: boolean): void {
    this.#outages.set(incident, outageSwing(incident.startedAt, isOver))
  }

  outages(since: number): Swing[] {
    for (const [incident, { at }] of this.#outages) if (at <= since) this.#outages.delete(incident)
    return [...this.#outages.values()]
  }

  /** Changes of verdict to warning and to up: each counts when a warning begins or clears. */
  turns(since: number, until: number): Swing[] {
    while (this.#first < this.#turned.length && this.#turned[this.#first]! <= since) this.#first++
    const swings: Swing[] = []
    for (let next = this.#first; next < this.#turned.length && this.#turned[next]! <= until; next++)
      swings.push(outageSwing(this.#turned[next]!, false))
    return swings
  }
}

interface OpenFlapping extends FlappingInterval {
  check: string
  begunAt: number
  lastMovedAt: number
}

/** Which alerts of a monitor’s checks flapping would have grouped, and maintenance or a snooze suppressed. */
export function alertsOf(
  timelines: readonly CheckTimeline[],
  { snoozes, maintenance, rules, to }: AlertContext,
): { notifications: Map<ReplayedIncident, IncidentNotification>; flappings: FlappingInterval[] } {
  const unsnoozedAt = (check: string, at: number) => unsnoozedFrom(snoozes.get(check) ?? [], at)
  const recent = new Map(timelines.map(({ check, timeline }) => [check, new Recent(timeline)]))
  const notifications = new Map<ReplayedIncident, IncidentNotification>()
  const flappings: OpenFlapping[] = []
  const flappingAt = (at: number) => {
    const last = flappings.at(-1)
    if (!last || last.endedAt !== null) return undefined
    const calmAt = last.lastMovedAt + rules.calmS * 1_000
    if (at < calmAt) return last
    last.endedAt = calmAt
    return undefined
  }
  for (const { at, check, opens, ends } of eventsOf(timelines)) {
    const flapping = flappingAt(at)
    if (flapping) flapping.lastMovedAt = at
    const moved = recent.get(check)!
    const window = maintenance.find(({ from, to }) => at >= from && at < to)
    if (opens) {
      // what begins in maintenance does not count towards flapping
      if (!window) moved.note(opens, false)
      const notifiedAt = unsnoozedAt(check, window ? window.to : flapping ? at + rules.releaseAfterS * 1_000 : at)
      const isKept = notifiedAt > at && (notifiedAt >= to || (opens.endedAt !== null && opens.endedAt <= notifiedAt))
      notifications.set(opens, {
        suppressedBy: window ? 'maintenance' : flapping ? 'flapping' : notifiedAt > at ? 'snooze' : null,
        notifiedAt: isKept ? null : notifiedAt,
      })
      continue
    }
    if (ends && notifications.get(ends)?.suppressedBy !== 'maintenance') moved.note(ends, true)
    if (window) continue
    const since = at - rules.withinS * 1_000
    if (!flapping && flapsSince(ends ? moved.outages(since) : moved.turns(since, at), rules, at) !== null)
      flappings.push({ check, begunAt: at, lastMovedAt: at, notifiedAt: null, endedAt: null })
  }
  flappingAt(to)
  for (const flapping of flappings) {
    const notifiedAt = unsnoozedAt(flapping.check, flapping.begunAt)
    if (notifiedAt < (flapping.endedAt ?? to)) flapping.notifiedAt = notifiedAt
  }
  return { notifications, flappings }
}

const eventsOf = (timelines: readonly CheckTimeline[]): TimelineEvent[] =>
  timelines
    .flatMap(({ check, timeline: { incidents, warned } }): TimelineEvent[] => [
      ...incidents.flatMap((incident): TimelineEvent[] => [
        { at: incident.confirmedAt, check, opens: incident },
        ...(incident.endedAt === null ? [] : [{ at: incident.endedAt, check, ends: incident }]),
      ]),
      ...warned.map(at => ({ at, check })),
    ])
    .sort((a, b) => a.at - b.at)
