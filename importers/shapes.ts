import { z } from 'zod'
import { plainText } from '#contract/line.ts'
import type { SourceItem, Wanted } from './source.ts'

/*
 * What the readers of sources share: forgiving schemas for documents of others, and monitors from plain values. A
 * value of another shape than expected is as if it were missing; it never fails the whole source.
 */

/** A text, also where the source has a number; cut. */
export const text = (most = 2_048) =>
  z.preprocess(
    value => (typeof value === 'number' || typeof value === 'bigint' ? String(value) : value),
    z
      .string()
      .transform(found => found.replaceAll('\0', '').slice(0, most))
      .nullable()
      .catch(null),
  )
export const number = z.preprocess(
  value => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
  z.number().finite().nullable().catch(null),
)
export const flag = z.preprocess(
  value => (value === 1 || value === '1' || value === 'true' ? true : value === 0 || value === '0' ? false : value),
  z.boolean().nullable().catch(null),
)
/** All of a list: a job may have thousands of targets, and an alert as many statuses as there are. */
export const texts = z.array(z.union([z.string(), z.number()]).transform(String)).catch([])
export const record = z.record(z.string(), z.unknown()).catch({})

/** The records of a list, each an object; whatever else stands in it is left out. */
export const records = z
  .array(z.unknown())
  .catch([])
  .transform(found =>
    found.filter(
      (each): each is Record<string, unknown> => typeof each === 'object' && each !== null && !Array.isArray(each),
    ),
  )

export const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))
export const oneLine = (value: string, most: number) =>
  plainText(value)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, most)
export const tagsOf = (found: readonly (string | null | undefined)[]) =>
  [...new Set(found.map(tag => oneLine((tag ?? '').replaceAll(',', ' '), 50)).filter(Boolean))].slice(0, 20)

const mostNotes = 40
const noteChars = 500
const nameChars = 80

/** Collects the notes of one item, each once. Of a document made to have very many the last note says that there are more. */
export class StandIns {
  readonly said: string[] = []

  add(note: string): void {
    const line = oneLine(note, noteChars)
    if (this.said.includes(line)) return
    if (this.said.length < mostNotes) this.said.push(line)
    else if (this.said.length === mostNotes) this.said.push('There is more of it that is not carried over.')
  }

  /** A note that ends in names, as several where they are too long for one. */
  addNames(note: string, names: readonly string[]): void {
    let part: string[] = []
    const say = () => {
      if (part.length > 0) this.add(`${note}: ${part.join(', ')}.`)
      part = []
    }
    for (const name of names.map(each => oneLine(each, nameChars))) {
      if ([note, ...part, name].join(', ').length > noteChars - 2) say()
      part.push(name)
    }
    say()
  }
}

interface Same {
  name: string
  intervalS: number | null
  timeoutS?: number | null
  confirmations?: number | null
  tags?: readonly (string | null | undefined)[]
  group?: string | null
  notes?: string | null
}

/** The fields that a monitor of either type has, within our bounds. */
function sameFields({ name, intervalS, timeoutS, confirmations, tags, group, notes }: Same, standIns: StandIns) {
  const interval = intervalS === null ? null : Math.round(intervalS)
  const check_interval = interval === null ? undefined : clamp(interval, 1, 86_400)
  if (interval !== null && interval > 86_400) standIns.add('It is checked once a day, the longest interval there is.')
  const timeout = Math.min(clamp(Math.round(timeoutS ?? 10), 1, 60), check_interval ?? 60)
  if (timeoutS && timeoutS > 60) standIns.add('A run is given up after 60 seconds, the longest timeout there is.')
  return {
    name: oneLine(name, 255) || 'Unnamed',
    ...(check_interval !== undefined && { check_interval }),
    timeout,
    ...(confirmations != null && { confirmations: clamp(Math.round(confirmations), 1, 10) }),
    ...(tags && { tags: tagsOf(tags) }),
    ...(group && { group: oneLine(group, 100) || null }),
    ...(notes && { notes: plainText(notes).slice(0, 5_000) }),
  }
}

export interface Site extends Same {
  url: string
  settings: Record<string, unknown>
  /** Warns before the certificate ends; of a list these many days before. */
  sslDays?: number | readonly number[] | null
  /** Further checks of it. */
  more?: readonly MoreCheck[]
}

export type MoreCheck = NonNullable<Extract<Wanted, { of: 'monitor' }>['body']['checks']>[number]

/**
 * A website with an uptime check, and with one of its certificate if the source warned of it. Other providers know no
 * status that is a warning: one that is not expected is an outage there, and stays one.
 */
export const site = ({ url, settings, sslDays, more = [], ...same }: Site, standIns: StandIns): Wanted => ({
  of: 'monitor',
  body: {
    ...sameFields(same, standIns),
    type: 'website',
    url,
    checks: [
      { type: 'uptime', settings: { warning_status: [], ...settings } },
      ...(sslDays != null && /^https:/i.test(url) ? [{ type: 'ssl' as const, settings: ladderOf(sslDays) }] : []),
      ...more,
    ],
  },
})

/** The days before the end of a certificate at which a source warns. */
function ladderOf(found: number | readonly number[]): { warn_days?: number[] } {
  const days = (Array.isArray(found) ? found : []).map(Math.round).filter(day => day >= 1 && day <= 365)
  return days.length > 0 ? { warn_days: [...new Set(days)].toSorted((a, b) => b - a).slice(0, 10) } : {}
}

/** A host with a ping, a port or DNS records to check. */
export const host = (
  {
    address,
    kind,
    settings,
    more = [],
    ...same
  }: Same & {
    address: string
    kind: 'ping' | 'tcp' | 'dns' | 'ssl'
    settings: Record<string, unknown>
    more?: readonly MoreCheck[]
  },
  standIns: StandIns,
): Wanted => ({
  of: 'monitor',
  body: {
    ...sameFields(same, standIns),
    type: 'host',
    url: address.replace(/^\[(.*)\]$/, '$1'),
    checks: [{ type: kind, settings }, ...more],
  },
})

export interface Job {
  name: string
  periodS?: number | null
  schedule?: string | null
  timezone?: string | null
  graceS: number | null
  /** The most that a run may take from its start. */
  maxRunS?: number | null
  tags?: readonly (string | null | undefined)[]
  group?: string | null
  notes?: string | null
  /** Output with this text is a failure. */
  failKeyword?: string | null
}

const longestRunS = 604_800
const minutes = (seconds: number, most: number) => clamp(Math.ceil(seconds / 60), 1, most)

/** A job that reports to us. */
export function job(
  { name, periodS, schedule, timezone, graceS, maxRunS, tags, group, notes, failKeyword }: Job,
  standIns: StandIns,
): Wanted {
  const {
    check_interval: _,
    timeout: __,
    ...same
  } = sameFields(
    { name, intervalS: null, ...(tags && { tags }), ...(group && { group }), ...(notes && { notes }) },
    standIns,
  )
  if (!schedule && periodS && periodS % 60 !== 0)
    standIns.add(`Periods are whole minutes: ${minutes(periodS, 525_600)} minutes in place of ${periodS} seconds.`)
  if (graceS !== null && graceS > 86_400) standIns.add('The grace time is one day, the longest there is.')
  else if (graceS !== null && graceS % 60 !== 0)
    standIns.add(`Grace times are whole minutes: ${minutes(graceS, 1_440)} minutes in place of ${graceS} seconds.`)
  if (maxRunS && maxRunS > longestRunS)
    standIns.add('A run may take any time here, as its limit there is longer than a week, the longest there is.')
  return {
    of: 'cron',
    body: {
      ...same,
      grace_minutes: minutes(graceS ?? 300, 1_440),
      ...(maxRunS && maxRunS <= longestRunS && { max_run_minutes: minutes(maxRunS, longestRunS / 60) }),
      ...(failKeyword && { fail_keyword: failKeyword.slice(0, 100) }),
      ...(schedule
        ? { schedule_kind: 'cron' as const, schedule, timezone: timezone || 'UTC' }
        : { schedule_kind: 'simple' as const, period_minutes: minutes(periodS ?? 3_600, 525_600) }),
    },
  }
}

/** Statuses as our settings write them, of a list such as `200-299` and `301`; empty if none can be read. */
export const statusesOf = (found: readonly unknown[]): string[] =>
  found
    .map(status => String(status).trim())
    .filter(status => /^[1-5]\d\d(-[1-5]\d\d)?$/.test(status))
    .slice(0, 20)

const [firstStatus, lastStatus] = [200, 599]

/** The statuses of final answers for which something holds, as ranges. */
export function statusRangesWhere(holds: (status: number) => boolean): string[] {
  const ranges: string[] = []
  for (let from = firstStatus; from <= lastStatus; ) {
    if (!holds(from)) {
      from++
      continue
    }
    let to = from
    while (to < lastStatus && holds(to + 1)) to++
    ranges.push(from === to ? String(from) : `${from}-${to}`)
    from = to + 1
  }
  return ranges
}

/** Headers that a check may send; those that only the check itself sets are left out. */
export function headersOf(found: Record<string, unknown>, standIns: StandIns): Record<string, string> {
  const own = new Set([
    'connection',
    'content-length',
    'expect',
    'keep-alive',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
  ])
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(found).slice(0, 50)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue
    if (!/^[!#$%&'*+.^_`|~0-9a-zA-Z-]{1,100}$/.test(name))
      standIns.add('A header whose name cannot be sent is left out.')
    else if (own.has(name.toLowerCase()) || /^proxy-/i.test(name))
      standIns.add(`The header ${name} is set by the check itself.`)
    else headers[name] = String(value)
  }
  return headers
}

const comparisons: Record<string, string> = {
  '==': 'equals',
  '!=': 'not_equals',
  '<': 'less_than',
  '<=': 'less_than',
  '>': 'greater_than',
  '>=': 'greater_than',
  contains: 'contains',
}
/** Ours have no "or equal": a limit that much further includes it. */
const epsilon = 1e-6

/** The comparison of an assertion for an operator such as `>=`; null: none means the same. */
export function comparisonOf(operator: string, target: string): { comparison: string; target: string } | null {
  const comparison = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
  if (comparison === undefined) return null
  const limit = Number(target)
  const isOrdered = comparison.endsWith('than')
  if (isOrdered && (target.trim() === '' || !Number.isFinite(limit))) return null
  if (!operator.endsWith('=') || !isOrdered) return { comparison, target }
  return { comparison, target: String(operator === '<=' ? limit + epsilon : limit - epsilon) }
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
export function methodOf(found: string | null, standIns: StandIns): string {
  const method = (found ?? 'GET').toUpperCase()
  if (methods.includes(method)) return method
  standIns.add(`The method ${oneLine(method, 20)} is not sent; GET stands in.`)
  return 'GET'
}

/** Adds the Content-Type that a source sends with a body by itself; a header of the monitor's own goes before it. */
export function typeBody(headers: Record<string, string>, type: string): void {
  if (!Object.keys(headers).some(name => name.toLowerCase() === 'content-type')) headers['Content-Type'] = type
}

export const formType = 'application/x-www-form-urlencoded'
export const jsonType = 'application/json'

/** Names and values as a form sends them. */
export const formOf = (found: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.entries(found).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString()

/** An item that cannot be carried over. */
export const leftOut = (
  item: Pick<SourceItem, 'kind' | 'sourceId' | 'sourceKind' | 'name'>,
  reason: string,
): SourceItem => ({
  ...item,
  name: oneLine(item.name, 255) || 'Unnamed',
  wanted: null,
  reason,
  standIns: [],
  isEnabled: false,
})

export const monitorItem = (
  item: Pick<SourceItem, 'sourceId' | 'sourceKind' | 'name' | 'isEnabled'>,
  wanted: Wanted,
  { said }: StandIns,
): SourceItem => ({ kind: 'monitor', ...item, name: oneLine(item.name, 255) || 'Unnamed', wanted, standIns: said })

/** A monitor of the source: with what `convert` makes of it, which is one of ours or the reason why there is none. */
export function itemOf(
  item: Pick<SourceItem, 'sourceId' | 'sourceKind' | 'name' | 'isEnabled'>,
  convert: (standIns: StandIns) => Wanted | string,
): SourceItem {
  const monitor = { kind: 'monitor' as const, ...item }
  if (item.sourceId === '') return leftOut({ ...monitor, sourceId: `no id ${item.name}` }, 'It has no id.')
  const standIns = new StandIns()
  const wanted = convert(standIns)
  return typeof wanted === 'string' ? leftOut(monitor, wanted) : monitorItem(monitor, wanted, standIns)
}

/** What is said of a job whose old ping address counts here too. */
export const keptPingAddress =
  'Its old ping address counts here as well, once its host name leads here; else send its pings to the new one.'
/** What is said of a job whose old ping address another heartbeat has, of this team or another. */
export const takenPingAddress =
  'Its old ping address leads to another heartbeat here already, and stays with that: send its pings to the new one.'
/** What is said of a job whose old ping address cannot count here: its machine must send to ours from now on. */
export const newPingAddress = 'Its ping address changes: send the pings of this job to the new one.'

/** The parts of `host:port`, with or without a scheme; both are empty where there is no port. */
export function hostAndPort(written: string | null): { address: string; port: string } {
  const [, address = '', port = ''] = /^(?:[a-z]+:\/\/)?(.*):(\d{1,5})\/?$/i.exec(written ?? '') ?? []
  return { address, port }
}
