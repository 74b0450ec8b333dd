import { parseDate } from './dates.ts'
import { maxText, oneOfEach, plainName, type Registration, statusCode } from './registration.ts'

const maxLines = 3_000
const maxLineChars = 500

/** Query formats of servers that deviate from RFC 3912. */
const questions: Record<string, (domain: string) => string> = {
  'whois.denic.de': domain => `-T dn ${domain}`,
  'whois.jprs.jp': domain => `${domain}/e`,
  'whois.verisign-grs.com': domain => `domain ${domain}`,
}

export const whoisQuestion = (server: string, domain: string) => `${(questions[server] ?? String)(domain)}\r\n`

const labels = {
  expires: new Set([
    'registry expiry date',
    'registrar registration expiration date',
    'expiration date',
    'expiration time',
    'expiry date',
    'expire date',
    'expire-date',
    'expires on',
    'expires',
    'expire',
    'expiry',
    'expiration',
    'exp date',
    'domain expires',
    'domain expiration date',
    'record expires on',
    'record expires',
    'registration expires',
    'registered until',
    'paid-till',
    'paid till',
    'billed until',
    'valid until',
    'valid-date',
    'validity',
    'renewal date',
    'renewal',
    'fecha de expiracion',
    'fecha de vencimiento',
    'data de expiração',
    'data de expiracao',
    '有効期限',
  ]),
  registered: new Set([
    'creation date',
    'created on',
    'created date',
    'created',
    'registered on',
    'registered date',
    'registered',
    'registration time',
    'registration date',
    'domain registered',
    'record created on',
    'first registration date',
    'assigned',
  ]),
  updated: new Set([
    'updated date',
    'last updated',
    'last updated on',
    'last-update',
    'last modified',
    'modified',
    'changed',
    'last update',
  ]),
  registrar: new Set(['registrar', 'registrar name', 'sponsoring registrar', 'registrar organization', 'reseller']),
  status: new Set(['domain status', 'status', 'state', 'eppstatus', 'registration status', 'domain state']),
  nameserver: new Set(['name server', 'name servers', 'nserver', 'nameserver', 'nameservers', 'dns', 'host name']),
  signed: new Set(['dnssec', 'ds', 'ds-rdata', 'dsrecord']),
  referral: new Set(['registrar whois server', 'whois server', 'refer', 'referralserver', 'whois']),
  domain: new Set(['domain name', 'domain', 'domainname']),
} as const

const absent =
  /^[%#*> ]*(?:no match|not found|no entries found|no data found|no object found|no information (?:available|was found)|nothing found|no found|domain (?:name )?(?:".{1,253}" )?(?:is )?(?:not (?:found|registered)|available)|status:\s*(?:free|available|not registered)|.{1,253} is (?:free|available for (?:registration|purchase)|not registered)|the queried object does not exist|object does not exist|no such domain|available$)/i
const refusals =
  /limit (?:is )?exceeded|exceeded .{0,40}(?:limit|quota|queries)|too many (?:requests|queries|connections)|quota|rate.?limit|try again (?:later|in)|access (?:denied|restricted|control)|blacklisted|%error:\s*(?:201|230)|temporarily unavailable|not authori[sz]ed|excessive/i

export type WhoisAnswer =
  | { code: 'found'; registration: Registration; referral: string | null }
  | { code: 'absent' | 'refused' | 'unclear' }

/** Parses a WHOIS answer. There is no format, only conventions: labels and their values, line by line. */
export function readWhois(text: string, domain: string): WhoisAnswer {
  const lines = text
    .slice(0, 200_000)
    .split(/\r\n|\n|\r/, maxLines)
    .map(line => line.slice(0, maxLineChars))
  const fields = fieldsOf(lines)
  const all = (names: ReadonlySet<string>) =>
    fields.flatMap(([label, value]) => (names.has(label) && value ? [value] : []))
  const date = (names: ReadonlySet<string>) => all(names).map(parseDate).find(Boolean) ?? null
  const named = all(labels.domain).map(plainName)
  // Japan puts the expiry date of an organisation's name into its state: `Connected (2027/03/31)`.
  const inState = all(labels.status).flatMap(value => /\((\d{4}\/\d\d\/\d\d)\)/.exec(value)?.[1] ?? [])[0]
  const expires_at = date(labels.expires) ?? (inState === undefined ? null : parseDate(inState))
  const registered_at = date(labels.registered)
  const nameservers = oneOfEach(all(labels.nameserver).map(value => plainName(value.split(/[\s,[(]/)[0] ?? ''))).filter(
    name => /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(name),
  )
  const isAbout = named.length === 0 || named.includes(domain)
  const isEmpty = expires_at === null && registered_at === null && nameservers.length === 0
  if (isEmpty && lines.some(line => absent.test(line))) return { code: 'absent' }
  if (isEmpty && refusals.test(text.slice(0, 10_000))) return { code: 'refused' }
  if (!isAbout || (isEmpty && !named.includes(domain))) return { code: 'unclear' }
  const signed = all(labels.signed)[0]
  return {
    code: 'found',
    registration: {
      registered_at,
      updated_at: date(labels.updated),
      expires_at,
      registrar: all(labels.registrar)[0]?.slice(0, maxText) ?? null,
      statuses: oneOfEach(
        all(labels.status)
          .flatMap(value => value.split(','))
          .map(value => statusCode(value.slice(0, 100))),
      ),
      nameservers: nameservers.toSorted(),
      signed: signed === undefined ? null : !/^(?:unsigned|no|inactive|not? signed|none)/i.test(signed),
    },
    referral: hostOf(all(labels.referral)[0]),
  }
}

/** The server that IANA or a registry refers to for a domain. */
export function readReferral(text: string): string | null {
  const lines = text
    .slice(0, 50_000)
    .split(/\r\n|\n|\r/, maxLines)
    .map(line => line.slice(0, maxLineChars))
  const fields = fieldsOf(lines)
  return hostOf(fields.find(([label, value]) => (label === 'refer' || label === 'whois') && value)?.[1])
}

const hostOf = (text: string | undefined): string | null => {
  const host = plainName((text ?? '').replace(/^r?whois:\/\//i, '').replace(/[/:].*$/, ''))
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) ? host : null
}

/** Pairs of label and value. A label alone on its line applies to the lines below it, up to an empty one. */
function fieldsOf(lines: readonly string[]): [label: string, value: string][] {
  const fields: [string, string][] = []
  let heading: string | undefined
  for (const line of lines) {
    if (line.trim() === '') heading = undefined
    const field = fieldOf(line)
    if (!field) {
      if (heading && line.trim()) fields.push([heading, line.trim()])
      continue
    }
    const [label, value] = field
    if (value) fields.push([label, value])
    heading = value ? undefined : label
  }
  return fields
}

/** `Label: value`, `label.......: value`, `[Label] value`, `a. [Label] value`, `Record expires on value`. */
function fieldOf(line: string): [label: string, value: string] | null {
  const text = line.trimStart()
  if (text.startsWith('%') || text.startsWith('#') || text.startsWith('>>>')) return null
  if (/^(?:[a-z]\. ?)?\[/.test(text)) {
    const open = text.indexOf('[')
    const close = text.indexOf(']', open)
    return close < 0 ? null : [labelOf(text.slice(open + 1, close)), text.slice(close + 1).trim()]
  }
  const record = /^(record (?:expires|created) on)\s+(\S.*)$/i.exec(text)
  if (record && !record[2]?.startsWith(':')) return [labelOf(record[1] ?? ''), record[2] ?? '']
  const colon = text.indexOf(':')
  if (colon < 1 || colon > 60) return null
  return [labelOf(text.slice(0, colon)), text.slice(colon + 1).trim()]
}

/** Lower case, without leader dots and without text in brackets or another script beside it. */
const labelOf = (text: string) =>
  (text.split('/').at(-1) ?? '')
    .replace(/\([^)]*\)/g, '')
    .replace(/[.*]+$/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.]+$/, '')
    .trim()
    .toLowerCase()
