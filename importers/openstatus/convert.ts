import { isIP } from 'node:net'
import { z } from 'zod'
import { type Keys, noteKeys } from '#importers/known-keys.ts'
import {
  clamp,
  flag,
  headersOf,
  host,
  hostAndPort,
  itemOf,
  jsonType,
  methodOf,
  number,
  record,
  records,
  type StandIns,
  site,
  statusRangesWhere,
  text,
  texts,
  typeBody,
} from '#importers/shapes.ts'
import type { SourceItem, Wanted } from '#importers/source.ts'

/** A list, or the text of one: the API has returned either. */
const listed = z.preprocess(found => {
  if (typeof found !== 'string') return found
  try {
    return JSON.parse(found)
  } catch {
    return []
  }
}, records)

/** A record of `GET /v1/monitor`. */
export const Monitor = z.object({
  id: text(60).prefault(null),
  jobType: text(20).prefault(null),
  name: text(255).prefault(null),
  description: text(2_000).prefault(null),
  url: text().prefault(null),
  periodicity: text(20).prefault(null),
  regions: z.preprocess(found => (typeof found === 'string' ? found.split(',') : found), texts).prefault([]),
  method: text(20).prefault(null),
  body: text(65_536).prefault(null),
  headers: listed.prefault([]),
  assertions: listed.prefault([]),
  active: flag.prefault(null),
  public: flag.prefault(null),
  degradedAfter: number.prefault(null),
  timeout: number.prefault(null),
  retry: number.prefault(null),
  followRedirects: flag.prefault(null),
  openTelemetry: record.nullable().prefault(null),
})
export type Monitor = z.output<typeof Monitor>

const monitorKeys: Keys = {
  read: Object.keys(Monitor.shape),
  // its name on pages, and the addresses of the collector that is noted
  meaningless: ['externalName', 'status', 'createdAt', 'updatedAt', 'deletedAt', 'workspaceId', 'otelHeaders'],
  left: { otelEndpoint: 'Its results are not sent to its OpenTelemetry collector.' },
}

const periods: Record<string, number> = { '30s': 30, '1m': 60, '5m': 300, '10m': 600, '30m': 1_800, '1h': 3_600 }

export function convertMonitor(found: Record<string, unknown>): SourceItem {
  const monitor = Monitor.parse(found)
  const { id, url } = monitor
  const name = monitor.name || url || `Monitor ${id}`
  const type = monitor.jobType ?? 'http'
  const item = { sourceId: id ?? '', sourceKind: type, name, isEnabled: monitor.active !== false }
  return itemOf(item, standIns => {
    const wanted = wantedOf(monitor, type, name, standIns)
    noteKeys(found, monitorKeys, standIns, { isComplete: true })
    return wanted
  })
}

function wantedOf(monitor: Monitor, type: string, name: string, standIns: StandIns): Wanted | string {
  const intervalS = Object.hasOwn(periods, monitor.periodicity ?? '') ? periods[monitor.periodicity ?? '']! : null
  if (intervalS === null)
    standIns.add(`Its interval ${monitor.periodicity ?? ''} is not known: it has the usual one of the team.`)
  const regions = monitor.regions.map(region => region.trim()).filter(Boolean)
  if (regions.length > 0)
    standIns.add(`It is checked from all of our regions in place of ${regions.slice(0, 30).join(', ')}.`)
  if (monitor.public) standIns.add('It is public there: add it to a status page.')
  if (monitor.openTelemetry) standIns.add('Its results are not sent to its OpenTelemetry collector.')
  const same = {
    name,
    intervalS,
    timeoutS: monitor.timeout === null ? null : monitor.timeout / 1_000,
    // the first failure and its retries
    confirmations: monitor.retry === null ? null : 1 + monitor.retry,
    notes: monitor.description,
  }
  const slow = monitor.degradedAfter ? { degraded_after_ms: clamp(Math.round(monitor.degradedAfter), 1, 60_000) } : {}
  switch (type) {
    case 'http':
      return site(
        { ...same, url: monitor.url ?? '', settings: { ...settingsOf(monitor, standIns), ...slow } },
        standIns,
      )
    case 'tcp': {
      const { address, port } = hostAndPort(monitor.url)
      if (!port) return 'Its port is missing.'
      return host({ ...same, address, kind: 'tcp', settings: { port: Number(port), ...slow } }, standIns)
    }
    case 'icmp':
      return host({ ...same, address: nameIn(monitor.url), kind: 'ping', settings: slow }, standIns)
    case 'dns':
      return host(
        {
          ...same,
          address: nameIn(monitor.url),
          kind: 'dns',
          settings: { ...dnsSettings(monitor, standIns), ...slow },
        },
        standIns,
      )
    default:
      return `There is no check for monitors of type ${type}.`
  }
}

const nameIn = (address: string | null): string => {
  const plain = (address ?? '').trim()
  return !isIP(plain) && URL.canParse(plain) ? new URL(plain).hostname || plain : plain
}

function settingsOf(monitor: Monitor, standIns: StandIns): Record<string, unknown> {
  const method = methodOf(monitor.method, standIns)
  const headers = headersOf(
    Object.fromEntries(
      monitor.headers.map(({ key, value }) => [text(100).parse(key) ?? '', value]).filter(([key]) => key),
    ),
    standIns,
  )
  // an empty body has been returned as these words
  const body = ['', 'null', 'undefined'].includes(monitor.body ?? '') ? null : monitor.body
  // of one without a type its checker says that it is JSON
  if (body !== null && method === 'POST') typeBody(headers, jsonType)
  const { assertions, statuses } = assertionsOf(monitor.assertions, standIns)
  return {
    method,
    ...(body !== null && method !== 'GET' && method !== 'HEAD' && { body }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(statuses.length > 0 && { expected_status: statuses }),
    ...(assertions.length > 0 && { assertions }),
    ...(monitor.followRedirects === false && { follow_redirects: false }),
  }
}

const Assertion = z.object({
  type: text(20).prefault(null),
  compare: text(20).prefault(null),
  key: text(200).prefault(null),
  path: text(200).prefault(null),
  target: text(500).prefault(null),
})

const numeric: Record<string, (status: number, target: number) => boolean> = {
  eq: (status, target) => status === target,
  not_eq: (status, target) => status !== target,
  gt: (status, target) => status > target,
  gte: (status, target) => status >= target,
  lt: (status, target) => status < target,
  lte: (status, target) => status <= target,
}
const comparisons: Record<string, string> = {
  eq: 'equals',
  not_eq: 'not_equals',
  contains: 'contains',
  not_contains: 'not_contains',
  empty: 'is_empty',
  not_empty: 'not_empty',
}
const sources: Record<string, string> = { header: 'header', textBody: 'body', jsonBody: 'json' }

/** All of them must hold there as well; what is said of the status becomes the statuses that are up. */
function assertionsOf(found: readonly Record<string, unknown>[], standIns: StandIns) {
  const ofStatus: ((status: number) => boolean)[] = []
  const assertions: Record<string, unknown>[] = []
  for (const each of found.slice(0, 20).map(assertion => Assertion.parse(assertion))) {
    const target = each.target ?? ''
    const compare = each.compare ?? ''
    const holds = numeric[compare]
    if (each.type === 'status' && holds && Number.isInteger(Number(target))) {
      ofStatus.push(status => holds(status, Number(target)))
      continue
    }
    const [source, comparison] = [sources[each.type ?? ''], comparisons[compare]]
    const property = (each.type === 'jsonBody' ? each.path : each.type === 'header' ? each.key : null) ?? ''
    const isReadable =
      source === 'body' || (source === 'header' ? /^[\w-]+$/.test(property) : /^[\w.$[\]-]+$/.test(property))
    if (source && comparison && isReadable)
      assertions.push({ source, property, comparison, ...(!comparison.endsWith('empty') && { target }) })
    else
      standIns.add(`Its assertion of ${each.type ?? 'no type'} that compares by ${compare || 'nothing'} is left out.`)
  }
  const ranges = ofStatus.length === 0 ? [] : statusRangesWhere(status => ofStatus.every(holds => holds(status)))
  if (ofStatus.length > 0 && ranges.length === 0) standIns.add('No status meets all its assertions: 200 to 299 are up.')
  return { assertions, statuses: ranges.slice(0, 20) }
}

const recordTypes = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS'] as const

function dnsSettings(monitor: Monitor, standIns: StandIns): Record<string, unknown> {
  const expected: Record<string, string[]> = {}
  for (const each of monitor.assertions.slice(0, 50).map(assertion => Assertion.parse(assertion))) {
    const type = recordTypes.find(known => known === each.key)
    if (each.type === 'dnsRecord' && type && each.compare === 'eq' && each.target)
      expected[type] = [...(expected[type] ?? []), each.target]
    else
      standIns.add(`What is said of its ${each.key ?? 'unknown'} records by ${each.compare ?? 'nothing'} is left out.`)
  }
  const types = Object.keys(expected)
  return { record_types: types.length > 0 ? types : ['A', 'AAAA'], ...(types.length > 0 && { expected }) }
}
