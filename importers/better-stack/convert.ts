import { z } from 'zod'
import { aliasesOf } from '#contract/ping-alias.ts'
import { type Keys, noteKeys } from '#importers/known-keys.ts'
import {
  flag,
  headersOf,
  host,
  itemOf,
  job,
  methodOf,
  monitorItem,
  number,
  records,
  StandIns,
  site,
  statusesOf,
  text,
  texts,
} from '#importers/shapes.ts'
import type { SourceItem, Wanted } from '#importers/source.ts'

/** The attributes of a monitor of `GET /api/v2/monitors`. */
export const Monitor = z.object({
  url: text().prefault(null),
  pronounceable_name: text(255).prefault(null),
  monitor_type: text(40).prefault(null),
  monitor_group_id: text(60).prefault(null),
  check_frequency: number.prefault(null),
  request_timeout: number.prefault(null),
  confirmation_period: number.prefault(null),
  required_keyword: text(500).prefault(null),
  expected_status_codes: texts.prefault([]),
  http_method: text(20).prefault(null),
  request_body: text(65_536).prefault(null),
  request_headers: records.prefault([]),
  auth_username: text(255).prefault(null),
  auth_password: text(1_024).prefault(null),
  follow_redirects: flag.prefault(null),
  verify_ssl: flag.prefault(null),
  ssl_expiration: number.prefault(null),
  domain_expiration: number.prefault(null),
  ip_version: text(10).prefault(null),
  port: text(60).prefault(null),
  paused: flag.prefault(null),
  status: text(20).prefault(null),
})
export type Monitor = z.output<typeof Monitor>

const monitorKeys: Keys = {
  read: Object.keys(Monitor.shape),
  meaningless: [
    ...['last_checked_at', 'created_at', 'updated_at', 'paused_at', 'team_name', 'sort_index'],
    // who is called, and how an outage ends: every monitor has these
    ...['call', 'sms', 'email', 'push', 'critical_alert', 'team_wait', 'policy_id', 'expiration_policy_id'],
    ...['recovery_period', 'regions', 'remember_cookies'],
    // of kinds that are left out
    ...['playwright_script', 'scenario_name', 'environment_variables'],
    // the days, the zone and the end of the window that is noted
    ...['maintenance_to', 'maintenance_timezone', 'maintenance_days', 'proxy_port'],
  ],
  left: {
    maintenance_from: 'Its daily maintenance (maintenance_from) is not carried over: create a window.',
    proxy_host: 'It is checked directly, not through a proxy (proxy_host).',
  },
}

export const Heartbeat = z.object({
  url: text(255).prefault(null),
  name: text(255).prefault(null),
  period: number.prefault(null),
  grace: number.prefault(null),
  paused: flag.prefault(null),
  status: text(20).prefault(null),
})
export type Heartbeat = z.output<typeof Heartbeat>

const heartbeatKeys: Keys = {
  read: Object.keys(Heartbeat.shape),
  meaningless: [
    ...['call', 'sms', 'email', 'push', 'critical_alert', 'team_wait', 'policy_id', 'sort_index', 'team_name'],
    ...['created_at', 'updated_at', 'paused_at'],
    // the days, the zone and the end of the window that is noted
    ...['maintenance_to', 'maintenance_timezone', 'maintenance_days', 'server_timezone'],
  ],
  left: {
    maintenance_from: 'Its daily maintenance (maintenance_from) is not carried over: create a window.',
    heartbeat_group_id: 'Its group (heartbeat_group_id) is not carried over.',
  },
}

const isPaused = ({ paused, status }: { paused: boolean | null; status: string | null }) =>
  paused === true || status === 'paused'

export function convertMonitor(
  id: string,
  found: Record<string, unknown>,
  groups: ReadonlyMap<string, string | null>,
): SourceItem {
  const monitor = Monitor.parse(found)
  const name = monitor.pronounceable_name ?? monitor.url ?? `Monitor ${id}`
  const type = monitor.monitor_type ?? 'status'
  const group = groups.get(monitor.monitor_group_id ?? '') ?? null
  const item = { sourceId: id, sourceKind: type, name, isEnabled: !isPaused(monitor) }
  return itemOf(item, standIns => {
    const wanted = wantedOf(monitor, type, { name, group }, standIns)
    noteKeys(found, monitorKeys, standIns, { isComplete: true })
    return wanted
  })
}

const mailPorts: Record<string, number> = { smtp: 25, pop: 110, imap: 143 }

function wantedOf(
  monitor: Monitor,
  type: string,
  named: { name: string; group: string | null },
  standIns: StandIns,
): Wanted | string {
  const intervalS = monitor.check_frequency
  // milliseconds for ports and pings, seconds for pages
  const given = monitor.request_timeout
  const timeoutS = given !== null && given >= 500 ? given / 1_000 : given
  const same = { ...named, intervalS, timeoutS, confirmations: confirmationsOf(monitor) }
  const address = placeOf(monitor.url)
  switch (type) {
    case 'status':
    case 'expected_status_code':
    case 'keyword':
    case 'keyword_absence':
      return site(
        {
          ...same,
          url: monitor.url ?? '',
          settings: settingsOf(monitor, type, standIns),
          sslDays: monitor.ssl_expiration ? [monitor.ssl_expiration] : null,
          more: monitor.domain_expiration ? [{ type: 'domain_expiry', settings: {} }] : [],
        },
        standIns,
      )
    case 'ping':
      return host({ ...same, address: address.host, kind: 'ping', settings: familyOf(monitor) }, standIns)
    case 'tcp':
    case 'smtp':
    case 'pop':
    case 'imap': {
      const ports = (monitor.port ?? '').split(/[,\s]+/).filter(Boolean)
      if (ports.length > 1) standIns.add(`Of its ports ${ports.join(', ')} only the first is checked. Add the others.`)
      const port = Number(ports[0]) || address.port || mailPorts[type]
      if (!port) return 'Its port is missing.'
      return host({ ...same, address: address.host, kind: 'tcp', settings: { port, ...familyOf(monitor) } }, standIns)
    }
    case 'dns': {
      // the name server is what is monitored there; the body names what is asked
      const name = monitor.request_body?.trim()
      if (!name) return 'It does not say which name is looked up.'
      const resolver = /^[\d.]+$|^[\da-f:]+$/i.test(address.host) ? [address.host] : []
      if (resolver.length === 0) standIns.add('The name servers of our regions are asked in place of its own.')
      return host(
        {
          ...same,
          address: name,
          kind: 'dns',
          settings: { record_types: ['A'], ...(resolver.length > 0 && { resolvers: resolver }) },
        },
        standIns,
      )
    }
    default:
      return `There is no check for monitors of type ${type}.`
  }
}

function familyOf({ ip_version }: Monitor): { ip_version?: '4' | '6' } {
  const family = /^ipv([46])$/.exec(ip_version ?? '')?.[1]
  return family === '4' || family === '6' ? { ip_version: family } : {}
}

/** How many runs in a row fill the time for which an outage must last. */
function confirmationsOf({ confirmation_period: period, check_frequency: every }: Monitor): number | null {
  return period === null || !every ? null : 1 + Math.floor(period / every)
}

function placeOf(url: string | null): { host: string; port: number | null } {
  const plain = (url ?? '').trim()
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(plain) && URL.canParse(plain)) {
    const { hostname, port } = new URL(plain)
    return { host: hostname, port: port ? Number(port) : null }
  }
  const [, host = plain, port] = /^([^:]+):(\d{1,5})$/.exec(plain) ?? []
  return { host, port: port ? Number(port) : null }
}

function settingsOf(monitor: Monitor, type: string, standIns: StandIns): Record<string, unknown> {
  const headers = Object.fromEntries(monitor.request_headers.map(({ name, value }) => [String(name), value]))
  const statuses = type === 'expected_status_code' ? statusesOf(monitor.expected_status_codes) : []
  const keyword = monitor.required_keyword
  return {
    method: methodOf(monitor.http_method || null, standIns),
    ...(statuses.length > 0 && { expected_status: statuses }),
    ...(Object.keys(headers).length > 0 && { headers: headersOf(headers, standIns) }),
    ...(monitor.request_body && { body: monitor.request_body }),
    ...(monitor.follow_redirects === false && { follow_redirects: false }),
    ...(monitor.verify_ssl === false && { verify_tls: false }),
    ...familyOf(monitor),
    ...(monitor.auth_username && {
      auth: { type: 'basic', username: monitor.auth_username, password: monitor.auth_password ?? '' },
    }),
    ...(keyword && type === 'keyword' && { keyword_present: keyword }),
    ...(keyword && type === 'keyword_absence' && { keyword_absent: keyword }),
  }
}

export function convertHeartbeat(id: string, found: Record<string, unknown>): SourceItem {
  const heartbeat = Heartbeat.parse(found)
  const name = heartbeat.name ?? `Heartbeat ${id}`
  const standIns = new StandIns()
  const [, token] = /\/api\/v1\/heartbeat\/([\w-]+)$/.exec(heartbeat.url ?? '') ?? []
  const monitor = monitorItem(
    { sourceId: id, sourceKind: 'heartbeat', name, isEnabled: !isPaused(heartbeat) },
    job({ name, periodS: heartbeat.period, graceS: heartbeat.grace }, standIns),
    standIns,
  )
  noteKeys(found, heartbeatKeys, standIns, { isComplete: true })
  return { ...monitor, pingAliases: aliasesOf('better-stack', token) }
}
