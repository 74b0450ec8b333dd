import { historyIn, pastOf } from '#importers/past.ts'
import { accessOf, clientOf, named } from '#importers/reads.ts'
import { flag, leftOut, record, records, text } from '#importers/shapes.ts'
import type { Source, SourceInput, SourceItem, TheirStatus } from '#importers/source.ts'
import { convertMonitor, Monitor } from './convert.ts'
import { Incident, readOutages } from './outages.ts'

export const openstatus: Source = {
  name: 'openstatus',
  title: 'openstatus',
  reads: 'api',
  baseUrl: 'https://api.openstatus.dev/v1',
  credential: 'an API key of the workspace',
  carries: [
    'HTTP, TCP, ICMP and DNS monitors with interval, timeout, retries, method, headers, body, redirects, limit of ' +
      'degradation',
    'assertions on status, headers, text, JSON and DNS records; monitors that are not active as disabled ones',
    'incidents of the last 90 days, at most 100 of a monitor',
  ],
  leavesBehind: [
    'regions (named), assertions that compare the order of texts or the absence of DNS records, OpenTelemetry',
    'status pages, status reports, maintenance, notifications (named), response times of the past',
  ],

  async read(input) {
    const monitors = await list(input, '/monitor')
    const now = Date.now()
    const { past, items: unread } = await pastOf(() => readOutages(() => list(input, '/incident')))
    const withPast = (item: SourceItem): SourceItem => ({
      ...item,
      // since when it is watched its API does not say
      history: historyIn(past, { id: item.sourceId, createdAt: null, isEnabled: item.isEnabled }, now),
    })
    const items = [...monitors.map(convertMonitor).map(withPast), ...unread]
    for (const each of besides) items.push(...(await named(each, () => readBesides(input, each))))
    return items
  },

  /** Its monitors do not say how they are; an incident that is not resolved does. */
  async poll(input) {
    const monitors = (await list(input, '/monitor')).map(found => Monitor.parse(found))
    const open = new Map<string, string | null>()
    for (const found of await list(input, '/incident')) {
      const { monitorId, startedAt, resolvedAt } = Incident.parse(found)
      if (monitorId !== null && resolvedAt === null) open.set(monitorId, startedAt)
    }
    return new Map(
      monitors.map(({ id, active }): [string, TheirStatus] => {
        const since = open.get(id ?? '')
        if (active === false) return [id ?? '', { status: 'paused' }]
        return [id ?? '', since === undefined ? { status: 'up' } : { status: 'down', since }]
      }),
    )
  },

  /**
   * A monitor is sent back as it was read but for `active`: fields that an update does not name have been set to their
   * defaults.
   */
  async pause(input, sourceIds) {
    const client = clientFor(input)
    for (const id of sourceIds) {
      const path = `/monitor/${encodeURIComponent(id)}`
      const { id: _, ...monitor } = record.parse(await client.get(path))
      if (flag.parse(monitor.active) !== false) await client.command('PUT', path, { ...monitor, active: false })
    }
  },
}

function clientFor(input: SourceInput) {
  const { key, base } = accessOf(input)
  return clientOf(input.reach, base, { 'x-openstatus-key': key })
}

/** All records of a list: the API has no pages. */
async function list(input: SourceInput, path: string): Promise<Record<string, unknown>[]> {
  const found = records.parse(await clientFor(input).get(path))
  await input.progress(found.length, found.length)
  return found
}

const besides = [
  {
    kind: 'status_page',
    sourceKind: 'status page',
    name: 'Status pages',
    path: '/page',
    reason: 'Status pages are not carried over: create one with the imported monitors as components.',
  },
  {
    kind: 'other',
    sourceKind: 'status report',
    name: 'Status reports',
    path: '/status_report',
    reason: 'Status reports are not carried over: publish them on a status page.',
  },
  {
    kind: 'maintenance',
    sourceKind: 'maintenance',
    name: 'Maintenance',
    path: '/maintenance',
    reason: 'Maintenance windows are not carried over: create one for the imported monitors.',
  },
  {
    kind: 'channel',
    sourceKind: 'notification',
    name: 'Notifications',
    path: '/notification',
    reason: 'Channels are not carried over: their secrets stay where they are. Create a channel of this kind.',
  },
] as const

async function readBesides(
  input: SourceInput,
  { kind, sourceKind, path, reason }: (typeof besides)[number],
): Promise<SourceItem[]> {
  return (await list(input, path)).map(({ id, title, name }) =>
    leftOut(
      {
        kind,
        sourceId: `${sourceKind.replace(' ', '-')}-${text(60).parse(id) ?? ''}`,
        sourceKind,
        name: text(255).parse(title ?? name) ?? sourceKind,
      },
      reason,
    ),
  )
}
