import type { ScoredResult } from './table.ts'

export interface Cookie {
  name: string
  domain: string
  path: string
  isSecure: boolean
  isHttpOnly: boolean
  /** In lower case; null when it is missing or not one of the three valid values. */
  sameSite: string | null
}

/** The cookies that set-cookie headers leave, in their order: a later header replaces an earlier one. */
export function cookiesOf(headers: readonly string[], now: number): Cookie[] {
  const kept = new Map<string, Cookie>()
  for (const header of headers) {
    const cookie = parseCookie(header, now)
    if (cookie) kept.set(JSON.stringify([cookie.name, cookie.domain, cookie.path]), cookie)
  }
  return [...kept.values()]
}

/** The cookie that one header sets; null for none, for deleting one, and for one that its name prefix forbids. */
function parseCookie(header: string, now: number): Cookie | null {
  const { pair, attributes } = partsOf(header)
  const name = pair.split('=', 1)[0]?.trim() ?? ''
  if (!name || !pair.includes('=') || name === 'heroku-session-affinity') return null
  const input = new Map(attributes)
  const maxAge = input.get('max-age')
  const expires = input.get('expires')
  if (maxAge !== undefined ? Number(maxAge) <= 0 : expires !== undefined && Date.parse(expires) <= now) return null
  const sameSite = input.get('samesite')?.toLowerCase()
  const [domain, path, isSecure] = [input.get('domain') ?? '', input.get('path') ?? '', input.has('secure')]
  // RFC 6265bis 4.1.3: browsers reject such a cookie
  if (/^__(secure|host)-/i.test(name) && !isSecure) return null
  if (/^__host-/i.test(name) && (domain !== '' || path !== '/')) return null
  return {
    name,
    domain,
    path,
    isSecure,
    isHttpOnly: input.has('httponly'),
    sameSite: sameSite !== undefined && sameSites.has(sameSite) ? sameSite : null,
  }
}

function partsOf(header: string): { pair: string; attributes: [name: string, value: string][] } {
  const [pair = '', ...attributes] = header.slice(0, 8_192).split(';')
  return {
    pair,
    attributes: attributes.map(each => {
      const [name = '', ...value] = each.split('=')
      return [name.trim().toLowerCase(), value.join('=').trim()]
    }),
  }
}

const sameSites = new Set(['strict', 'lax', 'none'])

/** Whether a header has an invalid SameSite, stored or not. */
const isMisspelled = (header: string) =>
  partsOf(header).attributes.some(
    ([name, value]) => name === 'samesite' && !sameSites.has(value.split('=', 1)[0]!.trim().toLowerCase()),
  )

/** From the least to the most serious. */
const badness: readonly ScoredResult[] = [
  'cookies-without-secure-flag-but-protected-by-hsts',
  'cookies-without-secure-flag',
  'cookies-session-without-secure-flag-but-protected-by-hsts',
  'cookies-samesite-flag-invalid',
  'cookies-anticsrf-without-samesite-flag',
  'cookies-session-without-httponly-flag',
  'cookies-session-without-secure-flag',
]

/** `headers`: all headers that `cookies` were read from. */
export function scoreCookies(
  cookies: readonly Cookie[],
  headers: readonly string[],
  { hasHsts }: { hasHsts: boolean },
): ScoredResult {
  if (cookies.length === 0) return 'cookies-not-found'
  const faults = new Set(cookies.flatMap(cookie => faultsOf(cookie, hasHsts)))
  if (headers.some(isMisspelled)) faults.add('cookies-samesite-flag-invalid')
  const worst = badness.findLast(result => faults.has(result))
  if (worst) return worst
  return cookies.every(({ sameSite }) => sameSite !== null)
    ? 'cookies-secure-with-httponly-sessions-and-samesite'
    : 'cookies-secure-with-httponly-sessions'
}

function faultsOf({ name, isSecure, isHttpOnly, sameSite }: Cookie, hasHsts: boolean): ScoredResult[] {
  const faults: ScoredResult[] = []
  const isSession = /login|sess/i.test(name)
  if (!isSecure && sameSite === 'none') faults.push('cookies-samesite-flag-invalid')
  if (!isSecure)
    faults.push(hasHsts ? 'cookies-without-secure-flag-but-protected-by-hsts' : 'cookies-without-secure-flag')
  if (!isSecure && isSession)
    faults.push(
      hasHsts ? 'cookies-session-without-secure-flag-but-protected-by-hsts' : 'cookies-session-without-secure-flag',
    )
  if (/csrf/i.test(name) && sameSite === null) faults.push('cookies-anticsrf-without-samesite-flag')
  if (isSession && !isHttpOnly) faults.push('cookies-session-without-httponly-flag')
  return faults
}
