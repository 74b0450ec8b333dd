import type { ScoredResult } from './table.ts'

export interface Cookie {
  name: string
  domain: string
  path: string
  isSecure: boolean
  isHttpOnly: boolean
  /** In lower case; null when there is none, or none of the three there are. */
  sameSite: string | null
}

/** What is kept of set-cookie headers in their order: a cookie set twice is the later one. */
export function cookiesOf(headers: readonly string[], now: number): Cookie[] {
  const kept = new Map<string, Cookie>()
  for (const header of headers) {
    const cookie = parseCookie(header, now)
    if (cookie) kept.set(JSON.stringify([cookie.name, cookie.domain, cookie.path]), cookie)
  }
  return [...kept.values()]
}

/** What one header sets; null for nothing, for taking a cookie back, and for what its own name forbids. */
function parseCookie(header: string, now: number): Cookie | null {
  const { pair, attributes } = partsOf(header)
  const name = pair.split('=', 1)[0]?.trim() ?? ''
  if (!name || !pair.includes('=') || name === 'heroku-session-affinity') return null
  const given = new Map(attributes)
  const maxAge = given.get('max-age')
  const expires = given.get('expires')
  if (maxAge !== undefined ? Number(maxAge) <= 0 : expires !== undefined && Date.parse(expires) <= now) return null
  const sameSite = given.get('samesite')?.toLowerCase()
  const [domain, path, isSecure] = [given.get('domain') ?? '', given.get('path') ?? '', given.has('secure')]
  // RFC 6265bis 4.1.3: browsers keep no such cookie
  if (/^__(secure|host)-/i.test(name) && !isSecure) return null
  if (/^__host-/i.test(name) && (domain !== '' || path !== '/')) return null
  return {
    name,
    domain,
    path,
    isSecure,
    isHttpOnly: given.has('httponly'),
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

/** Whether a header says something else of SameSite, kept or not. */
const isMisspelled = (header: string) =>
  partsOf(header).attributes.some(
    ([name, value]) => name === 'samesite' && !sameSites.has(value.split('=', 1)[0]!.trim().toLowerCase()),
  )

/** From the least bad to the worst. */
const badness: readonly ScoredResult[] = [
  'cookies-without-secure-flag-but-protected-by-hsts',
  'cookies-without-secure-flag',
  'cookies-session-without-secure-flag-but-protected-by-hsts',
  'cookies-samesite-flag-invalid',
  'cookies-anticsrf-without-samesite-flag',
  'cookies-session-without-httponly-flag',
  'cookies-session-without-secure-flag',
]

/** `headers`: all that `cookies` were read from. */
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
