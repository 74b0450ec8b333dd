import type { StandIns } from '#control-plane/monitoring/migrations/sources/shapes.ts'

/** What the conditions of an endpoint mean for a check of ours. */
export interface Meant {
  expectedStatus: string[]
  assertions: Record<string, unknown>[]
  keywordPresent: string | null
  degradedAfterMs: number | null
  /** Days before the end of the certificate. */
  certificateDays: number | null
  /** Days before the end of the registration. */
  domainDays: number | null
  /** Values that must be among the records. */
  records: string[]
}

const comparisons: Record<string, string> = {
  '==': 'equals',
  '!=': 'not_equals',
  '<': 'less_than',
  '<=': 'less_than',
  '>': 'greater_than',
  '>=': 'greater_than',
}

/** Reads conditions such as `[STATUS] == 200` and `[BODY].user.name == pat*`. What cannot be meant is noted. */
export function meant(conditions: readonly string[], standIns: StandIns): Meant {
  const found: Meant = {
    expectedStatus: [],
    assertions: [],
    keywordPresent: null,
    degradedAfterMs: null,
    certificateDays: null,
    domainDays: null,
    records: [],
  }
  for (const condition of conditions.slice(0, 50)) {
    const [, left = '', operator = '', right = ''] = /^\s*(.+?)\s*(==|!=|<=|>=|<|>)\s*(.*?)\s*$/.exec(condition) ?? []
    if (!add(found, { left, operator, right }))
      standIns.add(`The condition ${condition} is not carried over: add an assertion.`)
  }
  return found
}

interface Condition {
  left: string
  operator: string
  right: string
}

/** Adds what a condition means; false: nothing here means the same. */
function add(found: Meant, { left, operator, right }: Condition): boolean {
  const [, place = '', path = ''] = /^\[([A-Z_]+)\](.*)$/.exec(left) ?? []
  switch (place) {
    case 'STATUS':
      return addStatus(found, operator, right)
    case 'CONNECTED':
      return operator === '==' && right === 'true'
    case 'RESPONSE_TIME':
      if (!/^[1-9]\d{0,5}$/.test(right) || !operator.startsWith('<')) return false
      found.assertions.push({ source: 'time', comparison: 'less_than', target: Number(right) })
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
      return addBody(found, path, operator, right)
    default:
      return false
  }
}

function addStatus(found: Meant, operator: string, right: string): boolean {
  const among = /^any\(([\d,\s]+)\)$/.exec(right)?.[1]?.split(',') ?? [right]
  const statuses = among.map(each => each.trim())
  if (!statuses.every(status => /^[1-5]\d\d$/.test(status))) return false
  const status = Number(statuses[0])
  if (operator === '==') found.expectedStatus.push(...statuses)
  else if (operator === '<' && status > 100) found.expectedStatus.push(`100-${status - 1}`)
  else if (operator === '<=') found.expectedStatus.push(`100-${status}`)
  else return false
  return true
}

function daysOf(operator: string, right: string): number | null {
  const [, number, unit] = /^(\d+)(h|d)$/.exec(right) ?? []
  if (!number || !operator.startsWith('>')) return null
  return Math.min(365, Math.max(1, Math.round(unit === 'h' ? Number(number) / 24 : Number(number))))
}

const plainPath = /^(\.[\w-]+|\[\d+\])+$/

function addBody(found: Meant, path: string, operator: string, right: string): boolean {
  const pattern = /^pat\((.*)\)$/.exec(right)?.[1]
  if (path === '') {
    if (operator !== '==') return false
    const inner = /^\*([^*]{1,500})\*$/.exec(pattern ?? '')?.[1]
    if (inner && found.keywordPresent === null) found.keywordPresent = inner
    else if (pattern !== undefined || /^\w+\(/.test(right)) {
      // the only record of a DNS answer may be a pattern, which our records cannot be
      return false
    } else {
      found.records.push(right)
      found.assertions.push({ source: 'body', comparison: 'equals', target: right })
    }
    return true
  }
  const comparison = comparisons[operator]
  if (!plainPath.test(path) || comparison === undefined || /^\w+\(/.test(right)) return false
  found.assertions.push({ source: 'json', property: path.replace(/^\./, ''), comparison, target: right })
  return true
}
