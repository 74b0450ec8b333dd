import { sql } from 'kysely'
import type { Pool } from 'pg'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { sessionOf } from '#control-plane/http/session-cookie.ts'
import type { SignInAnswer } from '#control-plane/identity/passkeys/answers.ts'
import { passesPasskey } from '#control-plane/identity/passkeys/pass.ts'
import { relyingPartyOf } from '#control-plane/identity/passkeys/relying-party.ts'
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
  /** The answer of a browser for a passkey, in place of a code. */
  passkey?: SignInAnswer | undefined
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

interface Entering {
  userId: string
  tenantId: string | undefined
  trusts: boolean
  method?: 'password' | 'passkey' | 'login_link'
}

/**
 * Opens the session of a browser by e-mail and password, and by a code or a trusted device where there is a second
 * factor. It is always a new session, and ends the one that the browser had. `deviceCookie` is set beside the cookie of
 * the session.
 */
export async function logIn(
  services: Services,
  { email, password, otpCode, passkey, tenantId, remembers }: Credentials,
  { ip, userAgent, requestId, cookies, host }: BrowserRequest & { host: string },
  now: Date,
) {
  const trusted = deviceSecretOf(cookies, services.config)
  const from = { ip, userAgent, deviceName: deviceOf(userAgent, 'Browser') }
  const passesAnswer = (answer: SignInAnswer) => (userId: string) =>
    passesPasskey(services, userId, answer, relyingPartyOf(services, host), { ip, requestId })
  const given = {
    ...{ email, password, otpCode, tenantId, trusted, from },
    passesPasskey: passkey && passesAnswer(passkey),
  }
  const { userId, isByCode } = await recogniseBy(services, given, now)
  const trusts = remembers && isByCode
  const method = passkey === undefined ? 'password' : 'passkey'
  return enterByPassword(services, { userId, tenantId, trusts, method }, { ip, userAgent, requestId, cookies })
}

/**
 * Opens the session of a browser whose person has shown the password and, where there is one, the second factor.
 * `trusts`: asks for no code in this browser for thirty days.
 */
export async function enterByPassword(
  services: Pick<Services, 'config' | 'platform'>,
  entering: Entering,
  from: BrowserRequest,
) {
  const { platform } = services
  await refusePasswordLogin(platform, (await entranceOf(platform, entering.userId, entering.tenantId)).tenant_id)
  return enterProven(services, entering, from)
}

/** As `enterByPassword`, but also into a team that is not entered with a password. */
export async function enterProven(
  { config, platform }: Pick<Services, 'config' | 'platform'>,
  { userId, tenantId, trusts, method = 'password' }: Entering,
  { ip, userAgent, requestId, cookies }: BrowserRequest,
) {
  const deviceName = deviceOf(userAgent, 'Browser')
  const session = await openSession(platform, {
    keys: config,
    ...{ userId, tenantId, deviceName, userAgent, ip, requestId },
    method,
    isByCookie: true,
  })
  await endBrowserSession(platform, sessionOf(cookies, config), { ip, requestId })
  if (!trusts) return { ...session, deviceCookie: null }
  const { secret, expiresAt } = await trustDevice(platform, { userId, name: deviceName, ip })
  return { ...session, deviceCookie: deviceCookie(config, secret, expiresAt) }
}

const end = (hash: Buffer, ip: string | null, requestId: string) => sql`
  with ended as (
    delete from tokens where hash = ${hash} and kind = 'ss' and is_browser returning id, tenant_id, user_id
  )
  ${insertAuditSql({
    tenant: 'ended.tenant_id',
    action: 'session.deleted',
    type: 'user',
    entity: 'ended.user_id',
    user: 'ended.user_id',
    token: 'ended.id',
    ip: sql`${ip}::inet`,
    request: sql`${requestId}`,
    from: sql`from ended`,
  })}`

/** Ends the session with this cookie; one that has ended already needs nothing. */
export async function endBrowserSession(
  platform: Pool,
  token: string | undefined,
  { ip, requestId }: { ip: string; requestId: string },
): Promise<void> {
  if (token !== undefined) await rows(platform, end(hashSecret(token), ip || null, requestId))
}
