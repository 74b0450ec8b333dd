import { isDeepStrictEqual } from 'node:util'
import { personOf, type Rule, Turns, type Version } from './duty.ts'
import { LocalClock } from './local-clock.ts'

/** Longer than a turn by the clock on the wall. */
const aroundMs = 8 * 86_400_000

type IsPresent = (userId: string) => boolean

/**
 * The versions of a rotation whose rule is, at `at`, another than the last of them says.
 *
 * The past stays, and so does the turn that is running: the rule counts from the next hand-off on, and the turns go on
 * with the person after the one who is on duty. A first hand-off that is moved beyond it is waited for, and begins with
 * the first person. At once counts what leaves no turn running: a person on duty who is not present any more (the next
 * one takes over), other dates of the whole rotation, and any change while no person has a turn.
 */
export function changeRule(
  versions: readonly Version[],
  rule: Rule,
  at: number,
  isPresent: IsPresent,
): readonly Version[] {
  const last = versions.at(-1)
  if (!last) return [{ ...rule, from: -Infinity, turn: 0, first: 0 }]
  let changed: readonly Version[] = versions.filter(({ from }) => from <= at)
  const before = changed.at(-1)
  // a moment before all that is given
  if (!before) return versions
  // most are asked without a change: turns, which need the clock of the zone, are not computed then
  if (isSame(last, rule) && (before.users.every(isPresent) || !isOnDutyAbsent(versions, at, isPresent))) return versions
  if (before.startsAt !== rule.startsAt || before.endsAt !== rule.endsAt)
    changed = begin(changed, { ...before, startsAt: rule.startsAt, endsAt: rule.endsAt, from: at })
  changed = withoutAbsent(changed, at, isPresent)
  const current = changed.at(-1)!
  if (isSame(current, rule)) return changed
  const running = turnAt(changed, at)
  if (!running) return begin(changed, { ...rule, ...countOn(current, rule), from: at })
  const { firstAt } = turnsAround(rule, at)
  if (firstAt < running.to || (firstAt === running.to && current.firstHandoffAt === rule.firstHandoffAt)) {
    const first = placeOfNext(running, rule.users)
    const from = running.to
    const counts = areTurnsSame(current, rule) ? countOn(current, rule) : { turn: firstTurn(rule, from), first }
    return begin(changed, { ...rule, ...counts, from })
  }
  return begin(changed, { ...rule, turn: 0, first: 0, from: firstAt })
}

/** Takes people who are not present out of the last version: from now on, or after the turn of another person. */
function withoutAbsent(versions: readonly Version[], at: number, isPresent: IsPresent): readonly Version[] {
  const last = versions.at(-1)!
  const users = last.users.filter(isPresent)
  const running = turnAt(versions, at)
  if (!running || users.length === last.users.length) return versions
  const from = isPresent(running.person) ? running.to : at
  return begin(versions, { ...last, users, from, turn: firstTurn(last, from), first: placeOfNext(running, users) })
}

function isOnDutyAbsent(versions: readonly Version[], at: number, isPresent: IsPresent): boolean {
  const running = turnAt(versions, at)
  return running !== undefined && !isPresent(running.person)
}

interface Turn {
  person: string
  /** All people, in their order. */
  users: readonly string[]
  /** When the turn ends, in milliseconds since 1970. */
  to: number
}

/** The turn that is running at an instant; undefined while no person has one. */
function turnAt(versions: readonly Version[], at: number): Turn | undefined {
  const version = versions.findLast(({ from }) => from <= at)
  if (!version || version.users.length === 0) return
  if (at < (version.startsAt ?? -Infinity) || at >= (version.endsAt ?? Infinity)) return
  const turns = turnsAround(version, at)
  if (at < turns.firstAt) return
  const turn = turns.at(at)
  return { person: personOf(version, turn), users: version.users, to: turns.beginOf(turn + 1) }
}

const turnsAround = (rule: Rule, at: number) =>
  new Turns(rule, new LocalClock(rule.timezone, at - aroundMs, at + aroundMs))

/** The turn that the first person of a version has: a rest of less than half a turn is added to the whole one after. */
function firstTurn(rule: Rule, from: number): number {
  const turns = turnsAround(rule, from)
  const turn = turns.at(from)
  return turns.beginOf(turn + 1) - from < turns.length / 2 ? turn + 1 : turn
}

/** Where the person after the one on duty stands in another list. */
function placeOfNext({ person, users }: Turn, others: readonly string[]): number {
  if (others.length === 0) return 0
  const place = others.indexOf(person)
  if (place >= 0) return (place + 1) % others.length
  const own = users.indexOf(person)
  const after = [...users.slice(own + 1), ...users.slice(0, own)]
  return Math.max(0, others.indexOf(after.find(user => others.includes(user)) ?? ''))
}

const countOn = (current: Version, rule: Rule) =>
  areTurnsSame(current, rule) ? { turn: current.turn, first: current.first } : { turn: 0, first: 0 }

const turnParts = ({ timezone, users, handoff, shiftMinutes, firstHandoffAt }: Rule) => {
  return { timezone, users, handoff, shiftMinutes, firstHandoffAt }
}
const partsOf = ({ restrictions, startsAt, endsAt, ...rule }: Rule) => {
  return { ...turnParts({ restrictions, startsAt, endsAt, ...rule }), restrictions, startsAt, endsAt }
}
const areTurnsSame = (one: Rule, other: Rule) => isDeepStrictEqual(turnParts(one), turnParts(other))
const isSame = (one: Rule, other: Rule) => isDeepStrictEqual(partsOf(one), partsOf(other))

const begin = (versions: readonly Version[], next: Version): readonly Version[] => [
  ...versions.filter(({ from }) => from < next.from),
  next,
]
