import { z } from 'zod'
import { historyStart, momentOf, type ReadOutage } from '#importers/history.ts'
import { text } from '#importers/shapes.ts'

const Downtime = z.object({
  id: text(60).prefault(null),
  started_at: text(40).prefault(null),
  ended_at: text(40).prefault(null),
  notes_markdown: text(300).prefault(null),
})

/** A moment as its filters have it: `20261128093000`, in UTC. */
const written = (at: number) => new Date(at).toISOString().replace(/\D/g, '').slice(0, 14)

/** The filters for what was down since ninety days. */
export const sinceNinetyDays = (now: number): string =>
  `filter%5Bstarted_at%5D=${written(historyStart(now))}&filter%5Bended_at%5D=${written(now)}`

/** A record of the downtime of a monitor: its notes are those of a person. */
export function outageOf(found: Record<string, unknown>): ReadOutage {
  const { id, started_at, ended_at, notes_markdown } = Downtime.parse(found)
  return {
    id,
    start: momentOf(started_at),
    end: ended_at === null ? null : momentOf(ended_at),
    cause: notes_markdown,
  }
}
