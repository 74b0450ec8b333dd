import type { Exported } from '#contract/export.ts'
import { type Rule, Turns } from '#control-plane/alerting/on-call-schedules/duty.ts'
import { LocalClock } from '#control-plane/alerting/on-call-schedules/local-clock.ts'
import type { Api } from './api.ts'

const dayMs = 86_400_000
const aheadDays = 89
/** Longer than a turn by the clock on the wall. */
const aroundMs = 8 * dayMs

interface Layer {
  rotation_id: string
  shifts: { user_id: string; starts_at: string; ends_at: string }[]
}

/**
 * A schedule whose rotations name their people in the order in which a new schedule has the same person on duty. Here
 * turns go on after people have joined or left; in a new schedule they are counted from the first hand-off.
 */
export async function inOrderOfTurns(api: Api, schedule: Exported, now: Date): Promise<Exported> {
  const rotations = (schedule.rotations ?? []) as Exported[]
  if (rotations.every(({ users }) => Array.isArray(users) && users.length < 2)) return schedule
  const [begin, end] = [now, new Date(now.getTime() + aheadDays * dayMs)].map(date => date.toISOString())
  const { body } = await api.call('GET', `/on-call-schedules/${schedule.id}/preview?from=${begin}&to=${end}`)
  const layers = body.data.layers as Layer[]
  return {
    ...schedule,
    rotations: rotations.map(rotation => {
      // the last one: a change counts from the next hand-off on
      const shift = layers.find(({ rotation_id }) => rotation_id === rotation.id)?.shifts.at(-1)
      return shift ? { ...rotation, users: reordered(ruleOf(schedule, rotation), shift) } : rotation
    }),
  }
}

const ruleOf = ({ timezone }: Exported, { users, handoff, shift_minutes, first_handoff_at }: Exported) =>
  ({
    timezone,
    users,
    handoff,
    shiftMinutes: shift_minutes,
    firstHandoffAt: first_handoff_at,
    restrictions: [],
    startsAt: null,
    endsAt: null,
  }) as Rule

function reordered(rule: Rule, { user_id, starts_at, ends_at }: Layer['shifts'][number]): readonly string[] {
  const { users } = rule
  const place = users.indexOf(user_id)
  const at = Math.floor((Date.parse(starts_at) + Date.parse(ends_at)) / 2)
  const turns = new Turns(rule, new LocalClock(rule.timezone, at - aroundMs, at + aroundMs))
  if (place < 0 || at < turns.firstAt) return users
  const first = (place - (turns.at(at) % users.length) + users.length) % users.length
  return [...users.slice(first), ...users.slice(0, first)]
}
