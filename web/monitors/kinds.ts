import type { components } from '../api-types.d.ts'

type CheckType = components['schemas']['CheckType']

/** What a new monitor can be: a website has an address with a scheme, a host a name or an IP address. */
export type WatchedType = 'website' | 'host'

export interface Guess {
  type: WatchedType
  /** The address as it is sent. */
  url: string
  name: string
  /** The port of a host, for a check of it. */
  port: number | null
}

const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
const ipv6 = /^\[?[\da-f]*:[\da-f:.]+\]?$/i
const webPorts = new Set(['80', '443', '3000', '8000', '8080', '8443'])

/** What a typed address most likely means. A port that no website uses, or a bare IP address, means a host. */
export function guess(text: string): Guess {
  const typed = text.trim()
  if (/^https?:\/\//i.test(typed)) return { type: 'website', url: typed, name: nameOf(typed), port: null }
  const bare = typed.replace(/^host:\/\//i, '')
  const isNamedHost = bare !== typed
  if (ipv6.test(bare)) return { type: 'host', url: bare, name: bare, port: null }
  const [host = '', port] = bare.split(':')
  const isHost = isNamedHost || ipv4.test(host) || (port !== undefined && /^\d+$/.test(port) && !webPorts.has(port))
  if (isHost) return { type: 'host', url: host, name: host, port: port && /^\d+$/.test(port) ? Number(port) : null }
  return { type: 'website', url: typed, name: nameOf(`https://${typed}`), port: null }
}

function nameOf(url: string): string {
  if (!URL.canParse(url)) return ''
  return new URL(url).hostname.replace(/^www\./, '')
}

/** Whether an address has a name that somebody registered: not an IP address, nor a name of a local network. */
function hasDomain(url: string): boolean {
  const host = url.replace(/^https?:\/\//i, '').split(/[/:?#]/)[0] ?? ''
  return host.includes('.') && !ipv4.test(host) && !host.endsWith('.local') && !host.endsWith('.internal')
}

export interface OfferedCheck {
  type: CheckType
  /** Whether it is switched on unless a person says otherwise. */
  isUsual: boolean
}

const websiteKinds = [
  'uptime',
  'ssl',
  'domain_expiry',
  'dns',
  'security_headers',
  'redirect_chain',
  'robots_txt',
  'sitemap',
  'dnsbl',
] as const satisfies readonly CheckType[]
const hostKinds = ['ping', 'tcp', 'dns', 'ssl', 'dnsbl'] as const satisfies readonly CheckType[]

/** The checks that a new monitor of this address can have, the usual ones first. */
export function offeredChecks({ type, url, port }: Guess): OfferedCheck[] {
  if (type === 'host')
    return hostKinds
      .filter(kind => kind !== 'tcp' || port !== null)
      .filter(kind => kind !== 'dns' || hasDomain(url))
      .map(kind => ({ type: kind, isUsual: kind === 'ping' || kind === 'tcp' }))
  const isSecure = !/^http:\/\//i.test(url)
  return websiteKinds
    .filter(kind => kind !== 'ssl' || isSecure)
    .filter(kind => (kind !== 'domain_expiry' && kind !== 'dns') || hasDomain(url))
    .map(kind => ({ type: kind, isUsual: kind === 'uptime' || kind === 'ssl' || kind === 'domain_expiry' }))
}

/** Whether the checks of a monitor are run in regions: a job and a server report themselves. */
export const hasRuns = ({ type }: Pick<components['schemas']['Monitor'], 'type'>) =>
  type === 'website' || type === 'host'

/** Kinds that stand for the uptime of a monitor, in the order in which they are preferred. */
const uptimeKinds: readonly CheckType[] = ['uptime', 'tcp', 'ping', 'dns', 'ssl', 'cron', 'agent']

/** The check whose response times are those of the monitor. */
export const mainCheck = <Of extends { type: CheckType; is_enabled: boolean }>(checks: readonly Of[]): Of | undefined =>
  uptimeKinds.map(kind => checks.find(({ type }) => type === kind)).find(check => check !== undefined) ?? checks[0]
