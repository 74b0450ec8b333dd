import type { Config } from '#control-plane/config.ts'
import { cookieOf, hostCookie, nameOfHostCookie } from '#control-plane/http/session-cookie.ts'

type Site = Pick<Config, 'baseUrl'>

const name = 'vedette-device'

/** The `Set-Cookie` header of a trusted device. */
export const deviceCookie = (site: Site, secret: string, expiresAt: Date): string =>
  hostCookie(site, name, secret, `Expires=${expiresAt.toUTCString()}`)

/** The secret of a trusted device in the cookies of a request. */
export const deviceSecretOf = (header: string | undefined, site: Site): string | undefined =>
  cookieOf(header, nameOfHostCookie(site, name))
