import { z } from 'zod'
import { momentOf } from '#importers/history.ts'
import { type Past, readPast } from '#importers/past.ts'
import { text } from '#importers/shapes.ts'

/** A record of `GET /v1/incident`. */
export const Incident = z.object({
  id: text(60).prefault(null),
  monitorId: text(60).prefault(null),
  startedAt: text(40).prefault(null),
  resolvedAt: text(40).prefault(null),
})

/** The outages of all monitors in its list of incidents, which has no pages; none says why. */
export const readOutages = (list: () => Promise<Record<string, unknown>[]>): Promise<Past> =>
  readPast(async () => {
    const incidents = (await list()).map(found => Incident.parse(found))
    return {
      page: incidents.map(({ id, monitorId, startedAt, resolvedAt }) => ({
        monitor: monitorId,
        outage: { id, start: momentOf(startedAt), end: resolvedAt === null ? null : momentOf(resolvedAt) },
      })),
      next: null,
    }
  })
