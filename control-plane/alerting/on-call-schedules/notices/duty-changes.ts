import { dutiesOf, type Schedule } from '#control-plane/alerting/on-call-schedules/duty.ts'
import type { Gap } from './gaps.ts'

const dayMs = 86_400_000
/** How far ahead people are mailed of changes of their shifts. */
export const noticeDays = 14

export interface DutyChange {
  gained: Gap[]
  lost: Gap[]
}

/**
 * What a change of a schedule gives to each person and takes away, of the days ahead. What changes at once is a
 * hand-over, and left out.
 */
export function changesOfDuty(before: Schedule, after: Schedule, now: number): Map<string, DutyChange> {
  const end = now + noticeDays * dayMs
  const [old, next] = [before, after].map(schedule => dutiesOf(schedule, now, end))
  const edges = [...new Set([...old!, ...next!].map(({ from }) => from))].toSorted((a, b) => a - b)
  const changes = new Map<string, DutyChange>()
  const note = (user: string | null, side: keyof DutyChange, span: Gap) => {
    if (user === null) return
    const change = changes.get(user) ?? { gained: [], lost: [] }
    changes.set(user, change)
    const last = change[side].at(-1)
    if (last?.to === span.from) last.to = span.to
    else change[side].push({ ...span })
  }
  let [place, nextPlace] = [0, 0]
  for (const [index, from] of edges.entries()) {
    const to = edges[index + 1] ?? end
    while (old![place]!.to <= from) place++
    while (next![nextPlace]!.to <= from) nextPlace++
    const [was, is] = [old![place]!.userId, next![nextPlace]!.userId]
    if (was === is) continue
    note(was, 'lost', { from, to })
    note(is, 'gained', { from, to })
  }
  const isAhead = ({ from }: Gap) => from > now
  const ahead = new Map<string, DutyChange>()
  for (const [user, change] of changes) {
    const [gained, lost] = [change.gained.filter(isAhead), change.lost.filter(isAhead)]
    if (gained.length + lost.length > 0) ahead.set(user, { gained, lost })
  }
  return ahead
}
