import { z } from 'zod'
import { historyStart, momentOf } from '#importers/history.ts'
import { withPastOfEach } from '#importers/past.ts'
import { bearerClientOf, named, readPages, statusNamed } from '#importers/reads.ts'
import { number, record, records, text } from '#importers/shapes.ts'
import { type Source, SourceError, type SourceInput, type SourceItem, type TheirStatus } from '#importers/source.ts'
import {
  convertContactGroup,
  convertHeartbeat,
  convertPagespeed,
  convertSsl,
  convertUptime,
  convertWindow,
} from './convert.ts'

const statusOf = statusNamed({ up: 'up', down: 'down' })

export const statusCake: Source = {
  name: 'statuscake',
  title: 'StatusCake',
  reads: 'api',
  baseUrl: 'https://api.statuscake.com/v1',
  credential: 'an API token of the account',
  carries: [
    'uptime checks of type HTTP, HEAD, TCP, SMTP, SSH, DNS and ping with interval, timeout, delay, headers, payload, ' +
      'texts, statuses, redirects, tags, certificate alerts',
    'certificate checks with their days, heartbeats as jobs, page speed checks as Lighthouse audits, paused checks ' +
      'as disabled ones',
    'outages of the last 90 days, at most 100 of an uptime check, of as many checks as its bound of requests allows',
  ],
  leavesBehind: [
    'user names and passwords, which its API does not show',
    'confirmation servers and locations: our regions decide by their quorum',
    'ping addresses: each job gets a new one, to which its machine must send',
    'contact groups and maintenance windows (named), outages of heartbeats and response times of the past',
  ],

  async read(input) {
    const client = bearerClientOf(input)
    const found = await list(input, '/uptime')
    if (found.length > mostChecks)
      throw new SourceError(
        `StatusCake has ${found.length} uptime checks: more than the ${mostChecks} that are read of it.`,
      )
    const items: SourceItem[] = []
    for (const { id, fields } of found) {
      // the list says neither what is sent nor what is expected
      const answer = id === '' ? { data: fields } : record.parse(await client.get(`/uptime/${encodeURIComponent(id)}`))
      items.push(convertUptime(id, record.parse(answer.data)))
      await input.progress(items.length, found.length)
    }
    for (const { id, fields } of await list(input, '/heartbeat'))
      items.push(convertHeartbeat(idOf.heartbeat(id), fields))
    for (const { id, fields } of await list(input, '/ssl')) items.push(convertSsl(idOf.ssl(id), fields))
    for (const { id, fields } of await list(input, '/pagespeed'))
      items.push(convertPagespeed(idOf.pagespeed(id), fields))
    const groups = { kind: 'channel', sourceKind: 'contact group', name: 'Contact groups' } as const
    const windows = { kind: 'maintenance', sourceKind: 'maintenance window', name: 'Maintenance windows' } as const
    const lists = [
      ...(await named(groups, async () =>
        (await list(input, '/contact-groups')).map(({ id, fields }) => convertContactGroup(id, fields)),
      )),
      ...(await named(windows, async () =>
        (await list(input, '/maintenance-windows')).map(({ id, fields }) => convertWindow(id, fields)),
      )),
    ]
    // its other kinds list no outages
    const [uptime, others] = [items.slice(0, found.length), items.slice(found.length)]
    return [...(await withPastOfEach(input, uptime, (id, now) => readPeriods(input, id, now))), ...others, ...lists]
  },

  async poll(input) {
    const found = new Map<string, TheirStatus>()
    for (const { id, fields } of await list(input, '/uptime')) found.set(id, shown(fields))
    for (const { id, fields } of await list(input, '/heartbeat')) found.set(idOf.heartbeat(id), shown(fields))
    return found
  },

  async pause(input, sourceIds) {
    const client = bearerClientOf(input)
    for (const sourceId of sourceIds) {
      const [, kind = 'uptime', id = sourceId] = /^(heartbeat|ssl|pagespeed)-(.+)$/.exec(sourceId) ?? []
      await client.command('PUT', `/${kind}/${encodeURIComponent(id)}`, new URLSearchParams({ paused: 'true' }))
    }
  },
}

const Period = z.object({
  status: text(20).prefault(null),
  created_at: text(40).prefault(null),
  ended_at: text(40).prefault(null),
})

/** The newest hundred spans of one status each of an uptime check, at most since ninety days. */
async function readPeriods(input: SourceInput, id: string, now: number) {
  const after = Math.floor(historyStart(now) / 1_000)
  const path = `/uptime/${encodeURIComponent(id)}/periods?limit=${pageOf}&after=${after}`
  const periods = records
    .parse(record.parse(await bearerClientOf(input).get(path)).data)
    .map(found => Period.parse(found))
    .map(({ status, created_at, ended_at }) => ({
      isDown: status === 'down',
      start: momentOf(created_at),
      end: ended_at === null ? null : momentOf(ended_at),
    }))
    .filter(({ start }) => Number.isFinite(start))
  return {
    outages: periods.filter(({ isDown }) => isDown).map(({ start, end }) => ({ id: null, start, end })),
    since: periods.length > 0 ? Math.min(...periods.map(({ start }) => start)) : null,
  }
}

/** Each uptime check is asked for by itself, and so many requests of one source there are. */
const mostChecks = 450

/** Checks of each kind are numbered for themselves. */
const idOf = {
  heartbeat: (id: string) => `heartbeat-${id}`,
  ssl: (id: string) => `ssl-${id}`,
  pagespeed: (id: string) => `pagespeed-${id}`,
}

const shown = ({ status, paused }: Record<string, unknown>): TheirStatus => ({
  status: paused === true ? 'paused' : statusOf(text(20).parse(status)),
})

const Page = z.object({
  data: records.prefault([]),
  metadata: z
    .object({ page: number.prefault(null), page_count: number.prefault(null) })
    .catch({ page: null, page_count: null })
    .prefault({}),
})
interface Found {
  id: string
  fields: Record<string, unknown>
}

/** The most that a request gives. */
const pageOf = 100

async function list(input: SourceInput, path: string): Promise<Found[]> {
  const client = bearerClientOf(input)
  let read = 0
  const pages = await readPages(async cursor => {
    const asked = Number(cursor ?? '1')
    const { data, metadata } = Page.parse(record.parse(await client.get(`${path}?page=${asked}&limit=${pageOf}`)))
    read += data.length
    await input.progress(read, null)
    const page = data.map(({ id, ...fields }): Found => ({ id: text(60).parse(id) ?? '', fields }))
    // the page that it says this is, so that a source that answers with one page for ever ends
    const at = metadata.page ?? asked
    return { page, next: data.length > 0 && at < (metadata.page_count ?? 0) ? String(at + 1) : null }
  })
  return pages.flat()
}
