import type { ScoredResult } from './table.ts'

export interface Cookie {
  name: string
  isSecure: boolean
  isHttpOnly: boolean
  /** In lower case; null when there is none, or none of the three there are. */
  sameSite: string | null
  hasInvalidSameSite: boolean
}

/** What one set-cookie header sets; null for nothing, or for taking a cookie back. */
export function parseCookie(header: string, now: number): Cookie | null {
  const [pair = '', ...attributes] = header.slice(0, 8_192).split(';')
  const name = pair.split('=', 1)[0]?.trim() ?? ''
  if (!name || !pair.includes('=') || name === 'heroku-session-affinity') return null
  const given = new Map(
    attributes.map(each => {
      const [key = '', ...value] = each.split('=')
      return [key.trim().toLowerCase(), value.join('=').trim()]
    }),
  )
  const maxAge = given.get('max-age')
  const expires = given.get('expires')
  if (maxAge !== undefined ? Number(maxAge) <= 0 : expires !== undefined && Date.parse(expires) <= now) return null
  const sameSite = given.get('samesite')?.toLowerCase()
  const isKnown = sameSite === 'strict' || sameSite === 'lax' || sameSite === 'none'
  return {
    name,
    isSecure: given.has('secure'),
    isHttpOnly: given.has('httponly'),
    sameSite: isKnown ? sameSite : null,
    hasInvalidSameSite: sameSite !== undefined && !isKnown,
  }
}

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

export function scoreCookies(cookies: readonly Cookie[], { hasHsts }: { hasHsts: boolean }): ScoredResult {
  if (cookies.length === 0) return 'cookies-not-found'
  const faults = new Set(cookies.flatMap(cookie => faultsOf(cookie, hasHsts)))
  const worst = badness.findLast(result => faults.has(result))
  if (worst) return worst
  return cookies.every(({ sameSite }) => sameSite !== null) ? 'cookies-secure-with-httponly-sessions-and-samesite' : 'cookies-secure-with-httponly-sessions'
}

function faultsOf({ name, isSecure, isHttpOnly, sameSite, hasInvalidSameSite }: Cookie, hasHsts: boolean): ScoredResult[] {
  const faults: ScoredResult[] = []
  const isSession = /login|sess/i.test(name)
  if (hasInvalidSameSite || (!isSecure && sameSite === 'none')) faults.push('cookies-samesite-flag-invalid')
  if (!isSecure) faults.push(hasHsts ? 'cookies-without-secure-flag-but-protected-by-hsts' : 'cookies-without-secure-flag')
  if (!isSecure && isSession) faults.push(hasHsts ? 'cookies-session-without-secure-flag-but-protected-by-hsts' : 'cookies-session-without-secure-flag')
  if (/csrf/i.test(name) && sameSite === null) faults.push('cookies-anticsrf-without-samesite-flag')
  if (isSession && !isHttpOnly) faults.push('cookies-session-without-httponly-flag')
  return faults
}
