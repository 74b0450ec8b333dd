import type { Pool } from 'pg'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import type { Services } from '#control-plane/http/services.ts'
import { sessionOf } from '#control-plane/http/session-cookie.ts'
import { deviceCookie, deviceSecretOf } from '#control-plane/identity/trusted-devices/cookie.ts'
import { trustDevice } from '#control-plane/identity/trusted-devices/trust.ts'
import { insertAuditSql } from '#control-plane/outbox/audit.ts'
import { deviceOf } from './device.ts'
import { entranceOf, openSession } from './open.ts'
import { refusePasswordLogin } from './password-login.ts'
import { recogniseBy } from './recognise.ts'

/** What a person enters in a browser. */
export interface Credentials {
  email: string
  password: string
  otpCode: string | undefined
  /** One of the person's teams; by default the first. */
  tenantId: string | undefined
  /** Whether to ask for no code in this browser for thirty days. */
  remembers: boolean
}

/** The request of a browser; `cookies` is its header. */
export interface BrowserRequest {
  ip: string
  userAgent: string
  requestId: string
  cookies: string | undefined
}

/**
 * Opens the session of a browser by e-mail and password, and by a code or a trusted device where there is a second
 * factor. It is always a new session, and ends the one that the browser had. `deviceCookie` is set beside the cookie of
 * the session.
 */
export async function logIn(
  services: Pick<Services, 'config' | 'platform' | 'log'>,
  { email, password, otpCode, tenantId, remembers }: Credentials,
  { ip, userAgent, requestId, cookies }: BrowserRequest,
  now: Date,
) {
  const trusted = deviceSecretOf(cookies, services.config)
  const from = { ip, userAgent, deviceName: deviceOf(userAgent, 'Browser') }
  const given = { email, password, otpCode, tenantId, trusted, from }
  const { userId, isByCode } = await recogniseBy(services, given, now)
  const trusts = remembers && isByCode
  return enterByPassword(services, { userId, tenantId, trusts }, { ip, userAgent, requestId, cookies })
}

/**
 * Opens the session of a browser whose person has shown the password and, where there is one, the second factor.
 * `trusts`: asks for no code in this browser for thirty days.
 */
export async function enterByPassword(
  { config, platform }: Pick<Services, 'config' | 'platform'>,
  { userId, tenantId, trusts }: { userId: string; tenantId: string | undefined; trusts: boolean },
  { ip, userAgent, requestId, cookies }: BrowserRequest,
) {
  const deviceName = deviceOf(userAgent, 'Browser')
  await refusePasswordLogin(platform, (await entranceOf(platform, userId, tenantId)).tenant_id, userId)
  const session = await openSession(platform, {
    keys: config,
    ...{ userId, tenantId, deviceName, userAgent, ip, requestId },
    method: 'password',
    isByCookie: true,
  })
  await endBrowserSession(platform, sessionOf(cookies, config), { ip, requestId })
  if (!trusts) return { ...session, deviceCookie: null }
  const { secret, expiresAt } = await trustDevice(platform, { userId, name: deviceName, ip })
  return { ...session, deviceCookie: deviceCookie(config, secret, expiresAt) }
}

const end = `
  with ended as (
    delete from tokens where hash = $1 and kind = 'ss' and is_browser returning id, tenant_id, user_id
  )
  ${insertAuditSql({
    tenant: 'ended.tenant_id',
    action: 'session.deleted',
    type: 'user',
    entity: 'ended.user_id',
    user: 'ended.user_id',
    token: 'ended.id',
    ip: '$2',
    request: '$3',
    from: 'from ended',
  })}`

/** Ends the session with this cookie; one that has ended already needs nothing. */
export async function endBrowserSession(
  platform: Pool,
  token: string | undefined,
  { ip, requestId }: { ip: string; requestId: string },
): Promise<void> {
  if (token !== undefined) await platform.query(end, [hashSecret(token), ip || null, requestId])
}
