import type { SuppressionRules } from '#control-plane/engine/suppression/rules.ts'
import { flapsSince, outageSwing, type Swing } from '#control-plane/engine/suppression/swings.ts'
import type { Stretch } from './moments.ts'
import type { Course, Replayed } from './replay.ts'

/** Who kept an incident's alerts from people for a while, or for good. */
export const holders = ['flapping', 'snooze', 'storm', 'maintenance'] as const
export type Holder = (typeof holders)[number]

/** What would have been told of an incident. `toldAt` null: that it began, and so that it ended, would have been kept from people. */
export interface Told {
  heldBy: Holder | null
  toldAt: number | null
}

/** A time in which a monitor flaps, and when people hear that it does; null: never, as its check was snoozed. */
export interface Flaps {
  toldAt: number | null
  endedAt: number | null
}

/** What came of a check by some settings. */
export interface CheckCourse {
  check: string
  course: Course
}

interface Known {
  /** When nobody was to be told of a check. */
  snoozes: ReadonlyMap<string, readonly Stretch[]>
  rules: SuppressionRules['flapping']
  to: number
}

interface Move {
  at: number
  check: string
  opens?: Replayed
  ends?: Replayed
}

/** The first moment from `at` on in which a check is not snoozed. */
function loudFrom(snoozes: readonly Stretch[], at: number): number {
  let moment = at
  for (const { from, to } of snoozes) if (moment >= from && moment < to) moment = to
  return moment
}

/** What moved on a check of late, as far as it counts towards flapping. */
class Recent {
  readonly #outages = new Map<Replayed, Swing>()
  readonly #turned: readonly number[]
  #first = 0

  constructor({ turned }: Course) {
    this.#turned = turned
  }

  note(incident: Replayed, isOver: boolean): void {
    this.#outages.set(incident, outageSwing(incident.startedAt, isOver))
  }

  outages(since: number): Swing[] {
    for (const [incident, { at }] of this.#outages) if (at <= since) this.#outages.delete(incident)
    return [...this.#outages.values()]
  }

  /** Turns to a warning and to being well: each counts where it is a warning that moves. */
  turns(since: number, until: number): Swing[] {
    while (this.#first < this.#turned.length && this.#turned[this.#first]! <= since) this.#first++
    const swings: Swing[] = []
    for (let next = this.#first; next < this.#turned.length && this.#turned[next]! <= until; next++)
      swings.push(outageSwing(this.#turned[next]!, false))
    return swings
  }
}

interface Spell extends Flaps {
  check: string
  begunAt: number
  lastMovedAt: number
}

/** Goes through what came of a monitor’s checks, and tells which alerts flapping would have gathered and a snooze kept. */
export function alertsOf(
  courses: readonly CheckCourse[],
  { snoozes, rules, to }: Known,
): { told: Map<Replayed, Told>; flaps: Flaps[] } {
  const loud = (check: string, at: number) => loudFrom(snoozes.get(check) ?? [], at)
  const recent = new Map(courses.map(({ check, course }) => [check, new Recent(course)]))
  const told = new Map<Replayed, Told>()
  const flaps: Spell[] = []
  const spellAt = (at: number) => {
    const last = flaps.at(-1)
    if (!last || last.endedAt !== null) return undefined
    const calmAt = last.lastMovedAt + rules.calmS * 1_000
    if (at < calmAt) return last
    last.endedAt = calmAt
    return undefined
  }
  for (const { at, check, opens, ends } of movesOf(courses)) {
    const spell = spellAt(at)
    if (spell) spell.lastMovedAt = at
    const moved = recent.get(check)!
    if (opens) {
      moved.note(opens, false)
      const toldAt = loud(check, spell ? at + rules.releaseAfterS * 1_000 : at)
      const isKept = toldAt > at && (toldAt >= to || (opens.endedAt !== null && opens.endedAt <= toldAt))
      told.set(opens, { heldBy: spell ? 'flapping' : toldAt > at ? 'snooze' : null, toldAt: isKept ? null : toldAt })
      continue
    }
    if (ends) moved.note(ends, true)
    const since = at - rules.withinS * 1_000
    if (!spell && flapsSince(ends ? moved.outages(since) : moved.turns(since, at), rules, at) !== null)
      flaps.push({ check, begunAt: at, lastMovedAt: at, toldAt: null, endedAt: null })
  }
  spellAt(to)
  for (const spell of flaps) {
    const toldAt = loud(spell.check, spell.begunAt)
    if (toldAt < (spell.endedAt ?? to)) spell.toldAt = toldAt
  }
  return { told, flaps }
}

const movesOf = (courses: readonly CheckCourse[]): Move[] =>
  courses
    .flatMap(({ check, course: { incidents, warned } }): Move[] => [
      ...incidents.flatMap((incident): Move[] => [
        { at: incident.confirmedAt, check, opens: incident },
        ...(incident.endedAt === null ? [] : [{ at: incident.endedAt, check, ends: incident }]),
      ]),
      ...warned.map(at => ({ at, check })),
    ])
    .sort((a, b) => a.at - b.at)
