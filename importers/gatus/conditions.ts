import { comparisonOf, type StandIns } from '#importers/shapes.ts'

/** What the conditions of an endpoint mean for a check of ours. */
export interface Meant {
  /** What its status must be, each; none: any answer is good. */
  statuses: ((status: number) => boolean)[]
  assertions: Record<string, unknown>[]
  keywordPresent: string | null
  keywordAbsent: string | null
  /** The answer must come sooner, in milliseconds. */
  fasterThanMs: number | null
  /** Days before the end of the certificate. */
  certificateDays: number | null
  /** Days before the end of the registration. */
  domainDays: number | null
  /** Values that must be among the records. */
  records: string[]
}

/** What there is to compare of an answer, by the kind of an endpoint. */
const placesOf: Record<string, readonly string[]> = {
  http: ['STATUS', 'CONNECTED', 'RESPONSE_TIME', 'CERTIFICATE_EXPIRATION', 'DOMAIN_EXPIRATION', 'BODY'],
  tcp: ['CONNECTED', 'RESPONSE_TIME', 'DOMAIN_EXPIRATION', 'BODY'],
  icmp: ['CONNECTED', 'RESPONSE_TIME', 'DOMAIN_EXPIRATION'],
  dns: ['CONNECTED', 'RESPONSE_TIME', 'DNS_RCODE', 'BODY'],
  tls: ['CONNECTED', 'CERTIFICATE_EXPIRATION', 'DOMAIN_EXPIRATION'],
  starttls: ['CONNECTED', 'RESPONSE_TIME', 'DOMAIN_EXPIRATION'],
}

const mostConditions = 50

/** Reads conditions such as `[STATUS] == 200` and `[BODY].user.name == pat*`. What cannot be meant is noted. */
export function meant(conditions: readonly string[], kind: string, standIns: StandIns): Meant {
  const found: Meant = {
    statuses: [],
    assertions: [],
    keywordPresent: null,
    keywordAbsent: null,
    fasterThanMs: null,
    certificateDays: null,
    domainDays: null,
    records: [],
  }
  const places = placesOf[kind] ?? []
  for (const condition of conditions.slice(0, mostConditions)) {
    const [, left = '', operator = '', right = ''] = /^\s*(.+?)\s*(==|!=|<=|>=|<|>)\s*(.*?)\s*$/.exec(condition) ?? []
    const [, place = '', path = ''] = /^\[([A-Z_]+)\](.*)$/i.exec(left) ?? []
    const read = { place: place.toUpperCase(), path, operator, right }
    if (!places.includes(read.place) || !add(found, kind, read))
      standIns.add(`The condition ${condition} is not carried over: add an assertion.`)
  }
  if (conditions.length > mostConditions)
    standIns.add(`Of its ${conditions.length} conditions ${mostConditions} are read: add assertions for the others.`)
  return found
}

interface Condition {
  place: string
  path: string
  operator: string
  right: string
}

/** Adds what a condition means; false: nothing here means the same. */
function add(found: Meant, kind: string, { place, path, operator, right }: Condition): boolean {
  switch (place) {
    case 'STATUS':
      return addStatus(found, operator, right)
    case 'CONNECTED':
      return operator === '==' && right === 'true'
    case 'RESPONSE_TIME':
      if (!/^[1-9]\d{0,5}$/.test(right) || !operator.startsWith('<')) return false
      found.fasterThanMs = Math.min(found.fasterThanMs ?? Infinity, Number(right))
      return true
    case 'CERTIFICATE_EXPIRATION':
      found.certificateDays = daysOf(operator, right)
      return found.certificateDays !== null
    case 'DOMAIN_EXPIRATION':
      found.domainDays = daysOf(operator, right)
      return found.domainDays !== null
    case 'DNS_RCODE':
      return operator === '==' && right === 'NOERROR'
    case 'BODY':
      return addBody(found, kind, { path, operator, right })
    default:
      return false
  }
}

/** A pattern of Gatus, in which `*` and `?` stand for other characters. */
const patternOf = (glob: string) =>
  new RegExp(
    `^${glob
      .replace(/[^*?\w]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  )

function addStatus(found: Meant, operator: string, right: string): boolean {
  const holds = statusTest(operator, right)
  if (holds) found.statuses.push(holds)
  return holds !== null
}

function statusTest(operator: string, right: string): ((status: number) => boolean) | null {
  const pattern = /^pat\(([\d*?]{1,10})\)$/.exec(right)?.[1]
  const among = (/^any\(([\d,\s]+)\)$/.exec(right)?.[1] ?? right).split(',').map(each => each.trim())
  const isAmong = pattern
    ? (status: number) => patternOf(pattern).test(String(status))
    : (status: number) => among.includes(String(status))
  if (!pattern && !among.every(each => /^\d{1,3}$/.test(each))) return null
  if (operator === '==') return isAmong
  if (operator === '!=') return status => !isAmong(status)
  const limit = Number(right)
  if (!Number.isInteger(limit)) return null
  if (operator === '<') return status => status < limit
  if (operator === '<=') return status => status <= limit
  return operator === '>' ? status => status > limit : status => status >= limit
}

function daysOf(operator: string, right: string): number | null {
  const [, number, unit] = /^(\d+)(h|d)$/.exec(right) ?? []
  if (!number || !operator.startsWith('>')) return null
  return Math.min(365, Math.max(1, Math.round(unit === 'h' ? Number(number) / 24 : Number(number))))
}

const plainPath = /^(\.[\w-]+|\[\d+\])+$/

function addBody(found: Meant, kind: string, { path, operator, right }: Omit<Condition, 'place'>): boolean {
  const pattern = /^pat\((.*)\)$/.exec(right)?.[1]
  if (path === '') {
    const inner = /^\*([^*?[\]\\]{1,500})\*$/.exec(pattern ?? '')?.[1]
    if (operator === '!=' && kind === 'http' && inner && found.keywordAbsent === null) {
      found.keywordAbsent = inner
      return true
    }
    if (operator !== '==') return false
    if (inner && found.keywordPresent === null) found.keywordPresent = inner
    else if (pattern !== undefined || /^\w+\(/.test(right) || kind === 'tcp') {
      // the only record of a DNS answer may be a pattern, which our records cannot be
      return false
    } else {
      found.records.push(right)
      found.assertions.push({ source: 'body', comparison: 'equals', target: right })
    }
    return true
  }
  const compared = comparisonOf(operator, right)
  if (!plainPath.test(path) || compared === null || /^\w+\(/.test(right)) return false
  found.assertions.push({ source: 'json', property: path.replace(/^\./, ''), ...compared })
  return true
}
