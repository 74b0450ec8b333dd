import { z } from 'zod'
import { momentOf, type ReadOutage } from '#control-plane/monitoring/migrations/sources/history.ts'
import {
  flag,
  headersOf,
  host,
  itemOf,
  job,
  methodOf,
  number,
  record,
  type StandIns,
  site,
  statusesOf,
  text,
  texts,
} from '#control-plane/monitoring/migrations/sources/shapes.ts'
import type { SourceItem, TheirStatus, Wanted } from '#control-plane/monitoring/migrations/sources/source.ts'
import { outagesOfTwo } from './outages.ts'

/** A monitor of UptimeRobot, of either version of its API. */
export interface Robot {
  id: string | null
  name: string | null
  /** As version 3 calls it, such as `HTTP`. */
  type: string
  url: string | null
  intervalS: number | null
  timeoutS: number | null
  graceS: number | null
  port: number | null
  keyword: string | null
  /** Whether the keyword means an outage when it is there. */
  isKeywordBad: boolean
  method: string | null
  body: string | null
  headers: Record<string, unknown>
  statuses: string[]
  isFollowing: boolean
  user: string | null
  password: string | null
  authType: string | null
  warnsOfCertificate: boolean
  tags: string[]
  dns: Record<string, unknown>
  hasAssertions: boolean
  status: TheirStatus['status']
  sinceS: number | null
  reason: string | null
  /** In milliseconds. */
  createdAt: number | null
  /** Only version 2 has them beside the monitor. */
  outages: readonly ReadOutage[]
}

const statuses: Record<string, TheirStatus['status']> = {
  UP: 'up',
  DOWN: 'down',
  LOOKS_DOWN: 'down',
  SEEMS_DOWN: 'down',
  PAUSED: 'paused',
  '0': 'paused',
  '2': 'up',
  '8': 'down',
  '9': 'down',
}
const statusOf = (status: string | null): TheirStatus['status'] => statuses[(status ?? '').toUpperCase()] ?? 'unknown'

const Named = z.object({ name: text(100).prefault(null) }).catch({ name: null })
const Three = z.object({
  id: text(60).prefault(null),
  friendlyName: text(255).prefault(null),
  type: text(30).prefault(null),
  url: text().prefault(null),
  interval: number.prefault(null),
  timeout: number.prefault(null),
  gracePeriod: number.prefault(null),
  port: number.prefault(null),
  keywordType: text(30).prefault(null),
  keywordValue: text(500).prefault(null),
  httpMethodType: text(20).prefault(null),
  postValueData: z.unknown().optional(),
  customHttpHeaders: record.prefault({}),
  successHttpResponseCodes: texts.prefault([]),
  followRedirections: flag.prefault(null),
  httpUsername: text(255).prefault(null),
  httpPassword: text(1_024).prefault(null),
  authType: text(30).prefault(null),
  sslExpirationReminder: flag.prefault(null),
  tags: z.array(Named).catch([]).prefault([]),
  config: record.prefault({}),
  status: text(30).prefault(null),
  currentStateDuration: number.prefault(null),
  createDateTime: text(40).prefault(null),
  lastIncident: z
    .object({ reason: text(300).prefault(null) })
    .nullable()
    .catch(null)
    .prefault(null),
})

/** A record of `GET /v3/monitors`. */
export function ofThree(found: unknown): Robot {
  const three = Three.parse(found)
  const body = three.postValueData
  return {
    id: three.id,
    name: three.friendlyName,
    type: (three.type ?? 'unknown').toUpperCase(),
    url: three.url,
    intervalS: three.interval,
    timeoutS: three.timeout,
    graceS: three.gracePeriod,
    port: three.port,
    keyword: three.keywordValue,
    isKeywordBad: three.keywordType === 'ALERT_EXISTS',
    method: three.httpMethodType,
    body: body === null || body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    headers: three.customHttpHeaders,
    statuses: rangesOf(three.successHttpResponseCodes),
    isFollowing: three.followRedirections !== false,
    user: three.httpUsername,
    password: three.httpPassword,
    authType: three.authType,
    warnsOfCertificate: three.sslExpirationReminder === true,
    tags: three.tags.flatMap(({ name }) => name ?? []),
    dns: record.parse(three.config.dnsRecords),
    hasAssertions: three.config.apiAssertions != null,
    status: statusOf(three.status),
    sinceS: three.currentStateDuration,
    reason: three.lastIncident?.reason ?? null,
    createdAt: momentOf(three.createDateTime) || null,
    outages: [],
  }
}

/** `2xx` is how version 3 writes `200-299`. */
const rangesOf = (found: readonly string[]) =>
  statusesOf(found.map(status => status.toLowerCase().replace(/^([1-5])xx$/, '$100-$199')))

const types: Record<string, string> = { '1': 'HTTP', '2': 'KEYWORD', '3': 'PING', '4': 'PORT', '5': 'HEARTBEAT' }
const methods = ['', 'HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const ports: Record<string, number> = { '1': 80, '2': 443, '3': 21, '4': 25, '5': 110, '6': 143 }
const Two = z.object({
  id: text(60).prefault(null),
  friendly_name: text(255).prefault(null),
  type: text(10).prefault(null),
  sub_type: text(10).prefault(null),
  url: text().prefault(null),
  interval: number.prefault(null),
  timeout: number.prefault(null),
  port: number.prefault(null),
  keyword_type: text(10).prefault(null),
  keyword_value: text(500).prefault(null),
  http_method: number.prefault(null),
  http_username: text(255).prefault(null),
  http_password: text(1_024).prefault(null),
  custom_http_headers: record.prefault({}),
  status: text(10).prefault(null),
  create_datetime: number.prefault(null),
})

/** A record of `getMonitors` of version 2, which uses numbers. */
export function ofTwo(found: unknown): Robot {
  const two = Two.parse(found)
  return {
    id: two.id,
    name: two.friendly_name,
    type: types[two.type ?? ''] ?? `TYPE ${two.type}`,
    url: two.url,
    intervalS: two.interval,
    timeoutS: two.timeout,
    graceS: null,
    port: two.port || ports[two.sub_type ?? ''] || null,
    keyword: two.keyword_value,
    isKeywordBad: two.keyword_type === '1',
    method: methods[two.http_method ?? 0] || null,
    body: null,
    headers: two.custom_http_headers,
    statuses: [],
    isFollowing: true,
    user: two.http_username,
    password: two.http_password,
    authType: null,
    warnsOfCertificate: false,
    tags: [],
    dns: {},
    hasAssertions: false,
    status: statusOf(two.status),
    sinceS: null,
    reason: null,
    createdAt: two.create_datetime === null ? null : two.create_datetime * 1_000,
    outages: outagesOfTwo(found, statusOf(two.status) === 'down'),
  }
}

/** A monitor of UptimeRobot as one of ours, or why there is none. */
export function convert(robot: Robot): SourceItem {
  const name = robot.name ?? robot.url ?? `Monitor ${robot.id}`
  const item = {
    sourceId: robot.id ?? '',
    sourceKind: robot.type.toLowerCase(),
    name,
    isEnabled: robot.status !== 'paused',
  }
  return itemOf(item, standIns => wantedOf(robot, name, standIns))
}

function wantedOf(robot: Robot, name: string, standIns: StandIns): Wanted | string {
  const same = { name, intervalS: robot.intervalS, timeoutS: robot.timeoutS || null, tags: robot.tags }
  const address = hostIn(robot.url)
  switch (robot.type) {
    case 'API':
    case 'HTTP':
    case 'KEYWORD':
      if (robot.hasAssertions)
        standIns.add('Assertions of its API monitor are not carried over: only the status is checked. Add them.')
      return site(
        {
          ...same,
          url: robot.url ?? '',
          settings: settingsOf(robot, standIns),
          sslDays: robot.warnsOfCertificate ? 30 : null,
        },
        standIns,
      )
    case 'PING':
      return host({ ...same, address, kind: 'ping', settings: {} }, standIns)
    case 'PORT':
      if (robot.port === null) return 'Its port is missing.'
      return host({ ...same, address, kind: 'tcp', settings: { port: robot.port } }, standIns)
    case 'DNS':
      return host({ ...same, address, kind: 'dns', settings: dnsSettings(robot.dns, standIns) }, standIns)
    case 'HEARTBEAT':
      return job({ name, periodS: robot.intervalS, graceS: robot.graceS, tags: robot.tags }, standIns)
    default:
      return `There is no check for monitors of type ${robot.type}.`
  }
}

/** The name in what may be an address of a page as well. */
export const hostIn = (url: string | null): string => {
  const plain = (url ?? '').trim()
  return /^[a-z][a-z\d+.-]*:\/\//i.test(plain) && URL.canParse(plain) ? new URL(plain).hostname : plain
}

function settingsOf(robot: Robot, standIns: StandIns): Record<string, unknown> {
  const isDigest = /digest/i.test(robot.authType ?? '')
  if (isDigest) standIns.add('Sign-in by digest is not carried over: the check asks without it.')
  if (robot.type === 'KEYWORD' && !robot.keyword) standIns.add('Its keyword is missing: only the status is checked.')
  return {
    // HEAD, the usual method of HTTP monitors there, has no body to search
    method: robot.type === 'KEYWORD' && robot.method === 'HEAD' ? 'GET' : methodOf(robot.method, standIns),
    ...(robot.statuses.length > 0 && { expected_status: robot.statuses }),
    ...(Object.keys(robot.headers).length > 0 && { headers: headersOf(robot.headers, standIns) }),
    ...(robot.body && { body: robot.body }),
    ...(!robot.isFollowing && { follow_redirects: false }),
    ...(robot.user && !isDigest && { auth: { type: 'basic', username: robot.user, password: robot.password ?? '' } }),
    ...(robot.type === 'KEYWORD' &&
      robot.keyword && { [robot.isKeywordBad ? 'keyword_absent' : 'keyword_present']: robot.keyword }),
  }
}

const recordTypes = ['A', 'AAAA', 'MX', 'CNAME', 'NS', 'TXT', 'SOA', 'SRV', 'CAA']

function dnsSettings(found: Record<string, unknown>, standIns: StandIns): Record<string, unknown> {
  const expected: Record<string, string[]> = {}
  for (const [type, values] of Object.entries(found)) {
    const wanted = texts.parse(values)
    if (wanted.length === 0) continue
    if (recordTypes.includes(type)) expected[type] = wanted
    else standIns.add(`Records of type ${type} are not looked up.`)
  }
  const types = Object.keys(expected)
  return { record_types: types.length > 0 ? types : ['A'], ...(types.length > 0 && { expected }) }
}
