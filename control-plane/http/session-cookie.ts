import type { IncomingMessage } from 'node:http'
import { forbidden } from '#control-plane/base/refusal.ts'
import type { Config } from '#control-plane/config.ts'

type Site = Pick<Config, 'baseUrl'>

const isSecure = ({ baseUrl }: Site) => baseUrl.startsWith('https:')

/** `__Host-`: only this very host can have set it, and only over https (RFC 6265bis). Plain http has no such cookies. */
export const nameOfHostCookie = (site: Site, name: string): string => (isSecure(site) ? `__Host-${name}` : name)
export const cookieNameOf = (site: Site): string => nameOfHostCookie(site, 'vedette')

const attributesOf = (site: Site) => `Path=/; HttpOnly; SameSite=Lax${isSecure(site) ? '; Secure' : ''}`

/** A `Set-Cookie` header of this very host; `life` is its `Expires` or `Max-Age`; without, it ends with the browser. */
export const hostCookie = (site: Site, name: string, value: string, life?: string): string =>
  `${nameOfHostCookie(site, name)}=${value}; ${attributesOf(site)}${life === undefined ? '' : `; ${life}`}`

/** The `Set-Cookie` header of a session. It ends with the session at the latest. */
export const sessionCookie = (site: Site, token: string, expiresAt: Date): string =>
  hostCookie(site, 'vedette', token, `Expires=${expiresAt.toUTCString()}`)

/** The `Set-Cookie` header that takes the cookie away. */
export const endedCookie = (site: Site): string => hostCookie(site, 'vedette', '', 'Max-Age=0')

/**
 * The value of a cookie; undefined without it. One that is there twice with different values is none: another host of
 * the same domain may have added it.
 */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  const values = new Set<string>()
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=')
    if (at !== -1 && part.slice(0, at).trim() === name) values.add(part.slice(at + 1).trim())
  }
  const [value, another] = values
  return another === undefined && value ? value : undefined
}

/** The session token in the cookies of a request. */
export const sessionOf = (header: string | undefined, site: Site): string | undefined =>
  cookieOf(header, cookieNameOf(site))

const reading = ['GET', 'HEAD', 'OPTIONS']

/**
 * Refuses a writing request that a page of another origin may have caused, since browsers add cookies to those too.
 * Browsers say where a request comes from: `Sec-Fetch-Site` (Fetch Metadata), older ones and plain http `Origin`, which
 * must be the origin that was asked. Without both it is refused.
 */
export function refuseCrossSite({ method = '', headers }: IncomingMessage, { baseUrl }: Site): void {
  if (reading.includes(method)) return
  const site = headers['sec-fetch-site']
  if (site === 'same-origin' || site === 'none') return
  const { origin } = headers
  if (site === undefined && origin !== undefined) {
    const asked = URL.parse(origin)
    if (asked && (asked.origin === new URL(baseUrl).origin || asked.host === headers.host)) return
  }
  throw forbidden(
    'This request does not come from a page of this service: see Sec-Fetch-Site and Origin.',
    'cross_site',
  )
}
