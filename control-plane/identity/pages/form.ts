import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from 'koa'
import { forbidden } from '#control-plane/base/refusal.ts'
import type { Config } from '#control-plane/config.ts'
import { readBytes } from '#control-plane/http/body.ts'
import { cookieOf, hostCookie, nameOfHostCookie, refuseCrossSite } from '#control-plane/http/session-cookie.ts'

type Site = Pick<Config, 'baseUrl' | 'secretKey'>

const formBytes = 16_384
const formType = 'application/x-www-form-urlencoded'
const cookie = 'vedette-form'
const nonceShape = /^[\w-]{43}$/
/** The hidden field of the token, in `templates/token.liquid`. */
const formTokenName = 'form_token'

const read = new WeakMap<Context, Promise<URLSearchParams>>()

/** The fields of an urlencoded form. 413 beyond 16 kB, 415 another type, 400 not UTF-8. */
function readForm(context: Context): Promise<URLSearchParams> {
  const known = read.get(context) ?? readOnce(context)
  read.set(context, known)
  return known
}

async function readOnce(context: Context): Promise<URLSearchParams> {
  const { content } = await readBytes(context.req, [formType], formBytes)
  return new URLSearchParams(content.toString('utf8').replaceAll('%00', ''))
}

const nonceOf = (context: Context, site: Site): string | undefined => {
  const nonce = cookieOf(context.req.headers.cookie, nameOfHostCookie(site, cookie))
  return nonce !== undefined && nonceShape.test(nonce) ? nonce : undefined
}

const tokenOf = (nonce: string, { secretKey }: Site): string => {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'vedette forms v1', 32))
  return createHmac('sha256', key).update(nonce).digest('base64url')
}

const nonces = new WeakMap<Context, string>()

/**
 * The random text that this browser's forms are bound to: a cookie, which is set where it is missing. Before a session
 * it also distinguishes one browser from another.
 */
export function browserNonce(context: Context, site: Site): string {
  const known = nonces.get(context) ?? nonceOf(context, site)
  if (known !== undefined) return known
  const nonce = randomBytes(32).toString('base64url')
  nonces.set(context, nonce)
  context.append('Set-Cookie', hostCookie(site, cookie, nonce))
  return nonce
}

/** The token that a form of this browser carries as a hidden field. */
export const formToken = (context: Context, site: Site): string => tokenOf(browserNonce(context, site), site)

/**
 * The fields of a form that this browser received from us: 403 `cross_site` for one that a page of another site posts,
 * 403 `form_expired` without the token of this browser's cookie, as when cookies are off. A page without a referrer
 * sends `Origin: null`; over plain http, where browsers have no Fetch Metadata, its token alone proves that it is ours.
 */
export async function checkForm(
  context: Context,
  site: Site,
  { hasNoReferrer = false } = {},
): Promise<URLSearchParams> {
  const { origin, 'sec-fetch-site': relation } = context.req.headers
  const isNameless = hasNoReferrer && relation === undefined && origin === 'null'
  if (!isNameless) refuseCrossSite(context.req, site)
  const form = await readForm(context)
  const nonce = nonceOf(context, site)
  const given = Buffer.from(form.get(formTokenName) ?? '')
  const expected = Buffer.from(nonce === undefined ? '' : tokenOf(nonce, site))
  const isRight = nonce !== undefined && given.length === expected.length && timingSafeEqual(given, expected)
  if (!isRight) throw forbidden('This form is no longer valid. Open the page again, with cookies on.', 'form_expired')
  return form
}
