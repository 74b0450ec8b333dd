import { Sentence } from '#contract/sentence.ts'
import { type FieldErrors, invalid, Refusal } from '#control-plane/base/refusal.ts'
import { type PingState, pingStates } from './heartbeat.ts'

/** A ping as its job sent it. */
export interface Report {
  state: PingState
  runId: string | null
  exitCode: number | null
  output: string | null
  /**
   * By the rules of Healthchecks: a start ends the run before, an end without an id ends any, and a start is no ping in
   * the schedule.
   */
  isOnlyRun?: boolean
}

/** Bytes of output that are kept, from its beginning. */
export const maxOutputBytes = 10_240
export const maxBodyBytes = 262_144

export const plainReport: Report = Object.freeze({ state: 'ok', runId: null, exitCode: null, output: null })

const logReport: Report = Object.freeze({ ...plainReport, state: 'log' })

/** Of a ping by GET: its query is not heeded, but a job that says in it that it has not succeeded has not. */
export function reportOfQuery(query: string): Report {
  if (query === '' || !/state|exit_code|%/i.test(query)) return plainReport
  const said = [...new URLSearchParams(query)]
  const isGood = said.every(([name, value]) => {
    const field = base(name)
    if (field === 'state') return /^(ok|complete)$/i.test(value)
    return field !== 'exit_code' || /^[+-]?0*$/.test(value)
  })
  return isGood ? plainReport : logReport
}

const runIdShape = /^[\w.:-]{1,64}$/

/** Parses the body of a ping, or refuses it: a report that cannot be parsed must not count as a good one. */
export function readReport(body: Buffer, contentType: string | undefined): Report {
  if (body.length === 0) return plainReport
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters.map(text => text.trim()).find(text => text.startsWith('charset='))
  if (charset && !/^charset="?(utf-?8|us-ascii)"?$/.test(charset)) throw invalid({ body: ['Send the body in UTF-8.'] })
  const text = body.toString('utf8')
  switch (type.trim()) {
    case 'application/x-www-form-urlencoded':
      return reportOf(readForm(text), text)
    case 'application/json':
      return reportOf(readObject(text), text)
    default:
      throw new Refusal(
        415,
        'unsupported_media_type',
        'Send the body as application/x-www-form-urlencoded or application/json.',
      )
  }
}

/** The longest field name with each character escaped. */
const longestName = 3 * 'exit_code['.length

type Fields = Map<string, unknown>

/** A posted log has none of our fields and is stored as output; one of our names in another case is an error. */
function readForm(text: string): Fields {
  const fields: Fields = new Map()
  for (const [name, value] of pairsOf(text)) {
    if (!isOurs(name)) continue
    if (fields.has(name) || !names.has(name)) throw invalid({ [base(name)]: ['Give this field once, as plain text.'] })
    fields.set(name, value)
  }
  return fields
}

/** A name that is one of ours, or may be after unescaping. */
const plausible = /^(?:[^=]*%|state|rid|exit_code|output)/i
const plausibleAtMost = 1_000

/** Pairs of a form whose names may be ours. Unescaping all pairs of a large log would take long. */
function* pairsOf(text: string): Generator<[name: string, value: string]> {
  let found = 0
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('&', at)
    const end = next === -1 ? text.length : next
    const name = text.slice(at, Math.min(end, at + longestName))
    if (plausible.test(name)) {
      if (++found > plausibleAtMost) throw invalid({ body: ['Has too many fields. Send a log as the field `output`.'] })
      yield* new URLSearchParams(text.slice(at, end))
    }
    at = end + 1
  }
}

function readObject(text: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalid({ body: ['Must be valid JSON.'] })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid({ body: ['Must be an object.'] })
  const fields: Fields = new Map()
  for (const [name, given] of Object.entries(value)) {
    if (!isOurs(name)) continue
    if (!names.has(name)) throw invalid({ [base(name)]: ['Write the name of this field in small letters.'] })
    fields.set(name, given)
  }
  return fields
}

const names = new Set(['state', 'rid', 'exit_code', 'output'])
const base = (name: string) => name.toLowerCase().replace(/\[.*$/, '')
const isOurs = (name: string) => names.has(base(name))

function reportOf(fields: Fields, whole: string): Report {
  const errors: FieldErrors = {}
  const state = fields.get('state')
  const known = pingStates.find(known => known === state)
  if (fields.has('state') && !known)
    errors.state = [new Sentence('Must be one of {values}.', { values: pingStates.join(', ') })]
  const rid = fields.get('rid') ?? null
  if (rid !== null && !(typeof rid === 'string' && runIdShape.test(rid)))
    errors.rid = ['Must be up to 64 letters, digits, dots, colons, dashes or underscores.']
  const code = exitCodeOf(fields.get('exit_code'))
  if (code === undefined) errors.exit_code = ['Must be a whole number.']
  const output = fields.get('output') ?? null
  if (output !== null && typeof output !== 'string') errors.output = ['Must be text.']
  if (Object.keys(errors).length > 0) throw invalid(errors)

  const said = known ?? 'ok'
  const hasFailed = (said === 'ok' || said === 'complete') && code !== null && code !== 0
  return {
    state: hasFailed ? 'fail' : said,
    runId: typeof rid === 'string' ? rid : null,
    exitCode: code ?? null,
    output: storable(typeof output === 'string' ? output : fields.size === 0 ? whole : null),
  }
}

/** undefined: not an exit code. */
function exitCodeOf(given: unknown): number | null | undefined {
  if (given === undefined || given === null || given === '') return null
  const number = typeof given === 'string' && /^-?\d{1,10}$/.test(given) ? Number(given) : given
  return typeof number === 'number' && Number.isInteger(number) && Math.abs(number) <= 0x7fff_ffff ? number : undefined
}

/** Output as it is stored: cut at a whole character, without characters that PostgreSQL cannot store. */
export function storable(text: string | null): string | null {
  if (text === null || text === '') return null
  const clean = text.replaceAll('\0', '\uFFFD').toWellFormed()
  if (clean.length * 3 <= maxOutputBytes || Buffer.byteLength(clean) <= maxOutputBytes) return clean
  const bytes = Buffer.from(clean.slice(0, maxOutputBytes))
  let end = Math.min(maxOutputBytes, bytes.length)
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}
