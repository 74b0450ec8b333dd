import { z } from 'zod'
import { historyLimits, historyStart } from '#importers/history.ts'
import { historyIn, pastOf } from '#importers/past.ts'
import { accessOf, bearerClientOf, nextParameter, readPages } from '#importers/reads.ts'
import { number, record, records, text } from '#importers/shapes.ts'
import { type Source, SourceError, type SourceInput } from '#importers/source.ts'
import { convert, ofThree, ofTwo, type Robot } from './convert.ts'
import { outagesOfThree } from './outages.ts'

export const uptimeRobot: Source = {
  name: 'uptimerobot',
  title: 'UptimeRobot',
  reads: 'api',
  baseUrl: 'https://api.uptimerobot.com/v3',
  credential: 'an API key of the account; a read-only one is enough, unless its monitors are to be paused',
  carries: [
    'monitors of type HTTP, keyword, ping, port, DNS and heartbeat with interval, timeout, method, headers, body, ' +
      'statuses, sign-in, tags, certificate reminders',
    'paused monitors as disabled ones',
    'incidents of the last 90 days, at most 100 of a monitor',
  ],
  leavesBehind: [
    'assertions of API monitors, UDP monitors, sign-in by digest',
    'alert contacts, status pages and maintenance windows',
    'response times of the past',
  ],

  async read(input) {
    const now = Date.now()
    const isOld = isTwo(accessOf(input).base)
    const robots = isOld ? await readTwo(input, now) : await readThree(input)
    const { past, items } = isOld
      ? { past: { byMonitor: new Map(robots.map(({ id, outages }) => [id ?? '', outages])), since: null }, items: [] }
      : await pastOf(() => outagesOfThree(input, now))
    const withPast = (robot: Robot) => {
      const item = convert(robot)
      const { createdAt } = robot
      const monitor = { id: robot.id ?? '', createdAt, isEnabled: item.isEnabled }
      return { ...item, history: historyIn(past, monitor, now) }
    }
    return [...robots.map(withPast), ...items]
  },

  async poll(input) {
    const robots = await readRobots(input)
    return new Map(
      robots.map(({ id, status, sinceS, reason }) => [
        id ?? '',
        {
          status,
          reason: status === 'down' ? reason : null,
          since: sinceS === null ? null : new Date(Date.now() - sinceS * 1_000).toISOString(),
        },
      ]),
    )
  },

  async pause(input, sourceIds) {
    if (isTwo(accessOf(input).base)) {
      const { ask } = two(input)
      for (const id of sourceIds) await ask('editMonitor', { id, status: '0' })
      return
    }
    const client = bearerClientOf(input)
    for (const id of sourceIds) await client.command('POST', `/monitors/${encodeURIComponent(id)}/pause`, {})
  },
}

/** The API of version 2 stands beside that of version 3, and old installations name it. */
const isTwo = (base: string) => /\/v2\/?$/.test(base)

const readRobots = (input: SourceInput): Promise<Robot[]> =>
  isTwo(accessOf(input).base) ? readTwo(input) : readThree(input)

const PageOfThree = z.object({
  data: records.prefault([]),
  nextLink: text().prefault(null),
  nextCursorId: text(60).prefault(null),
})

async function readThree(input: SourceInput): Promise<Robot[]> {
  const client = bearerClientOf(input)
  let read = 0
  const pages = await readPages(async cursor => {
    const asked = cursor === null ? '/monitors' : `/monitors?cursor=${encodeURIComponent(cursor)}`
    const { data, nextLink, nextCursorId } = PageOfThree.parse(record.parse(await client.get(asked)))
    read += data.length
    await input.progress(read, null)
    return { page: data.map(ofThree), next: nextCursorId ?? nextParameter(nextLink, 'cursor') }
  })
  return pages.flat()
}

const PageOfTwo = z.object({
  stat: text(10).prefault(null),
  error: z
    .object({ type: text(60).prefault(null) })
    .nullable()
    .catch(null)
    .prefault(null),
  monitors: records.prefault([]),
  pagination: z
    .object({ total: number.prefault(null) })
    .catch({ total: null })
    .prefault({}),
})
/** The most that version 2 gives at once. */
const pageOfTwo = 50

function two(input: SourceInput) {
  const { key, base } = accessOf(input)
  const ask = async (method: string, fields: Record<string, string>) => {
    const answer = await input.reach.json(`${base.replace(/\/+$/, '')}/${method}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ api_key: key, format: 'json', ...fields }).toString(),
    })
    const page = PageOfTwo.parse(record.parse(answer))
    // it answers with status 200 whatever is wrong
    if (page.stat !== 'ok') throw new SourceError(`UptimeRobot refuses: ${meaningOf(page.error?.type ?? null)}`)
    return page
  }
  return { ask }
}

const meanings: Record<string, string> = {
  invalid_parameter: 'the key is not valid.',
  missing_parameter: 'the key is missing.',
  not_authorized: 'the key may not do this.',
}
const meaningOf = (type: string | null) => meanings[type ?? ''] ?? 'it did not say why.'

/** With the outages since ninety days, where `pastUntil` is given. */
async function readTwo(input: SourceInput, pastUntil?: number): Promise<Robot[]> {
  const { ask } = two(input)
  let read = 0
  const pages = await readPages(async cursor => {
    const offset = Number(cursor ?? '0')
    const { monitors, pagination } = await ask('getMonitors', {
      offset: String(offset),
      limit: String(pageOfTwo),
      http_request_details: '1',
      custom_http_headers: '1',
      timeouts: '1',
      ...(pastUntil !== undefined && {
        ...{ logs: '1', log_types: '1', logs_limit: String(historyLimits.incidents + 1) },
        logs_start_date: String(Math.floor(historyStart(pastUntil) / 1_000)),
        logs_end_date: String(Math.ceil(pastUntil / 1_000)),
      }),
    })
    read += monitors.length
    await input.progress(read, pagination.total)
    const isMore = monitors.length > 0 && offset + pageOfTwo < (pagination.total ?? 0)
    return { page: monitors.map(ofTwo), next: isMore ? String(offset + pageOfTwo) : null }
  })
  return pages.flat()
}
