import { z } from 'zod'
import { flag, leftOut, number, text } from '#importers/shapes.ts'
import { type Source, SourceError, type SourceItem } from '#importers/source.ts'
import { convert, type KumaMonitor, Monitor } from './convert.ts'
import { historiesOf } from './outages.ts'
import { readDatabase, type TableRow } from './read-database.ts'
import { readStatuses } from './statuses.ts'

const Tag = z.object({ id: number, name: text(100) })
const MonitorTag = z.object({ monitor_id: number, tag_id: number, value: text(100) })
const Other = z.object({ id: number, name: text(60) })
const Named = z.object({ id: number, name: text(255), title: text(255), config: text(70_000), active: flag }).partial()

export const uptimeKuma: Source = {
  name: 'uptime-kuma',
  title: 'Uptime Kuma',
  reads: 'file',
  credential: 'an API key, or `user:password` where it has no API keys, to ask for its statuses in shadow',
  fileFormat: 'the SQLite file `kuma.db` of Uptime Kuma 1.x or 2.x, copied while it does not run',
  carries: [
    'monitors of kind http, keyword, json-query, port, ping, dns and push with interval, retries, timeout, statuses, ' +
      'headers, body, sign-in, certificate warnings',
    'groups as groups, tags as tags, paused monitors as disabled ones',
    'databases and brokers with an address as a check of their port',
    'incidents of the last 90 days, at most 100 of a monitor',
    'push addresses: they count here once their host name leads here',
  ],
  leavesBehind: [
    'monitors upside down, in Docker, of games, of browsers, gRPC, SNMP, RADIUS, Kafka',
    'notification channels, status pages and maintenance windows: they are named, with what to set up',
    'response times of the past, warnings before a domain ends: add that check where it is wanted',
  ],

  isDatabase: true,

  async read({ path, progress }) {
    if (path === null) throw new SourceError('The file is empty.')
    const rows = readDatabase(path)
    const of = (table: string) => rows.filter(row => row.table === table).map(({ row }: TableRow) => row)
    const monitors = of('monitor').map(row => Monitor.parse(row))
    await progress(0, monitors.length)
    const tags = tagsByMonitor(of('tag'), of('monitor_tag'))
    const groups = groupsOf(monitors)
    const others = othersOf(of('monitor_other'))
    const past = historiesOf(of('heartbeat'), of('heartbeat_span'), Date.now())
    return [
      ...monitors.map(monitor => ({
        ...convert(monitor, {
          tags: tags.get(monitor.id ?? -1) ?? [],
          group: groups(monitor),
          others: others.get(monitor.id ?? -1) ?? [],
        }),
        history: past(monitor.id ?? -1),
      })),
      ...of('notification').map(row => besides('channel', row)),
      ...of('status_page').map(row => besides('status_page', row)),
      ...of('maintenance').map(row => besides('maintenance', row)),
    ]
  },

  poll: readStatuses,
}

function tagsByMonitor(tags: readonly unknown[], links: readonly unknown[]): Map<number, string[]> {
  const names = new Map(tags.map(row => Tag.parse(row)).map(({ id, name }) => [id, name ?? '']))
  const found = new Map<number, string[]>()
  for (const row of links) {
    const { monitor_id, tag_id, value } = MonitorTag.parse(row)
    const name = names.get(tag_id)
    if (monitor_id === null || !name) continue
    found.set(monitor_id, [...(found.get(monitor_id) ?? []), value ? `${name}: ${value}` : name])
  }
  return found
}

/** The names of the further columns that are set, by monitor. */
function othersOf(rows: readonly unknown[]): Map<number, string[]> {
  const found = new Map<number, string[]>()
  for (const row of rows) {
    const { id, name } = Other.parse(row)
    if (id !== null && name) found.set(id, [...(found.get(id) ?? []), name])
  }
  return found
}

/** The names of the groups above a monitor. A file may name groups in a circle. */
function groupsOf(monitors: readonly KumaMonitor[]) {
  const byId = new Map(monitors.map(monitor => [monitor.id, monitor]))
  return ({ parent }: KumaMonitor): string | null => {
    const names: string[] = []
    for (let at = byId.get(parent); at !== undefined && names.length < 5; at = byId.get(at.parent))
      names.unshift(at.name ?? '')
    return names.join(' / ') || null
  }
}

const reasons = {
  channel: 'Channels are not carried over: their secrets stay where they are. Create a channel of this kind.',
  status_page: 'Status pages are not carried over: create one with the imported monitors as components.',
  maintenance: 'Maintenance windows are not carried over: create one for the imported monitors.',
}

function besides(kind: keyof typeof reasons, row: Record<string, unknown>): SourceItem {
  const { id, name, title, config } = Named.parse(row)
  return leftOut(
    { kind, sourceId: `${kind}-${id ?? ''}`, sourceKind: typeOf(config) ?? kind, name: name ?? title ?? kind },
    reasons[kind],
  )
}

/** The type of a notification, which is all that is read of its settings. */
function typeOf(config: string | null | undefined): string | null {
  const [, type] = /"type"\s*:\s*"([\w-]{1,60})"/.exec(config ?? '') ?? []
  return type ?? null
}
