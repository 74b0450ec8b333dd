import { z } from 'zod'
import { parseResolver } from '#checks/dns/kind.ts'
import { secondsOf } from '#importers/durations.ts'
import { fileText } from '#importers/file-text.ts'
import { type Keys, noteKeys } from '#importers/known-keys.ts'
import { readYaml } from '#importers/read-yaml.ts'
import {
  flag,
  headersOf,
  host,
  job,
  leftOut,
  methodOf,
  monitorItem,
  number,
  record,
  records,
  StandIns,
  site,
  statusRangesWhere,
  text,
  texts,
} from '#importers/shapes.ts'
import { type Source, SourceError, type SourceItem, type Wanted } from '#importers/source.ts'
import { type Meant, meant } from './conditions.ts'
import { idOf, readStatuses } from './statuses.ts'
import { type Variable, withoutVariables } from './variables.ts'

export const gatus: Source = {
  name: 'gatus',
  title: 'Gatus',
  reads: 'file',
  credential: '`user:password` of its basic authentication, to ask for its statuses in shadow',
  fileFormat: 'the YAML configuration of Gatus; of several files send them joined into one',
  carries: [
    'endpoints by HTTP, TCP, TLS, STARTTLS, ICMP and DNS with interval, timeout, method, headers, body, group',
    'conditions on status, body, response time, certificate and domain as statuses, assertions, keywords and checks',
    'external endpoints as jobs, disabled endpoints as disabled monitors, failure thresholds as confirmations, also ' +
      'those of a default-alert',
  ],
  leavesBehind: [
    'endpoints by SSH, WebSocket, UDP and SCTP, suites, conditions with functions other than pat and any',
    'alerting providers: create a channel of this kind; maintenance, announcements (named)',
    'values that stand in environment variables: they are named, and must be set',
  ],

  async read({ file, progress }) {
    const document = record.parse(readYaml(fileText(file)))
    const endpoints = records.parse(document.endpoints ?? document.services)
    const external = records.parse(document['external-endpoints'])
    const alerting = record.parse(document.alerting)
    const defaults = new Map(
      Object.entries(alerting).map(([type, provider]) => [type, record.parse(record.parse(provider)['default-alert'])]),
    )
    if (endpoints.length + external.length === 0)
      throw new SourceError('The file is no configuration of Gatus: it has no endpoints.')
    await progress(0, endpoints.length + external.length)
    return [
      ...endpoints.map(endpoint => convert(endpoint, defaults)),
      ...external.map(endpoint => convertExternal(endpoint, defaults)),
      ...leftOf(document),
      ...Object.keys(alerting).map(kind =>
        leftOut(
          { kind: 'channel', sourceId: `alerting-${kind}`, sourceKind: kind, name: kind },
          'Channels are not carried over: their secrets stay where they are. Create a channel of this kind.',
        ),
      ),
      ...records
        .parse(document.suites)
        .map(({ name }, index) =>
          leftOut(
            { kind: 'other', sourceId: `suite-${index}`, sourceKind: 'suite', name: text(255).parse(name) ?? 'Suite' },
            'Suites of several steps have no check.',
          ),
        ),
    ]
  },

  poll: readStatuses,
}

const Endpoint = z.object({
  name: text(255).prefault(null),
  group: text(100).prefault(null),
  enabled: flag.prefault(null),
  url: text().prefault(null),
  method: text(20).prefault(null),
  headers: record.prefault({}),
  body: text(65_536).prefault(null),
  graphql: flag.prefault(null),
  interval: text(30).prefault(null),
  conditions: texts.prefault([]),
  dns: record.prefault({}),
  client: record.prefault({}),
  alerts: records.prefault([]),
  heartbeat: record.prefault({}),
})
type Endpoint = z.output<typeof Endpoint>

const endpointKeys: Keys = {
  read: [...Object.keys(Endpoint.shape), 'maintenance-windows'],
  meaningless: ['ui'],
  left: {
    'extra-labels': 'The extra-labels of its metrics are not carried over.',
    ssh: 'Its ssh sign-in is not carried over.',
    store: 'What it stores for a suite is not carried over.',
    'always-run': 'Its always-run within a suite is not carried over.',
  },
}
const alertKeys: Keys = {
  read: ['type', 'enabled', 'failure-threshold'],
  meaningless: ['description'],
  left: {
    'success-threshold': 'It is up again after one good run: the success-threshold of its alerts is not carried over.',
    'send-on-resolved': 'Whether the end of an outage is notified (send-on-resolved) is up to the rules here.',
    'minimum-reminder-interval': 'Reminders (minimum-reminder-interval) are a matter of escalation policies here.',
    'provider-override': 'The provider-override of its alerts is not carried over.',
  },
}
const clientKeys: Keys = {
  read: ['timeout', 'ignore-redirect', 'insecure', 'network'],
  left: {
    oauth2: 'Sign-in by OAuth 2 is not carried over.',
    'identity-aware-proxy': 'Sign-in to an identity-aware proxy is not carried over.',
    tls: 'Its client certificate is not sent.',
    'proxy-url': 'It is checked directly, not through a proxy.',
    tunnel: 'It is checked directly, not through a tunnel.',
    'dns-resolver': 'Its name is resolved by our regions, not by a resolver of its own.',
    'store-cookies': 'Cookies are not kept from one run to the next (store-cookies).',
  },
}

/** What stands beside the endpoints and is not carried over. Keys that Gatus does not know serve its anchors. */
const beside: Record<string, { kind: SourceItem['kind']; reason: string }> = {
  maintenance: {
    kind: 'maintenance',
    reason: 'The maintenance of all endpoints is not carried over, and alerts would come in it: create a window.',
  },
  announcements: { kind: 'other', reason: 'Announcements are not carried over: publish them on a status page.' },
  security: { kind: 'other', reason: 'Sign-in to its page is not carried over: people sign in to Vedette.' },
  connectivity: { kind: 'other', reason: 'Its check of its own connection is not needed: regions check themselves.' },
  remote: { kind: 'other', reason: 'Endpoints of other instances are not read: import the files of those.' },
  tunneling: { kind: 'other', reason: 'Tunnels are not carried over: endpoints behind them need an agent there.' },
}

const leftOf = (document: Record<string, unknown>): SourceItem[] =>
  Object.entries(beside).flatMap(([key, { kind, reason }]) => {
    const found = document[key]
    if (found === undefined || found === null || record.parse(found).enabled === false) return []
    const says = kind === 'maintenance' ? `${reason} It says: ${windowOf(found)}.` : reason
    return [leftOut({ kind, sourceId: key, sourceKind: key, name: key }, says)]
  })

/** A maintenance window in words. */
function windowOf(found: unknown): string {
  const { start, duration, timezone, every } = record.parse(found)
  const days = texts.parse(every)
  const shown = (value: unknown) => text(60).parse(value) ?? 'unknown'
  return [
    `from ${shown(start)} for ${shown(duration)}`,
    days.length > 0 ? `on ${days.join(', ')}` : 'every day',
    `in ${shown(timezone ?? 'UTC')}`,
  ].join(' ')
}

/** The alerts that an endpoint takes what it does not say from, by their type. */
type Defaults = ReadonlyMap<string, Record<string, unknown>>

function convert(found: Record<string, unknown>, defaults: Defaults): SourceItem {
  const { value, variables } = withoutVariables(found)
  const endpoint = Endpoint.parse(value)
  const url = endpoint.url ?? ''
  const dnsName = text(253).parse(endpoint.dns['query-name'])
  const kind = dnsName !== null ? 'dns' : (/^([a-z]+):\/\//i.exec(url)?.[1] ?? 'unknown').toLowerCase()
  const item = {
    kind: 'monitor' as const,
    sourceId: idOf(endpoint),
    sourceKind: kind,
    name: endpoint.name ?? url,
    isEnabled: endpoint.enabled !== false,
  }
  if (variables.some(({ path }) => path === 'url'))
    return leftOut(item, 'Its address stands in an environment variable: write it into the file.')
  const standIns = new StandIns()
  const carried = withKnown(endpoint, variables)
  const wanted = wantedOf(carried, kind === 'https' ? 'http' : kind, dnsName, { defaults, standIns })
  noteVariables(endpoint, variables, standIns)
  noteEndpoint(record.parse(value), standIns)
  return typeof wanted === 'string' ? leftOut(item, wanted) : monitorItem(item, wanted, standIns)
}

const placeOf = ({ path }: Variable) => path.split(/\.(.*)/s) as [field: string, key?: string]

/** Without headers and conditions whose value only the environment of Gatus knows. */
function withKnown(endpoint: Endpoint, variables: readonly Variable[]): Endpoint {
  const headers = { ...endpoint.headers }
  const conditions = new Set(endpoint.conditions)
  for (const variable of variables) {
    const [field, key = ''] = placeOf(variable)
    if (field === 'headers') delete headers[key]
    if (field === 'conditions') conditions.delete(endpoint.conditions[Number(key)] ?? '')
  }
  return { ...endpoint, headers, conditions: [...conditions] }
}

function noteVariables(endpoint: Endpoint, variables: readonly Variable[], standIns: StandIns): void {
  for (const variable of variables) {
    const [field, key = ''] = placeOf(variable)
    if (field === 'headers') standIns.add(`The header ${key} stands in an environment variable: set it.`)
    else if (field === 'conditions')
      standIns.add(`The condition ${endpoint.conditions[Number(key)]} is not carried over: it holds a variable.`)
    else if (carriedTexts.has(field))
      standIns.add(`Its ${variable.path} holds the variable ${variable.name}: write in its place what it stands for.`)
  }
}

const carriedTexts = new Set(['name', 'group', 'enabled', 'method', 'body', 'interval', 'dns', 'client', 'alerts'])

function noteEndpoint(endpoint: Record<string, unknown>, standIns: StandIns): void {
  noteKeys(endpoint, endpointKeys, standIns)
  noteKeys(record.parse(endpoint.client), clientKeys, standIns, { within: 'client.' })
  noteKeys(record.parse(endpoint.dns), { read: ['query-name', 'query-type'] }, standIns, { within: 'dns.' })
  noteAlerts(endpoint, standIns)
}

function noteAlerts(endpoint: Record<string, unknown>, standIns: StandIns): void {
  for (const alert of records.parse(endpoint.alerts)) noteKeys(alert, alertKeys, standIns, { within: 'alerts.' })
  for (const window of records.parse(endpoint['maintenance-windows']))
    if (window.enabled !== false)
      standIns.add(`Its maintenance window is not carried over, ${windowOf(window)}: create one.`)
}

/** What an alert waits for that does not say. */
const defaultFailures = 3

/** The fewest failures in a row that an alert of the endpoint waits for. */
const confirmationsOf = ({ alerts }: Endpoint, defaults: Defaults): number | null => {
  const thresholds = alerts
    .map(alert => ({ ...defaults.get(text(40).parse(alert.type) ?? ''), ...withoutNothing(alert) }))
    .filter(alert => flag.parse(alert.enabled) !== false)
    .map(alert => Math.max(0, number.parse(alert['failure-threshold']) ?? 0) || defaultFailures)
  return thresholds.length > 0 ? Math.min(...thresholds) : null
}

/** A threshold of 0 and a setting that is empty are as if they were not there. */
const withoutNothing = (alert: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(alert).filter(([, value]) => value !== null && value !== '' && value !== 0))

interface Around {
  defaults: Defaults
  standIns: StandIns
}

function wantedOf(
  endpoint: Endpoint,
  kind: string,
  dnsName: string | null,
  { defaults, standIns }: Around,
): Wanted | string {
  const means = meant(endpoint.conditions, kind, standIns)
  noteProtocol(endpoint, kind, standIns)
  const same = {
    name: endpoint.name ?? '',
    intervalS: secondsOf(endpoint.interval) ?? 60,
    timeoutS: secondsOf(text(30).parse(endpoint.client.timeout)),
    confirmations: confirmationsOf(endpoint, defaults),
    group: endpoint.group,
    more: means.domainDays === null ? [] : [{ type: 'domain_expiry' as const, settings: {} }],
  }
  const place = placeIn(endpoint.url ?? '')
  const certificate = certificateOf(means, standIns)
  switch (kind) {
    case 'http':
      return site(
        {
          ...same,
          url: endpoint.url ?? '',
          settings: settingsOf(endpoint, means, standIns),
          more: [...(certificate && /^https:/i.test(endpoint.url ?? '') ? [certificate] : []), ...same.more],
        },
        standIns,
      )
    case 'tcp':
      if (place.port === null) return 'Its port is missing.'
      return host(
        {
          ...same,
          address: place.host,
          kind: 'tcp',
          settings: {
            port: place.port,
            ...(endpoint.body && { send: endpoint.body.slice(0, 1_024) }),
            ...(means.keywordPresent !== null && { expect: means.keywordPresent.slice(0, 255) }),
            ...speedOf(means, standIns),
          },
        },
        standIns,
      )
    case 'tls':
    case 'starttls':
      if (place.port === null) return 'Its port is missing.'
      if (kind === 'starttls') {
        standIns.add('A check that its port accepts connections stands in for STARTTLS.')
        const settings = { port: place.port, ...speedOf(means, standIns) }
        return host({ ...same, address: place.host, kind: 'tcp', settings }, standIns)
      }
      return host(
        { ...same, address: place.host, kind: 'ssl', settings: { port: place.port, ...certificate?.settings } },
        standIns,
      )
    case 'icmp':
      return host(
        {
          ...same,
          address: place.host,
          kind: 'ping',
          settings: { ...familyOf(endpoint), ...speedOf(means, standIns) },
        },
        standIns,
      )
    case 'dns': {
      const type = (text(10).parse(endpoint.dns['query-type']) ?? 'A').toUpperCase()
      const resolver = `${place.host.includes(':') ? `[${place.host}]` : place.host}:${place.port ?? 53}`
      return host(
        {
          ...same,
          address: dnsName ?? '',
          kind: 'dns',
          settings: {
            record_types: [type],
            ...(parseResolver(resolver) && { resolvers: [resolver.replace(/^([^[:]+):53$/, '$1')] }),
            ...(means.records.length > 0 && { expected: { [type]: means.records } }),
            ...speedOf(means, standIns),
          },
        },
        standIns,
      )
    }
    default:
      return `There is no check for endpoints of kind ${kind}.`
  }
}

/** A limit on the response time, which only an HTTP check has as a condition. */
function speedOf({ fasterThanMs }: Meant, standIns: StandIns): { degraded_after_ms?: number } {
  if (fasterThanMs === null) return {}
  standIns.add(`An answer that takes longer than ${fasterThanMs} ms is a warning here.`)
  return { degraded_after_ms: fasterThanMs }
}

const defaultDays = [14, 7, 3, 1]

/** The check of a certificate that must last for so many days; null: it need not. */
function certificateOf({ certificateDays: days }: Meant, standIns: StandIns) {
  if (days === null) return null
  standIns.add(`A certificate that ends within ${days} days is a warning here; one that has ended is an outage.`)
  return { type: 'ssl' as const, settings: { warn_days: [days, ...defaultDays.filter(day => day < days)] } }
}

/** The protocol that an ICMP endpoint is asked by. */
function familyOf({ client }: Endpoint): { ip_version?: '4' | '6' } {
  const family = /^ip([46])$/.exec(text(10).parse(client.network) ?? '')?.[1]
  return family === '4' || family === '6' ? { ip_version: family } : {}
}

/** What an endpoint of another kind than HTTP cannot have here. */
function noteProtocol(endpoint: Endpoint, kind: string, standIns: StandIns): void {
  if (kind === 'http') return
  if (flag.parse(endpoint.client.insecure) === true && kind === 'tls')
    standIns.add('A certificate that is not trusted is an outage here (client.insecure).')
  if (endpoint.body && kind !== 'tcp') standIns.add('Its body is not sent.')
}

function placeIn(url: string): { host: string; port: number | null } {
  const plain = url.replace(/^[a-z]+:\/\//i, '').replace(/\/.*$/, '')
  const [, six, port] = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(plain) ?? []
  if (six) return { host: six, port: port ? Number(port) : null }
  const [, host = plain, four] = /^([^:]+):(\d{1,5})$/.exec(plain) ?? []
  return { host, port: four ? Number(four) : null }
}

function settingsOf(endpoint: Endpoint, means: Meant, standIns: StandIns): Record<string, unknown> {
  const headers = headersOf(endpoint.headers, standIns)
  const isTyped = Object.keys(headers).some(name => name.toLowerCase() === 'content-type')
  if (endpoint.graphql && !isTyped) headers['Content-Type'] = 'application/json'
  const body = endpoint.graphql ? JSON.stringify({ query: endpoint.body ?? '' }) : endpoint.body
  const { statuses, fasterThanMs } = means
  const assertions = [
    ...(fasterThanMs === null ? [] : [{ source: 'time', comparison: 'less_than', target: fasterThanMs }]),
    ...means.assertions,
  ]
  const isFollowing = flag.parse(endpoint.client['ignore-redirect']) !== true
  return {
    method: methodOf(endpoint.method, standIns),
    // without a condition on it any status is good there, and none is only a warning
    expected_status: statusRangesWhere(status => statuses.every(holds => holds(status))).slice(0, 20),
    warning_status: [],
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(body && { body }),
    ...(means.keywordPresent !== null && { keyword_present: means.keywordPresent }),
    ...(means.keywordAbsent !== null && { keyword_absent: means.keywordAbsent }),
    ...(assertions.length > 0 && { assertions: assertions.slice(0, 20) }),
    ...(!isFollowing && { follow_redirects: false }),
    ...(flag.parse(endpoint.client.insecure) === true && { verify_tls: false }),
  }
}

const externalKeys: Keys = {
  read: ['name', 'group', 'enabled', 'heartbeat', 'alerts', 'maintenance-windows'],
  // the secret by which results are pushed to Gatus
  meaningless: ['token'],
}

function convertExternal(found: Record<string, unknown>, defaults: Defaults): SourceItem {
  const { value, variables } = withoutVariables(found)
  const endpoint = Endpoint.parse(value)
  const standIns = new StandIns()
  standIns.add('What pushes its results must send pings to the address of the job instead.')
  for (const { name, path } of variables)
    if (!path.startsWith('token'))
      standIns.add(`Its ${path} holds the variable ${name}: write in its place what it stands for.`)
  const failures = confirmationsOf(endpoint, defaults)
  if (failures !== null && failures > 1)
    standIns.add(`An alert waits for ${failures} failures there; here one report of a failure is an outage.`)
  noteKeys(record.parse(value), externalKeys, standIns)
  noteKeys(endpoint.heartbeat, { read: ['interval'] }, standIns, { within: 'heartbeat.' })
  noteAlerts(record.parse(value), standIns)
  return monitorItem(
    {
      sourceId: idOf(endpoint),
      sourceKind: 'external',
      name: endpoint.name ?? '',
      isEnabled: endpoint.enabled !== false,
    },
    job(
      {
        name: endpoint.name ?? '',
        periodS: secondsOf(text(30).parse(endpoint.heartbeat.interval)),
        graceS: null,
        group: endpoint.group,
      },
      standIns,
    ),
    standIns,
  )
}
