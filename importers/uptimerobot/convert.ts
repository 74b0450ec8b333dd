import { z } from 'zod'
import { momentOf, type ReadOutage } from '#importers/history.ts'
import { type Keys, noteKeys } from '#importers/known-keys.ts'
import {
  clamp,
  flag,
  formOf,
  formType,
  headersOf,
  host,
  itemOf,
  job,
  jsonType,
  methodOf,
  number,
  record,
  type StandIns,
  site,
  statusesOf,
  text,
  texts,
  typeBody,
} from '#importers/shapes.ts'
import type { SourceItem, TheirStatus, Wanted } from '#importers/source.ts'
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
  /** The keyword may be written in any case. */
  isAnyCase: boolean
  method: string | null
  body: string | null
  /** The Content-Type that it sends with the body by itself. */
  bodyType: string | null
  headers: Record<string, unknown>
  statuses: string[]
  isFollowing: boolean
  user: string | null
  password: string | null
  authType: string | null
  warnsOfCertificate: boolean
  /** The days before its end at which it warns; empty: not said. */
  certificateDays: number[]
  /** A certificate that is not trusted is no outage. */
  ignoresCertificate: boolean
  warnsOfDomain: boolean
  /** In milliseconds. */
  slowMs: number | null
  ipVersion: '4' | '6' | null
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
  /** The record as it was read, and what is known of it. */
  found: Record<string, unknown>
  keys: Keys
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
  keywordCaseType: text(30).prefault(null),
  httpMethodType: text(20).prefault(null),
  postValueType: text(30).prefault(null),
  postValueData: z.unknown().optional(),
  customHttpHeaders: record.prefault({}),
  successHttpResponseCodes: texts.prefault([]),
  followRedirections: flag.prefault(null),
  httpUsername: text(255).prefault(null),
  httpPassword: text(1_024).prefault(null),
  authType: text(30).prefault(null),
  sslExpirationReminder: flag.prefault(null),
  checkSSLErrors: flag.prefault(null),
  domainExpirationReminder: flag.prefault(null),
  responseTimeThreshold: number.prefault(null),
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

const keysOfThree: Keys = {
  read: Object.keys(Three.shape),
  meaningless: [
    ...['sslBrand', 'sslExpiryDateTime', 'domainExpireDate', 'sslCheckEnabled', 'lastIncidentId', 'userId'],
    ...['lastDayUptimes', 'apiKey', 'psps', 'assignedAlertContacts', 'regionalData', 'updateDateTime', 'tagNames'],
  ],
  left: {
    maintenanceWindows: 'Its maintenance windows (maintenanceWindows) are not carried over: create one.',
    groupId: 'Its group (groupId) is not carried over, as its API names groups by numbers alone.',
    customFields: 'Its own fields (customFields) are not carried over.',
    regionData: 'It is checked from all of our regions in place of its own (regionData).',
  },
}
const configKeys: Keys = {
  read: ['sslExpirationPeriodDays', 'dnsRecords', 'apiAssertions', 'ipVersion', 'udp'],
  left: { applicationErrorRetries: 'Its applicationErrorRetries are not carried over.' },
}

/** A body in the form in which it is sent: pairs as a form, all else as JSON or as it is written. */
function bodyOf(type: string | null, data: unknown): Pick<Robot, 'body' | 'bodyType'> {
  if (data === null || data === undefined || data === '') return { body: null, bodyType: null }
  const isForm = type === 'KEY_VALUE'
  const pairs = isForm ? pairsIn(data) : null
  const written = typeof data === 'string' ? data : JSON.stringify(data)
  const bodyType = isForm ? formType : type === 'RAW_JSON' || typeof data !== 'string' ? jsonType : null
  return { body: pairs === null ? written : formOf(pairs), bodyType }
}

/** Names and values, also of a text of JSON; null: neither. */
function pairsIn(data: unknown): Record<string, unknown> | null {
  try {
    const found: unknown = typeof data === 'string' ? JSON.parse(data) : data
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? { ...found } : null
  } catch {
    return null
  }
}

const familyOf = (found: unknown): '4' | '6' | null => {
  const family = /^ipv?([46])(only)?$/i.exec(text(20).parse(found) ?? '')?.[1]
  return family === '4' || family === '6' ? family : null
}

/** A record of `GET /v3/monitors`. */
export function ofThree(found: Record<string, unknown>): Robot {
  const three = Three.parse(found)
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
    isAnyCase: /^(1|CaseInsensitive)$/i.test(three.keywordCaseType ?? ''),
    method: three.httpMethodType,
    ...bodyOf(three.postValueType, three.postValueData),
    headers: three.customHttpHeaders,
    statuses: rangesOf(three.successHttpResponseCodes),
    isFollowing: three.followRedirections !== false,
    user: three.httpUsername,
    password: three.httpPassword,
    authType: three.authType,
    warnsOfCertificate: three.sslExpirationReminder === true,
    certificateDays: texts.parse(three.config.sslExpirationPeriodDays).map(Number).filter(Number.isFinite),
    ignoresCertificate: three.checkSSLErrors === false,
    warnsOfDomain: three.domainExpirationReminder === true,
    slowMs: three.responseTimeThreshold || null,
    ipVersion: familyOf(three.config.ipVersion),
    tags: three.tags.flatMap(({ name }) => name ?? []),
    dns: record.parse(three.config.dnsRecords),
    hasAssertions: three.config.apiAssertions != null,
    status: statusOf(three.status),
    sinceS: three.currentStateDuration,
    reason: three.lastIncident?.reason ?? null,
    createdAt: momentOf(three.createDateTime) || null,
    outages: [],
    found,
    keys: keysOfThree,
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
  keyword_case_type: text(10).prefault(null),
  keyword_value: text(500).prefault(null),
  http_method: number.prefault(null),
  http_auth_type: text(10).prefault(null),
  post_type: text(10).prefault(null),
  post_value: z.unknown().optional(),
  post_content_type: text(10).prefault(null),
  http_username: text(255).prefault(null),
  http_password: text(1_024).prefault(null),
  custom_http_headers: record.prefault({}),
  status: text(10).prefault(null),
  create_datetime: number.prefault(null),
})

const keysOfTwo: Keys = {
  read: Object.keys(Two.shape),
  meaningless: [
    ...['logs', 'response_times', 'average_response_time', 'all_time_uptime_ratio', 'custom_uptime_ratio', 'ssl'],
    'alert_contacts',
  ],
  left: {
    mwindows: 'Its maintenance windows (mwindows) are not carried over: create one.',
    custom_http_statuses: 'Its own statuses (custom_http_statuses) are not carried over: set them.',
  },
}

/** A record of `getMonitors` of version 2, which uses numbers. */
export function ofTwo(found: Record<string, unknown>): Robot {
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
    isAnyCase: two.keyword_case_type === '1',
    method: methods[two.http_method ?? 0] || null,
    ...bodyOfTwo(two),
    headers: two.custom_http_headers,
    statuses: [],
    isFollowing: true,
    user: two.http_username,
    password: two.http_password,
    authType: two.http_auth_type === '2' ? 'digest' : null,
    warnsOfCertificate: false,
    certificateDays: [],
    ignoresCertificate: false,
    warnsOfDomain: false,
    slowMs: null,
    ipVersion: null,
    tags: [],
    dns: {},
    hasAssertions: false,
    status: statusOf(two.status),
    sinceS: null,
    reason: null,
    createdAt: two.create_datetime === null ? null : two.create_datetime * 1_000,
    outages: outagesOfTwo(found, statusOf(two.status) === 'down'),
    found,
    keys: keysOfTwo,
  }
}

/** 1 is a form, 2 a text, which is JSON if its type is 1. */
function bodyOfTwo({ post_type, post_value, post_content_type }: z.output<typeof Two>) {
  if (post_type === '1') return bodyOf('KEY_VALUE', post_value)
  return bodyOf(post_content_type === '1' ? 'RAW_JSON' : null, post_value)
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
  return itemOf(item, standIns => {
    const wanted = wantedOf(robot, name, standIns)
    noteKeys(robot.found, robot.keys, standIns, { isComplete: true })
    noteKeys(record.parse(robot.found.config), configKeys, standIns, { within: 'config.', isComplete: true })
    return wanted
  })
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
          sslDays: robot.warnsOfCertificate ? robot.certificateDays : null,
          more: robot.warnsOfDomain ? [{ type: 'domain_expiry', settings: {} }] : [],
        },
        standIns,
      )
    case 'PING':
      return host({ ...same, address, kind: 'ping', settings: reachOf(robot, standIns) }, standIns)
    case 'PORT':
      if (robot.port === null) return 'Its port is missing.'
      return host(
        { ...same, address, kind: 'tcp', settings: { port: robot.port, ...reachOf(robot, standIns) } },
        standIns,
      )
    case 'DNS':
      return host({ ...same, address, kind: 'dns', settings: dnsSettings(robot.dns, standIns) }, standIns)
    case 'HEARTBEAT':
      return job({ name, periodS: robot.intervalS, graceS: robot.graceS, tags: robot.tags }, standIns)
    default:
      return `There is no check for monitors of type ${robot.type}.`
  }
}

/** Its protocol, and the time after which it is slow. */
function reachOf({ ipVersion, slowMs }: Robot, standIns: StandIns): Record<string, unknown> {
  if (slowMs !== null) standIns.add(`An answer that takes longer than ${slowMs} ms is a warning here.`)
  return {
    ...(ipVersion && { ip_version: ipVersion }),
    ...(slowMs !== null && { degraded_after_ms: clamp(Math.round(slowMs), 1, 60_000) }),
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
  if (robot.type === 'KEYWORD' && robot.keyword && robot.isAnyCase)
    standIns.add('Its keyword is searched for as it is written: capitals and small letters differ.')
  const headers = headersOf(robot.headers, standIns)
  if (robot.body && robot.bodyType) typeBody(headers, robot.bodyType)
  return {
    // HEAD, the usual method of HTTP monitors there, has no body to search
    method: robot.type === 'KEYWORD' && robot.method === 'HEAD' ? 'GET' : methodOf(robot.method, standIns),
    ...(robot.statuses.length > 0 && { expected_status: robot.statuses }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(robot.body && { body: robot.body }),
    ...(robot.ignoresCertificate && { verify_tls: false }),
    ...reachOf(robot, standIns),
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
