import { z } from 'zod'
import { momentOf } from '#importers/history.ts'
import { historyIn, pastOf } from '#importers/past.ts'
import { bearerClientOf, nextParameter, readPages, statusNamed } from '#importers/reads.ts'
import { record, records, text } from '#importers/shapes.ts'
import type { Source, SourceInput, SourceItem, TheirStatus } from '#importers/source.ts'
import { convertHeartbeat, convertMonitor } from './convert.ts'
import { readOutages } from './outages.ts'

const statusOf = statusNamed({ up: 'up', down: 'down', paused: 'paused' })

export const betterStack: Source = {
  name: 'better-stack',
  title: 'Better Stack',
  reads: 'api',
  baseUrl: 'https://uptime.betterstack.com',
  credential: 'an API token of Uptime',
  carries: [
    'monitors of status, keyword, ping, TCP, SMTP, POP, IMAP and DNS with interval, timeout, confirmation, headers, ' +
      'body, sign-in, certificate and domain expiry',
    'heartbeats as jobs, groups as groups, paused monitors as disabled ones',
    'ping addresses of heartbeats: they count here once their host name leads here',
    'incidents of the last 90 days, at most 100 of a monitor',
  ],
  leavesBehind: [
    'UDP and Playwright monitors',
    'on-call calendars, policies, status pages, maintenance windows',
    'regions and recovery periods: our regions decide by their quorum, and one good run ends an outage',
  ],

  async read(input) {
    const groups = new Map(
      (await list(input, '/api/v2/monitor-groups')).map(({ id, fields }) => [id, text(100).parse(fields.name)]),
    )
    const monitors = await list(input, '/api/v2/monitors')
    const heartbeats = await list(input, '/api/v2/heartbeats')
    const now = Date.now()
    const { past, items } = await pastOf(() => readOutages(input, now, heartbeatId))
    const withPast = (item: SourceItem, { created_at }: Found['fields']): SourceItem => {
      const createdAt = momentOf(text(40).parse(created_at)) || null
      return { ...item, history: historyIn(past, { id: item.sourceId, createdAt, isEnabled: item.isEnabled }, now) }
    }
    return [
      ...monitors.map(({ id, fields }) => withPast(convertMonitor(id, fields, groups), fields)),
      ...heartbeats.map(({ id, fields }) => withPast(convertHeartbeat(heartbeatId(id), fields), fields)),
      ...items,
    ]
  },

  async poll(input) {
    const found = new Map<string, TheirStatus>()
    for (const { id, fields } of await list(input, '/api/v2/monitors'))
      found.set(id, { status: statusOf(text(20).parse(fields.status)) })
    for (const { id, fields } of await list(input, '/api/v2/heartbeats'))
      found.set(heartbeatId(id), { status: statusOf(text(20).parse(fields.status)) })
    return found
  },

  async pause(input, sourceIds) {
    const client = bearerClientOf(input)
    for (const id of sourceIds) {
      const [, heartbeat] = /^heartbeat-(.+)$/.exec(id) ?? []
      const path = heartbeat
        ? `/api/v2/heartbeats/${encodeURIComponent(heartbeat)}`
        : `/api/v2/monitors/${encodeURIComponent(id)}`
      await client.command('PATCH', path, { paused: true })
    }
  },
}

/** Monitors and heartbeats are numbered each for themselves. */
const heartbeatId = (id: string) => `heartbeat-${id}`

const Page = z.object({ data: records.prefault([]), pagination: record.prefault({}) })
interface Found {
  id: string
  fields: Record<string, unknown>
}

async function list(input: SourceInput, path: string): Promise<Found[]> {
  const client = bearerClientOf(input)
  let read = 0
  const pages = await readPages(async cursor => {
    const { data, pagination } = Page.parse(
      record.parse(await client.get(`${path}?page=${encodeURIComponent(cursor ?? '1')}&per_page=250`)),
    )
    read += data.length
    await input.progress(read, null)
    const page = data.map(
      ({ id, attributes }): Found => ({ id: text(60).parse(id) ?? '', fields: record.parse(attributes) }),
    )
    return { page, next: nextParameter(pagination.next, 'page') }
  })
  return pages.flat()
}
