import { z } from 'zod'
import { historyStart, momentOf, type ReadOutage } from '#importers/history.ts'
import { readPast } from '#importers/past.ts'
import { bearerClientOf, nextParameter } from '#importers/reads.ts'
import { number, record, records, text } from '#importers/shapes.ts'
import type { SourceInput } from '#importers/source.ts'

const Incident = z.object({
  id: text(60).prefault(null),
  type: text(30).prefault(null),
  reason: text(300).prefault(null),
  startedAt: text(40).prefault(null),
  resolvedAt: text(40).prefault(null),
  monitor: z
    .object({ id: text(60).prefault(null) })
    .catch({ id: null })
    .prefault({}),
})
const Page = z.object({ data: records.prefault([]), nextLink: text().prefault(null) })

/** The outages of all monitors since ninety days by version 3, which lists the newest first. */
export async function outagesOfThree(input: SourceInput, now: number) {
  const client = bearerClientOf(input)
  const after = encodeURIComponent(new Date(historyStart(now)).toISOString())
  return readPast(async cursor => {
    const further = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
    const asked = `/incidents?limit=100&started_after=${after}${further}`
    const { data, nextLink } = Page.parse(record.parse(await client.get(asked)))
    return {
      page: data.map(found => {
        const { id, type, reason, startedAt, resolvedAt, monitor } = Incident.parse(found)
        const outage = {
          id,
          start: momentOf(startedAt),
          end: resolvedAt === null ? null : momentOf(resolvedAt),
          cause: reason,
        }
        // the others are warnings, such as slow responses
        return { monitor: type === 'Downtime' ? monitor.id : null, outage }
      }),
      next: nextParameter(nextLink, 'cursor'),
    }
  })
}

const Log = z.object({
  id: text(60).prefault(null),
  type: text(10).prefault(null),
  datetime: number.prefault(null),
  duration: number.prefault(null),
  reason: z
    .object({ code: text(20).prefault(null), detail: text(300).prefault(null) })
    .nullable()
    .catch(null)
    .prefault(null),
})
const down = '1'

/** The outages in the log of a monitor of version 2. The last one of a monitor that is down lasts. */
export function outagesOfTwo(found: unknown, isDown: boolean): ReadOutage[] {
  const logs = records
    .parse(record.parse(found).logs)
    .map(log => Log.parse(log))
    .filter(({ type }) => type === down)
    .sort((a, b) => (b.datetime ?? 0) - (a.datetime ?? 0))
  return logs.map(({ id, datetime, duration, reason }, index) => {
    const start = (datetime ?? Number.NaN) * 1_000
    const lasts = isDown && index === 0
    return { id, start, end: lasts ? null : start + (duration ?? 0) * 1_000, cause: reason?.detail ?? null }
  })
}
