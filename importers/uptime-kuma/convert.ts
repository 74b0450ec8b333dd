import { z } from 'zod'
import { aliasesOf } from '#contract/ping-alias.ts'
import { type Keys, noteKeys } from '#importers/known-keys.ts'
import {
  comparisonOf,
  flag,
  formType,
  headersOf,
  host,
  itemOf,
  job,
  jsonType,
  methodOf,
  number,
  type StandIns,
  site,
  statusesOf,
  text,
  typeBody,
} from '#importers/shapes.ts'
import type { SourceItem, Wanted } from '#importers/source.ts'

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
  retry_interval: number.prefault(null),
  http_body_encoding: text(20).prefault(null),
  bearer_token: text(1_024).prefault(null),
  ip_family: text(10).prefault(null),
})
export type KumaMonitor = z.output<typeof Monitor>

interface Around {
  tags: readonly string[]
  group: string | null
  /** The names of further columns that are set. */
  others: readonly string[]
}

/** Of version 2.1 and before, beside those that are read. What a kind has alone is named where that kind is left out. */
const columns: Keys = {
  read: [],
  meaningless: [
    ...['user_id', 'weight', 'created_date', 'dns_last_result', 'save_response', 'save_error_response'],
    ...['response_max_length', 'ping_numeric', 'manual_status', 'subtype', 'location', 'protocol', 'game'],
    ...['gamedig_given_port_only', 'gamedig_token', 'docker_host', 'docker_container', 'remote_browser'],
    ...['screenshot_delay', 'system_service_name', 'snmp_oid', 'snmp_version', 'snmp_v3_username'],
    ...['ntp_stratum_threshold', 'ntp_time_offset_threshold', 'ntp_root_dispersion_threshold'],
    ...['ws_ignore_sec_websocket_accept_header', 'ws_subprotocol', 'kafka_producer_topic', 'kafka_producer_brokers'],
    ...['kafka_producer_sasl_options', 'kafka_producer_message', 'kafka_producer_ssl'],
    ...['kafka_producer_allow_auto_topic_creation', 'radius_username', 'radius_password', 'radius_secret'],
    ...['radius_calling_station_id', 'radius_called_station_id', 'expected_tls_alert'],
    // what a check of a port in place of a database or a broker does not use, which its note says
    ...['database_query', 'mqtt_topic', 'mqtt_success_message', 'mqtt_check_type', 'mqtt_username', 'mqtt_password'],
    ...['mqtt_websocket_path', 'rabbitmq_nodes', 'rabbitmq_username', 'rabbitmq_password', 'smtp_security'],
    ...['grpc_url', 'grpc_protobuf', 'grpc_body', 'grpc_metadata', 'grpc_method', 'grpc_service_name'],
    'grpc_enable_tls',
    // parts of ways to sign in that are not carried over, which is noted by their name
    ...['auth_domain', 'auth_workstation', 'tls_ca', 'tls_cert', 'tls_key', 'oauth_client_id', 'oauth_client_secret'],
    ...['oauth_token_url', 'oauth_scopes', 'oauth_audience', 'oauth_auth_method'],
    // on by itself in version 2.1, and of a domain rather than of a monitor
    'domain_expiry_notification',
  ],
  left: {
    proxy_id: 'It is checked directly, not through a proxy (proxy_id).',
    resend_interval: 'Reminders (resend_interval) are a matter of escalation policies here.',
    packet_size: 'The packet_size of its pings is not carried over.',
    ping_per_request_timeout: 'Its ping_per_request_timeout is not carried over: a run has one timeout.',
    cache_bust: 'No parameter is added to its address (cache_bust).',
    conditions: 'Its conditions are not carried over: add expected values or assertions.',
    retry_only_on_status_code_failure: 'All failures are confirmed alike (retry_only_on_status_code_failure).',
  },
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
    const wanted = wantedOf(monitor, kind, around, standIns)
    if (monitor.retry_interval && (monitor.maxretries ?? 0) > 0 && monitor.retry_interval !== monitor.interval)
      standIns.add(`Its retries come at our pace, not every ${monitor.retry_interval} seconds (retry_interval).`)
    noteKeys(Object.fromEntries(around.others.map(name => [name, true])), columns, standIns)
    return wanted
  })
  return pingAliases === undefined ? converted : { ...converted, pingAliases }
}

function wantedOf(monitor: KumaMonitor, kind: string, around: Around, standIns: StandIns): Wanted | string {
  const same = {
    name: monitor.name ?? '',
    intervalS: monitor.interval,
    // of one without its own the program waits for four fifths of its interval
    timeoutS: monitor.timeout || (monitor.interval === null ? null : Math.min(60, 0.8 * monitor.interval)),
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
        {
          ...same,
          address: monitor.hostname ?? '',
          kind: 'tcp',
          settings: { port: monitor.port ?? 0, ...familyOf(monitor) },
        },
        standIns,
      )
    case 'ping':
      return host(
        {
          ...same,
          address: monitor.hostname ?? '',
          kind: 'ping',
          settings: {
            ...(monitor.ping_count && { packets: Math.min(10, Math.max(1, Math.round(monitor.ping_count))) }),
            ...familyOf(monitor),
          },
        },
        standIns,
      )
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
  const body = monitor.body?.trim() ? monitor.body : null
  const headers = monitor.headers ? headersOf(objectIn(monitor.headers, standIns), standIns) : {}
  if (body) addType(monitor.http_body_encoding || 'json', headers, standIns)
  return {
    method: methodOf(monitor.method, standIns),
    ...(statuses.length > 0 && { expected_status: statuses }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body && { body }),
    ...familyOf(monitor),
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

/** What it sends with a body by its encoding, of which JSON is the usual one. */
const bodyTypes: Record<string, string> = { json: jsonType, form: formType, xml: 'text/xml; charset=utf-8' }

function addType(encoding: string, headers: Record<string, string>, standIns: StandIns): void {
  const type = Object.hasOwn(bodyTypes, encoding) ? bodyTypes[encoding] : undefined
  if (type === undefined) standIns.add(`The encoding ${encoding} of its body is not known: set a Content-Type.`)
  else typeBody(headers, type)
}

function familyOf({ ip_family }: KumaMonitor): { ip_version?: '4' | '6' } {
  const family = /^ipv([46])$/.exec(ip_family ?? '')?.[1]
  return family === '4' || family === '6' ? { ip_version: family } : {}
}

function authOf(monitor: KumaMonitor, standIns: StandIns): Record<string, unknown> {
  const { auth_method: method, basic_auth_user: username, basic_auth_pass: password } = monitor
  if (method === 'bearer' && monitor.bearer_token) return { auth: { type: 'bearer', token: monitor.bearer_token } }
  if (method && method !== 'basic') {
    standIns.add(`Sign-in by ${method} is not carried over: the check asks without it.`)
    return {}
  }
  return username ? { auth: { type: 'basic', username, password: password ?? '' } } : {}
}

/** A path of names and numbers, which both JSONata and ours know. */
const plainPath = /^\$?\.?[\w-]+(?:\.[\w-]+|\[\d+\])*$/

function assertionsOf(monitor: KumaMonitor, standIns: StandIns): Record<string, unknown>[] {
  const { json_path: path, expected_value: target, json_path_operator: operator } = monitor
  const compared = comparisonOf(operator ?? '==', target ?? '')
  if (!path || !plainPath.test(path) || compared === null) {
    standIns.add('The query of the JSON is more than a path: only the status is checked. Add an assertion.')
    return []
  }
  return [{ source: 'json', property: path.replace(/^\$\.?/, ''), ...compared }]
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

const defaultPorts: Record<string, number> = {
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
  const fallback = Object.hasOwn(defaultPorts, kind) ? defaultPorts[kind] : undefined
  const reason = Object.hasOwn(reasons, kind) ? reasons[kind] : undefined
  if (fallback === undefined) return reason ?? `There is no check for monitors of kind ${kind}.`
  const place = placeIn(monitor)
  if (place === null) return `There is no check for monitors of kind ${kind}, and its address cannot be read.`
  const port = place.port ?? fallback
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
