import { z } from 'zod'
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
  const wanted = wantedOf(endpoint, kind, dnsName, standIns)
  return typeof wanted === 'string' ? leftOut(item, wanted) : monitorItem(item, wanted, standIns)
}

/** The most failures in a row that an alert of the endpoint waits for. */
const confirmationsOf = ({ alerts }: Endpoint): number | null => {
  const thresholds = alerts.flatMap(alert => number.parse(alert['failure-threshold']) ?? [])
  return thresholds.length > 0 ? Math.min(...thresholds) : null
}

function wantedOf(endpoint: Endpoint, kind: string, dnsName: string | null, standIns: StandIns): Wanted | string {
  const means = meant(endpoint.conditions, standIns)
  const same = {
    name: endpoint.name ?? '',
    intervalS: secondsOf(endpoint.interval) ?? 60,
    timeoutS: secondsOf(text(30).parse(endpoint.client.timeout)),
    confirmations: confirmationsOf(endpoint),
    group: endpoint.group,
  }
  const place = placeIn(endpoint.url ?? '')
  switch (kind) {
    case 'http':
    case 'https':
      return withDomain(
        site(
          {
            ...same,
            url: endpoint.url ?? '',
            settings: settingsOf(endpoint, means, standIns),
            sslDays: means.certificateDays,
          },
          standIns,
        ),
        means,
      )
    case 'tcp':
      if (place.port === null) return 'Its port is missing.'
      return host({ ...same, address: place.host, kind: 'tcp', settings: { port: place.port } }, standIns)
    case 'tls':
    case 'starttls':
      if (place.port === null) return 'Its port is missing.'
      if (kind === 'starttls') {
        standIns.add('A check that its port accepts connections stands in for STARTTLS.')
        return host({ ...same, address: place.host, kind: 'tcp', settings: { port: place.port } }, standIns)
      }
      return host({ ...same, address: place.host, kind: 'ssl', settings: { port: place.port } }, standIns)
    case 'icmp':
      return host({ ...same, address: place.host, kind: 'ping', settings: {} }, standIns)
    case 'dns': {
      const type = (text(10).parse(endpoint.dns['query-type']) ?? 'A').toUpperCase()
      const resolver = placeIn(endpoint.url ?? '')
      const isAddress = /^[\d.]+$|^[\da-f:]+$/i.test(resolver.host)
      return host(
        {
          ...same,
          address: dnsName ?? '',
          kind: 'dns',
          settings: {
            record_types: [type],
            ...(isAddress && { resolvers: [resolver.host] }),
            ...(means.records.length > 0 && { expected: { [type]: means.records } }),
          },
        },
        standIns,
      )
    }
    default:
      return `There is no check for endpoints of kind ${kind}.`
  }
}

function withDomain(wanted: Wanted, { domainDays }: Meant): Wanted {
  if (wanted.of !== 'monitor' || domainDays === null) return wanted
  return {
    ...wanted,
    body: { ...wanted.body, checks: [...(wanted.body.checks ?? []), { type: 'domain_expiry', settings: {} }] },
  }
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
  if (endpoint.graphql) standIns.add('Its body is sent as it is, not wrapped for GraphQL.')
  if (endpoint.client.oauth2 !== undefined) standIns.add('Sign-in by OAuth 2 is not carried over.')
  const isFollowing = flag.parse(endpoint.client['ignore-redirect']) !== true
  return {
    method: methodOf(endpoint.method, standIns),
    ...(means.expectedStatus.length > 0 && { expected_status: means.expectedStatus.slice(0, 20) }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(endpoint.body && { body: endpoint.body }),
    ...(means.keywordPresent !== null && { keyword_present: means.keywordPresent }),
    ...(means.assertions.length > 0 && { assertions: means.assertions.slice(0, 20) }),
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
