import generated from '../../contract/check-kinds.json' with { type: 'json' }
import type { components } from '../api-types.d.ts'

type CheckType = components['schemas']['CheckType']

interface Kind {
  /** A failure means that the target is down. */
  isReachability?: boolean
  uptimeRank?: number
  offered?: { website?: string; host?: string; needs?: 'domain' | 'port' | 'tls' }
}

/** What each kind of check says of itself. */
const kinds = generated as Record<CheckType, Kind>
const kindNames = Object.keys(kinds) as CheckType[]

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
  isDefault: boolean
}

/** The checks that a new monitor of this address can have: the usual ones first, and of those the general ones. */
export function offeredChecks({ type, url, port }: Guess): OfferedCheck[] {
  const has = { domain: hasDomain(url), port: port !== null, tls: !/^http:\/\//i.test(url) }
  const orderOf = ({ type: kind, isDefault }: OfferedCheck) =>
    (isDefault ? 0 : 2) + (kinds[kind].offered?.needs ? 1 : 0)
  return kindNames
    .flatMap(kind => {
      const { [type]: offer, needs } = kinds[kind].offered ?? {}
      return offer && (!needs || has[needs]) ? [{ type: kind, isDefault: offer === 'default' }] : []
    })
    .toSorted((a, b) => orderOf(a) - orderOf(b))
}

/** Whether a failure of a check of this kind means that the target is down. */
export const isReachability = (kind: string): boolean => kinds[kind as CheckType]?.isReachability === true

/** Whether the checks of a monitor are run in regions: a job and a server report themselves. */
export const hasRuns = ({ type }: Pick<components['schemas']['Monitor'], 'type'>) =>
  type === 'website' || type === 'host'

/** Kinds that stand for the uptime of a monitor, in the order in which they are preferred. */
const uptimeKinds = kindNames
  .filter(kind => kinds[kind].uptimeRank !== undefined)
  .toSorted((a, b) => (kinds[a].uptimeRank ?? 0) - (kinds[b].uptimeRank ?? 0))

/** The check whose response times are those of the monitor. */
export const mainCheck = <Of extends { type: CheckType; is_enabled: boolean }>(checks: readonly Of[]): Of | undefined =>
  uptimeKinds.map(kind => checks.find(({ type }) => type === kind)).find(check => check !== undefined) ?? checks[0]
