import { createHmac, timingSafeEqual } from 'node:crypto'
import { isWithin } from '#control-plane/access/tokens/allowed-ips.ts'
import { sessionHours } from '#control-plane/identity/sso/session-hours.ts'
import type { PageAccess } from '#control-plane/publishing/status-pages/render/model.ts'

/** How long a cookie opens a page: of one who left their company, no longer than a session that it opened. */
const cookieHours = { other: 720, sso: sessionHours }
const linkMinutes = 30

/**
 * Signs the end of a permission: `<seconds since 1970>.<signature>`. A cookie is no link, and neither is of another
 * page.
 */
const signed = (key: string, use: 'cookie' | 'link', endsAtS: number) =>
  `${endsAtS}.${createHmac('sha256', key).update(`${use} ${endsAtS}`).digest('base64url')}`

function isValid(key: string, use: 'cookie' | 'link', token: string, nowMs: number): boolean {
  const endsAtS = Number(/^(\d{1,12})\./.exec(token)?.[1])
  if (!(endsAtS * 1_000 > nowMs)) return false
  const [expected, given] = [Buffer.from(signed(key, use, endsAtS)), Buffer.from(token)]
  return expected.length === given.length && timingSafeEqual(expected, given)
}

export function linkTokenOf(key: string, nowMs: number): { token: string; expiresAt: Date } {
  const endsAtS = Math.floor(nowMs / 1_000) + linkMinutes * 60
  return { token: signed(key, 'link', endsAtS), expiresAt: new Date(endsAtS * 1_000) }
}
export const isLinkToken = (key: string, token: string, nowMs: number) => isValid(key, 'link', token, nowMs)

const cookieName = 'vedette_status_page'

/** Access that a cookie gives. */
export type KeyedAccess = Extract<PageAccess, { key: string }>

/** The cookie that opens a private page for its visitor, on the paths of this page alone. */
export function cookieOf(
  { mode, key }: Pick<KeyedAccess, 'mode' | 'key'>,
  { base, isSecure }: { base: string; isSecure: boolean },
  nowMs: number,
): string {
  const lifeS = (mode === 'sso' ? cookieHours.sso : cookieHours.other) * 3_600
  const value = signed(key, 'cookie', Math.floor(nowMs / 1_000) + lifeS)
  return (
    `${cookieName}=${value}; Path=${base === '' ? '/' : base}; Max-Age=${lifeS}; HttpOnly; SameSite=Lax` +
    `${isSecure ? '; Secure' : ''}`
  )
}

/** Whether a visitor may read a page. */
export function mayRead(
  access: PageAccess,
  { cookies, ip, nowMs }: { cookies: string | undefined; ip: string; nowMs: number },
): boolean {
  switch (access.mode) {
    case 'public':
      return true
    case 'ip':
      return isWithin(ip, access.allowed)
    case 'sso':
      return access.isOpen && hasCookie(access.key, cookies, nowMs)
    case 'password':
    case 'email_domain':
      return hasCookie(access.key, cookies, nowMs)
  }
}

const hasCookie = (key: string, cookies: string | undefined, nowMs: number) =>
  cookiesIn(cookies).some(value => isValid(key, 'cookie', value, nowMs))

/** Two pages may be below one path: each of the cookies is tried, of a few. */
const cookiesIn = (header: string | undefined): string[] =>
  (header ?? '')
    .slice(0, 8_192)
    .split(';')
    .flatMap(part => {
      const [name, value] = part.trim().split('=', 2)
      return name === cookieName && value ? [value] : []
    })
    .slice(0, 5)
