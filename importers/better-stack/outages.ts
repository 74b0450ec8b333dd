import { z } from 'zod'
import { historyStart, momentOf } from '#importers/history.ts'
import { readPast } from '#importers/past.ts'
import { bearerClientOf, nextParameter } from '#importers/reads.ts'
import { record, records, text } from '#importers/shapes.ts'
import type { SourceInput } from '#importers/source.ts'

const Page = z.object({ data: records.prefault([]), pagination: record.prefault({}) })
const of = z
  .object({ data: z.object({ id: text(60) }) })
  .transform(({ data }) => data.id)
  .nullable()
  .catch(null)
  .prefault(null)
const Incident = z.object({
  id: text(60).prefault(null),
  attributes: record.prefault({}),
  relationships: record.prefault({}),
})
const Attributes = z.object({
  started_at: text(40).prefault(null),
  resolved_at: text(40).prefault(null),
  cause: text(300).prefault(null),
})
const Relationships = z.object({ monitor: of, heartbeat: of })

/** The incidents of all monitors and heartbeats since ninety days, the newest first. */
export async function readOutages(input: SourceInput, now: number, heartbeatId: (id: string) => string) {
  const client = bearerClientOf(input)
  const from = new Date(historyStart(now)).toISOString().slice(0, 10)
  return readPast(async cursor => {
    const page = encodeURIComponent(cursor ?? '1')
    const { data, pagination } = Page.parse(
      record.parse(await client.get(`/api/v2/incidents?from=${from}&page=${page}&per_page=50`)),
    )
    return {
      page: data.map(found => {
        const { id, attributes, relationships } = Incident.parse(found)
        const { started_at, resolved_at, cause } = Attributes.parse(attributes)
        const { monitor, heartbeat } = Relationships.parse(relationships)
        return {
          monitor: monitor ?? (heartbeat === null ? null : heartbeatId(heartbeat)),
          outage: { id, start: momentOf(started_at), end: resolved_at === null ? null : momentOf(resolved_at), cause },
        }
      }),
      next: nextParameter(pagination.next, 'page'),
    }
  })
}
