import { z } from 'zod'
import { aliasesOf } from '#control-plane/monitoring/cron-monitors/aliases/alias.ts'
import {
  flag,
  headersOf,
  host,
  itemOf,
  job,
  methodOf,
  number,
  type StandIns,
  site,
  statusesOf,
  text,
} from '#control-plane/monitoring/migrations/sources/shapes.ts'
import type { SourceItem, Wanted } from '#control-plane/monitoring/migrations/sources/source.ts'

/** A row of the table `monitor`, of version 1 or 2: later columns may be missing. */
export const Monitor = z.object({
  id: number.prefault(null),
  name: text(255).prefault(null),
  active: flag.prefault(null),
  type: text(60).prefault(null),
  url: text().prefault(null),
  hostname: text(255).prefault(null),
  port: number.prefault(null),
  interval: number.prefault(null),
  maxretries: number.prefault(null),
  timeout: number.prefault(null),
  keyword: text(500).prefault(null),
  invert_keyword: flag.prefault(null),
  ignore_tls: flag.prefault(null),
  upside_down: flag.prefault(null),
  maxredirects: number.prefault(null),
  accepted_statuscodes_json: text(2_000).prefault(null),
  dns_resolve_type: text(10).prefault(null),
  dns_resolve_server: text(255).prefault(null),
  method: text(20).prefault(null),
  body: text(65_536).prefault(null),
  headers: text(65_536).prefault(null),
  basic_auth_user: text(255).prefault(null),
  basic_auth_pass: text(1_024).prefault(null),
  auth_method: text(20).prefault(null),
  json_path: text(200).prefault(null),
  json_path_operator: text(20).prefault(null),
  expected_value: text(500).prefault(null),
  parent: number.prefault(null),
  description: text(5_000).prefault(null),
  expiry_notification: flag.prefault(null),
  database_connection_string: text(2_000).prefault(null),
  ping_count: number.prefault(null),
  push_token: text(64).prefault(null),
})
export type KumaMonitor = z.output<typeof Monitor>

interface Around {
  tags: readonly string[]
  group: string | null
}

/** A monitor of Uptime Kuma as one of ours, or why there is none. */
export function convert(monitor: KumaMonitor, around: Around): SourceItem {
  const kind = monitor.type ?? 'unknown'
  const item = {
    sourceId: String(monitor.id ?? ''),
    sourceKind: kind,
    name: monitor.name ?? `Monitor ${monitor.id}`,
    isEnabled: monitor.active !== false,
  }
  const pingAliases = kind === 'push' ? aliasesOf('uptime-kuma', monitor.push_token) : undefined
  const converted = itemOf(item, standIns => {
    if (kind === 'group') return 'A group is no monitor here: its monitors carry its name as their group.'
    if (monitor.upside_down) return 'It is upside down: a check that is down when it answers does not exist.'
    return wantedOf(monitor, kind, around, standIns)
  })
  return pingAliases === undefined ? converted : { ...converted, pingAliases }
}

function wantedOf(monitor: KumaMonitor, kind: string, around: Around, standIns: StandIns): Wanted | string {
  const same = {
    name: monitor.name ?? '',
    intervalS: monitor.interval,
    timeoutS: monitor.timeout || null,
    confirmations: (monitor.maxretries ?? 0) + 1,
    tags: around.tags,
    group: around.group,
    notes: monitor.description,
  }
  if ((monitor.maxretries ?? 0) > 9) standIns.add('Ten failures in a row confirm an outage, the most there are.')
  switch (kind) {
    case 'http':
    case 'keyword':
    case 'json-query':
      return site(
        {
          ...same,
          url: monitor.url ?? '',
          settings: settingsOf(monitor, kind, standIns),
          sslDays: monitor.expiry_notification ? 14 : null,
        },
        standIns,
      )
    case 'port':
      return host(
        { ...same, address: monitor.hostname ?? '', kind: 'tcp', settings: { port: monitor.port ?? 0 } },
        standIns,
      )
    case 'ping':
      return host({ ...same, address: monitor.hostname ?? '', kind: 'ping', settings: {} }, standIns)
    case 'dns':
      return host(
        { ...same, address: monitor.hostname ?? '', kind: 'dns', settings: dnsSettings(monitor, standIns) },
        standIns,
      )
    case 'push':
      return job(
        {
          name: same.name,
          periodS: monitor.interval,
          graceS: (monitor.interval ?? 60) * ((monitor.maxretries ?? 0) + 1),
          tags: around.tags,
          group: around.group,
          notes: monitor.description,
        },
        standIns,
      )
    default:
      return portInstead(monitor, kind, same, standIns)
  }
}

function settingsOf(monitor: KumaMonitor, kind: string, standIns: StandIns): Record<string, unknown> {
  const statuses = statusesOf(listIn(monitor.accepted_statuscodes_json))
  const body = monitor.body || null
  return {
    method: methodOf(monitor.method, standIns),
    ...(statuses.length > 0 && { expected_status: statuses }),
    ...(monitor.headers && { headers: headersOf(objectIn(monitor.headers, standIns), standIns) }),
    ...(body && { body }),
    ...(monitor.ignore_tls && { verify_tls: false }),
    ...(monitor.maxredirects !== null && {
      follow_redirects: monitor.maxredirects > 0,
      max_redirects: Math.min(20, Math.max(0, Math.round(monitor.maxredirects))),
    }),
    ...authOf(monitor, standIns),
    ...(kind === 'keyword' &&
      monitor.keyword && { [monitor.invert_keyword ? 'keyword_absent' : 'keyword_present']: monitor.keyword }),
    ...(kind === 'json-query' && { assertions: assertionsOf(monitor, standIns) }),
  }
}

function authOf(monitor: KumaMonitor, standIns: StandIns): Record<string, unknown> {
  const { auth_method: method, basic_auth_user: username, basic_auth_pass: password } = monitor
  if (method && method !== 'basic') {
    standIns.add(`Sign-in by ${method} is not carried over: the check asks without it.`)
    return {}
  }
  return username ? { auth: { type: 'basic', username, password: password ?? '' } } : {}
}

const comparisons: Record<string, string> = {
  '==': 'equals',
  '!=': 'not_equals',
  '>': 'greater_than',
  '>=': 'greater_than',
  '<': 'less_than',
  '<=': 'less_than',
  contains: 'contains',
}

/** A path of names and numbers, which both JSONata and ours know. */
const plainPath = /^\$?\.?[\w-]+(?:\.[\w-]+|\[\d+\])*$/

function assertionsOf(monitor: KumaMonitor, standIns: StandIns): Record<string, unknown>[] {
  const { json_path: path, expected_value: target, json_path_operator: operator } = monitor
  const comparison = comparisons[operator ?? '==']
  if (!path || !plainPath.test(path) || comparison === undefined) {
    standIns.add('The query of the JSON is more than a path: only the status is checked. Add an assertion.')
    return []
  }
  if (operator === '>=' || operator === '<=') standIns.add(`The comparison is ${operator[0]} in place of ${operator}.`)
  return [{ source: 'json', property: path.replace(/^\$\.?/, ''), comparison, target: target ?? '' }]
}

function dnsSettings(monitor: KumaMonitor, standIns: StandIns): Record<string, unknown> {
  const type = (monitor.dns_resolve_type ?? 'A').toUpperCase()
  const known = ['A', 'AAAA', 'MX', 'CNAME', 'NS', 'TXT', 'SOA', 'SRV', 'CAA'].includes(type)
  if (!known) standIns.add(`Records of type ${type} are not looked up; those of type A are.`)
  const resolvers = (monitor.dns_resolve_server ?? '')
    .split(',')
    .map(server => server.trim())
    .filter(server => /^[\d.]+$|^[\da-f:]+$/i.test(server))
    .slice(0, 4)
  return { record_types: [known ? type : 'A'], ...(resolvers.length > 0 && { resolvers }) }
}

const usualPorts: Record<string, number> = {
  postgres: 5_432,
  mysql: 3_306,
  mongodb: 27_017,
  redis: 6_379,
  sqlserver: 1_433,
  mqtt: 1_883,
  rabbitmq: 15_672,
  smtp: 25,
  'grpc-keyword': 443,
}

const reasons: Record<string, string> = {
  docker: 'It asks a Docker host. Run the agent for servers there instead.',
  'real-browser': 'Checks in a browser of this kind do not exist. Add a website.',
  steam: 'Game servers have no check of their own. Add a port.',
  gamedig: 'Game servers have no check of their own. Add a port.',
  manual: 'Its status is set by hand: a component of a status page does that.',
  snmp: 'SNMP has no check. Run the agent for servers there instead.',
  'tailscale-ping': 'It needs a private network. Run a regional agent inside it and add a ping.',
}

/** Databases, brokers and mail servers: a check that their port accepts connections stands in, where it is known. */
function portInstead(
  monitor: KumaMonitor,
  kind: string,
  same: Parameters<typeof host>[0] extends infer Fields ? Omit<Fields, 'address' | 'kind' | 'settings'> : never,
  standIns: StandIns,
): Wanted | string {
  const usual = usualPorts[kind]
  if (usual === undefined) return reasons[kind] ?? `There is no check for monitors of kind ${kind}.`
  const place = placeIn(monitor)
  if (place === null) return `There is no check for monitors of kind ${kind}, and its address cannot be read.`
  const port = place.port ?? usual
  standIns.add(`A check that port ${port} accepts connections stands in for one of kind ${kind}.`)
  return host({ ...same, address: place.address, kind: 'tcp', settings: { port } }, standIns)
}

/** Host and port of a monitor; of a connection string nothing else is read, for it holds a password. */
function placeIn(monitor: KumaMonitor): { address: string; port: number | null } | null {
  if (monitor.hostname) return { address: monitor.hostname, port: monitor.port }
  const string = monitor.database_connection_string ?? ''
  const [, server, number] =
    /(?:^|;)\s*(?:server|data source)\s*=\s*(?:tcp:)?([\w.-]+)(?:,(\d{1,5}))?/i.exec(string) ?? []
  if (server) return { address: server, port: number ? Number(number) : null }
  if (!URL.canParse(string)) return null
  const { hostname, port } = new URL(string)
  return hostname ? { address: hostname, port: port ? Number(port) : null } : null
}

function listIn(json: string | null): unknown[] {
  try {
    const found: unknown = JSON.parse(json ?? '[]')
    return Array.isArray(found) ? found : []
  } catch {
    return []
  }
}

function objectIn(json: string, standIns: StandIns): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(json)
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return { ...found }
  } catch {}
  standIns.add('The headers cannot be read and are left out.')
  return {}
}
