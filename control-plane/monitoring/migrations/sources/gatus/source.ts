import { z } from 'zod'
import { parseResolver } from '#checks/dns/kind.ts'
import { secondsOf } from '#control-plane/monitoring/migrations/sources/durations.ts'
import { fileText } from '#control-plane/monitoring/migrations/sources/file-text.ts'
import { readYaml } from '#control-plane/monitoring/migrations/sources/read-yaml.ts'
import { records } from '#control-plane/monitoring/migrations/sources/reads.ts'
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
  StandIns,
  site,
  statusRangesWhere,
  text,
  texts,
} from '#control-plane/monitoring/migrations/sources/shapes.ts'
import {
  type Source,
  SourceError,
  type SourceItem,
  type Wanted,
} from '#control-plane/monitoring/migrations/sources/source.ts'
import { type Meant, meant } from './conditions.ts'
import { idOf, readStatuses } from './statuses.ts'

export const gatus: Source = {
  name: 'gatus',
  title: 'Gatus',
  reads: 'file',
  credential: '`user:password` of its basic authentication, to ask for its statuses in shadow',
  fileFormat: 'the YAML configuration of Gatus; of several files send them joined into one',
  carries: [
    'endpoints by HTTP, TCP, TLS, STARTTLS, ICMP and DNS with interval, timeout, method, headers, body, group',
    'conditions on status, body, response time, certificate and domain as statuses, assertions, keywords and checks',
    'external endpoints as jobs, disabled endpoints as disabled monitors, failure thresholds as confirmations',
  ],
  leavesBehind: [
    'endpoints by SSH, WebSocket, UDP and SCTP, suites, conditions with functions other than pat and any',
    'alerting providers: create a channel of this kind',
    'values that stand in environment variables: they are named, and must be set',
  ],

  async read({ file, progress }) {
    const document = record.parse(await readYaml(fileText(file)))
    const endpoints = records.parse(document.endpoints ?? document.services)
    const external = records.parse(document['external-endpoints'])
    if (endpoints.length + external.length === 0)
      throw new SourceError('The file is no configuration of Gatus: it has no endpoints.')
    await progress(0, endpoints.length + external.length)
    return [
      ...endpoints.map(endpoint => convert(Endpoint.parse(endpoint))),
      ...external.map(endpoint => convertExternal(Endpoint.parse(endpoint))),
      ...Object.keys(record.parse(document.alerting)).map(kind =>
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

function convert(endpoint: Endpoint): SourceItem {
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
  if (/\$\{?[A-Za-z_]\w*\}?/.test(url))
    return leftOut(item, 'Its address stands in an environment variable: write it into the file.')
  const standIns = new StandIns()
  const wanted = wantedOf(endpoint, kind === 'https' ? 'http' : kind, dnsName, standIns)
  return typeof wanted === 'string' ? leftOut(item, wanted) : monitorItem(item, wanted, standIns)
}

/** What an alert waits for that does not say. */
const usualFailures = 3

/** The fewest failures in a row that an alert of the endpoint waits for. */
const confirmationsOf = ({ alerts }: Endpoint): number | null => {
  const thresholds = alerts
    .filter(alert => flag.parse(alert.enabled) !== false)
    .map(alert => number.parse(alert['failure-threshold']) || usualFailures)
  return thresholds.length > 0 ? Math.min(...thresholds) : null
}

function wantedOf(endpoint: Endpoint, kind: string, dnsName: string | null, standIns: StandIns): Wanted | string {
  const means = meant(endpoint.conditions, kind, standIns)
  noteClient(endpoint.client, standIns)
  const same = {
    name: endpoint.name ?? '',
    intervalS: secondsOf(endpoint.interval) ?? 60,
    timeoutS: secondsOf(text(30).parse(endpoint.client.timeout)),
    confirmations: confirmationsOf(endpoint),
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
      return host({ ...same, address: place.host, kind: 'ping', settings: speedOf(means, standIns) }, standIns)
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

const usualDays = [14, 7, 3, 1]

/** The check of a certificate that must last for so many days; null: it need not. */
function certificateOf({ certificateDays: days }: Meant, standIns: StandIns) {
  if (days === null) return null
  standIns.add(`A certificate that ends within ${days} days is a warning here; one that has ended is an outage.`)
  return { type: 'ssl' as const, settings: { warn_days: [days, ...usualDays.filter(day => day < days)] } }
}

const clientNotes: Record<string, string> = {
  oauth2: 'Sign-in by OAuth 2 is not carried over.',
  'identity-aware-proxy': 'Sign-in to an identity-aware proxy is not carried over.',
  tls: 'Its client certificate is not sent.',
  'proxy-url': 'It is checked directly, not through a proxy.',
  tunnel: 'It is checked directly, not through a tunnel.',
  'dns-resolver': 'Its name is resolved by our regions, not by a resolver of its own.',
}

function noteClient(client: Endpoint['client'], standIns: StandIns): void {
  for (const [name, note] of Object.entries(clientNotes)) if (client[name] !== undefined) standIns.add(note)
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
  for (const [name, value] of Object.entries(headers))
    if (/\$\{?[A-Z_][A-Z\d_]*\}?/.test(value)) {
      delete headers[name]
      standIns.add(`The header ${name} stands in an environment variable: set it.`)
    }
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
    ...(assertions.length > 0 && { assertions: assertions.slice(0, 20) }),
    ...(!isFollowing && { follow_redirects: false }),
    ...(flag.parse(endpoint.client.insecure) === true && { verify_tls: false }),
  }
}

function convertExternal(endpoint: Endpoint): SourceItem {
  const standIns = new StandIns()
  standIns.add('What pushes its results must send pings to the address of the job instead.')
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
