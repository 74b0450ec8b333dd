import { isIP } from 'node:net'
import { parse } from 'tldts'

interface Cookie {
  name: string
  value: string
  domain: string
  isHostOnly: boolean
  path: string
  isSecure: boolean
  /** In milliseconds; `Infinity` for a session. */
  expires: number
}

/** Limits of browsers. */
const maxCookies = 180
const maxCookieChars = 4_096
const maxAttributeChars = 1_024
/** Most characters kept for one walk: all of them may go with each of its requests. */
const maxChars = 65_536
const printable = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * The cookies of one walk along redirects, by RFC 6265. Names and values are bytes, one character a byte, and go back
 * as they came. Prefixes of names are heeded as browsers do (RFC 6265bis, 4.1.3).
 */
export class Cookies {
  /** Kept in the order of creation. */
  readonly #all = new Map<string, Cookie>()
  readonly #now: () => number

  /** `now` in milliseconds of the server's clock. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Stores the values of `Set-Cookie` of an answer (5.3). */
  store(values: readonly string[], url: URL): void {
    for (const value of values) {
      const cookie = this.#read(value, url)
      if (!cookie) continue
      const key = `${cookie.name};${cookie.domain};${cookie.isHostOnly};${cookie.path}`
      if (cookie.expires <= this.#now()) this.#all.delete(key)
      else if (this.#all.has(key) || this.#all.size < maxCookies) this.#all.set(key, cookie)
    }
  }

  /**
   * The value of `Cookie` for a request (5.4), empty where there are none. `own`: cookies of the check's settings,
   * which go first, unless the site has set one of the same name.
   */
  headerFor(url: URL, own = ''): string {
    if (this.#all.size === 0) return own
    const host = hostOf(url)
    const isSecure = url.protocol === 'https:'
    const cookies = [...this.#all.values()]
      .filter(
        cookie =>
          (cookie.isHostOnly ? cookie.domain === host : matchesDomain(host, cookie.domain)) &&
          matchesPath(url.pathname, cookie.path) &&
          (isSecure || !cookie.isSecure) &&
          cookie.expires > this.#now(),
      )
      .toSorted((one, other) => other.path.length - one.path.length)
    const names = new Set(cookies.map(({ name }) => name))
    const kept = own.split(/; */).filter(pair => pair !== '' && !names.has(trimmed(pair.split('=', 1)[0] ?? '')))
    let chars = 0
    const sent = cookies
      .map(({ name, value }) => (name === '' ? value : `${name}=${value}`))
      .filter(text => {
        chars += text.length + 2
        return chars <= maxChars
      })
    return [...kept, ...sent].join('; ')
  }

  /** One value of `Set-Cookie` (5.2 and 5.3); undefined where it is to be ignored. */
  #read(text: string, url: URL): Cookie | undefined {
    if (!printable.test(text)) return
    const [pair = '', ...rest] = text.split(';')
    const at = pair.indexOf('=')
    const name = at < 0 ? '' : trimmed(pair.slice(0, at))
    const value = trimmed(pair.slice(at + 1))
    if ((name === '' && value === '') || name.length + value.length > maxCookieChars) return
    const attributes = new Map(rest.map(attributeOf).filter(([, each]) => each.length <= maxAttributeChars))
    const host = hostOf(url)
    const named = attributes.get('domain')?.replace(/^\./, '').toLowerCase() || undefined
    const domain = named === undefined || (isPublicSuffix(named) && named === host) ? undefined : named
    if (domain !== undefined && (isPublicSuffix(domain) || !matchesDomain(host, domain))) return
    const path = attributes.get('path')
    const isSecure = attributes.has('secure')
    const isAtRoot = domain === undefined && path === '/'
    if (/^__(secure|host)-/i.test(name) && !(isSecure && url.protocol === 'https:')) return
    if (/^__host-/i.test(name) && !isAtRoot) return
    return {
      name,
      value,
      domain: domain ?? host,
      isHostOnly: domain === undefined,
      path: path?.startsWith('/') ? path : defaultPath(url.pathname),
      isSecure,
      expires: this.#expiryOf(attributes),
    }
  }

  /** `Max-Age` comes before `Expires`. */
  #expiryOf(attributes: ReadonlyMap<string, string>): number {
    const maxAge = attributes.get('max-age') ?? ''
    if (/^-?\d+$/.test(maxAge)) return Number(maxAge) <= 0 ? -Infinity : this.#now() + Number(maxAge) * 1_000
    return parseCookieDate(attributes.get('expires') ?? '') ?? Infinity
  }
}

function attributeOf(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  return at < 0
    ? [trimmed(text).toLowerCase(), '']
    : [trimmed(text.slice(0, at)).toLowerCase(), trimmed(text.slice(at + 1))]
}

/** Without spaces of ASCII at its ends. */
const trimmed = (bytes: string) => bytes.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '')

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

const isPublicSuffix = (domain: string) =>
  parse(domain, { allowPrivateDomains: true, validateHostname: false }).publicSuffix === domain

/** Section 5.1.3. */
const matchesDomain = (host: string, domain: string) =>
  host === domain || (host.endsWith(`.${domain}`) && isIP(host) === 0)

/** Section 5.1.4. */
const matchesPath = (path: string, of: string) =>
  path === of || (path.startsWith(of) && (of.endsWith('/') || path[of.length] === '/'))
const defaultPath = (path: string) => path.slice(0, Math.max(1, path.lastIndexOf('/')))

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A date in any of the forms that section 5.1.1 allows, in milliseconds; undefined for anything else. */
export function parseCookieDate(text: string): number | undefined {
  let time: number[] | undefined
  let day: number | undefined
  let month: number | undefined
  let year: number | undefined
  for (const token of text.split(/[\t\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/)) {
    const clock = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\D|$)/.exec(token)
    const named = months.indexOf(token.slice(0, 3).toLowerCase())
    if (!time && clock) time = clock.slice(1, 4).map(Number)
    else if (day === undefined && /^\d{1,2}(?:\D|$)/.test(token)) day = Number.parseInt(token, 10)
    else if (month === undefined && named !== -1) month = named
    else if (year === undefined && /^\d{2,4}(?:\D|$)/.test(token)) year = Number.parseInt(token, 10)
  }
  if (!time || day === undefined || month === undefined || year === undefined) return
  const full = year < 70 ? year + 2_000 : year < 100 ? year + 1_900 : year
  const [hours = 0, minutes = 0, seconds = 0] = time
  if (day < 1 || day > 31 || full < 1_601 || hours > 23 || minutes > 59 || seconds > 59) return
  const at = Date.UTC(full, month, day, hours, minutes, seconds)
  return new Date(at).getUTCDate() === day ? at : undefined
}
