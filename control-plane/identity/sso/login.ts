import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { RunnerBusy } from '#bounded/errors.ts'
import { hashSecret, linkTokenShape } from '#control-plane/base/token-secret.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import type { Config } from '#control-plane/config.ts'
import { affected, type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { cookieOf } from '#control-plane/http/session-cookie.ts'
import { openSession } from '#control-plane/identity/sessions/open.ts'
import { admit } from './admit.ts'
import { noteAttempt } from './attempts.ts'
import { decryptClientSecret } from './client-secret.ts'
import { originAt } from './origin.ts'
import { SsoFailure } from './outcome.ts'
import { type ProviderPerson, personOf } from './person.ts'
import { type Client, callbackPath, checksOf, claimsOf, openProvider, signInUrl } from './provider.ts'
import { samlPersonOf } from './saml/person.ts'
import { samlSignInUrl } from './saml/request.ts'
import { sessionHours } from './session-hours.ts'
import { findTeam, refuseClosed, type SsoTeam } from './team.ts'
import { giveTicket, type PageVisit, refusedAddress } from './visit.ts'

/** How long a person may take at the provider. */
export const loginMinutes = 10

const isSecure = ({ baseUrl }: Pick<Config, 'baseUrl'>) => baseUrl.startsWith('https:')
const cookieName = (config: Pick<Config, 'baseUrl'>) => (isSecure(config) ? '__Host-vedette-sso' : 'vedette-sso')

/** The secret of a browser that began to sign in; undefined for one that did not. */
function browserSecretOf(cookies: string | undefined, config: Pick<Config, 'baseUrl'>): string | undefined {
  const secret = cookieOf(cookies, cookieName(config))
  return secret !== undefined && linkTokenShape.test(secret) ? secret : undefined
}

const browserCookie = (config: Pick<Config, 'baseUrl'>, secret: string): string =>
  `${cookieName(config)}=${secret}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${loginMinutes * 60}` +
  (isSecure(config) ? '; Secure' : '')

/** Our client at the provider of a team. */
export function clientOf({ id, config }: SsoTeam, keys: Config): Client {
  const { issuer, client_id: clientId, client_secret: encrypted, scopes } = config
  return {
    issuer,
    clientId,
    scopes,
    clientSecret: encrypted === null ? null : decryptClientSecret(keys, id, encrypted),
  }
}

interface Browser {
  /** The `Host` that it asked. */
  host: string
  cookies: string | undefined
  ip: string
  userAgent: string
  requestId: string
}

const store = (
  state: string,
  secret: string,
  { id, config }: SsoTeam,
  { pageId, returnTo }: Partial<PageVisit> = {},
) => sql`
  with gone as (delete from sso_logins where state_hash in (
    select state_hash from sso_logins where expires_at < clock_timestamp() limit 100 for update skip locked))
  insert into sso_logins (state_hash, browser_hash, tenant_id, issuer, status_page_id, return_to, expires_at)
  values (${hashSecret(state)}, ${hashSecret(secret)}, ${id}, ${config.issuer}, ${pageId ?? null},
    ${returnTo ?? null},
    clock_timestamp() + interval '${sql.lit(loginMinutes)} minutes')`

interface Begun {
  loginHint?: string | null
  /** The page that it leads to; without one, a session in the team. */
  visit?: PageVisit
}

/**
 * Begins a sign-in of a browser at the provider of a team. Nonce and PKCE verifier follow from the state and the
 * browser's cookie: only that browser can end it, and the database holds nothing that could. Throws a `SsoFailure`.
 */
export async function beginLogin(
  services: Services,
  team: SsoTeam,
  { host, cookies, requestId }: Pick<Browser, 'host' | 'cookies' | 'requestId'>,
  { loginHint = null, visit }: Begun = {},
): Promise<{ location: string; cookie: string }> {
  const { platform, config, guard } = services
  return noting(services.platform, { tenantId: team.id, requestId }, async () => {
    refuseClosed(team)
    const secret = browserSecretOf(cookies, config) ?? randomBytes(32).toString('base64url')
    const state = randomBytes(32).toString('base64url')
    const stored = store(state, secret, team, visit)
    const origin = originAt(services, host, team)
    if (team.config.protocol === 'saml') {
      const location = await samlSignInUrl(team.config, state, origin)
      await rows(platform, stored)
      return { location, cookie: browserCookie(config, secret) }
    }
    const client = clientOf(team, config)
    const provider = await openProvider(guard, client)
    const checks = checksOf(secret, state)
    await rows(platform, stored)
    const location = await signInUrl(provider, client, checks, { redirectUri: origin + callbackPath, loginHint })
    return { location, cookie: browserCookie(config, secret) }
  })
}

/** A state has one answer, also one that is refused: the null of JSON stands for it. */
const claim = (stateHash: Buffer) => sql<Row<'sso_logins', 'tenant_id' | 'issuer'>>`
  update sso_logins set answer = 'null'
  where state_hash = ${stateHash} and answer is null and admitted_at is null and expires_at > clock_timestamp()
  returning tenant_id, issuer`

/**
 * Takes the answer of a SAML provider, which browsers send without their cookies: the person is kept until the browser
 * that began the sign-in ends it at the returned address. A request is answered once, rightly or not. Throws a
 * `SsoFailure`.
 */
export async function takeAnswer(
  services: Services,
  { response, state }: { response: string; state: string },
  { host, requestId }: Pick<Browser, 'host' | 'requestId'>,
): Promise<string> {
  const { platform, clock } = services
  const [login] = await rows(platform, claim(hashSecret(state)))
  if (!login) throw over()
  return noting(platform, { tenantId: login.tenant_id, requestId }, async () => {
    const team = await findTeam(platform, { id: login.tenant_id })
    if (team?.config.protocol !== 'saml' || team.config.issuer !== login.issuer) throw changed()
    refuseClosed(team)
    const origin = originAt(services, host, team)
    const person = await samlPersonOf(services, team, { response, state, now: clock.now(), origin }).catch(
      async error => {
        // it was not read: the browser may send it again
        if (error instanceof RunnerBusy)
          await rows(platform)`
            update sso_logins set answer = null where state_hash = ${hashSecret(state)} and answer = 'null'`
        throw error
      },
    )
    const kept = await affected(platform)`update sso_logins set answer = ${JSON.stringify(person)}
      where state_hash = ${hashSecret(state)} and answer = 'null'`
    if (kept === 0) throw over()
    return `${callbackPath}?${new URLSearchParams({ state })}`
  })
}

const over = () => new SsoFailure('state_invalid', 'This sign-in is over, or was begun in another browser.')
const changed = () => new SsoFailure('sso_off', 'The provider of the team has changed since this sign-in began.')

/** A session in the team, or the address of the page that was to be visited. */
type Ended = { session: Awaited<ReturnType<typeof openSession>> } | { to: string }

/**
 * Ends a sign-in: the state is used once, by the browser that began it. Opens a session in the team, limited to it
 * where the person is in other teams too; or gives a ticket to the status page for which it was begun. Throws a
 * `SsoFailure`; of a page, the page shows why.
 */
export async function endLogin(services: Services, query: URLSearchParams, browser: Browser): Promise<Ended> {
  const { platform, config } = services
  const { requestId } = browser
  const state = query.get('state') ?? ''
  const secret = browserSecretOf(browser.cookies, config)
  const [login] =
    secret === undefined
      ? []
      : await rows(platform)<EndedLogin>`
        delete from sso_logins where state_hash = ${hashSecret(state)} and browser_hash = ${hashSecret(secret)}
        and admitted_at is null
        returning tenant_id, issuer, answer, status_page_id, return_to, expires_at > clock_timestamp() as is_open`
  if (!login?.is_open || secret === undefined) throw over()
  const { status_page_id: pageId, return_to: returnTo } = login
  const visit = pageId === null || returnTo === null ? null : { pageId, returnTo }
  const ending = noting(platform, { tenantId: login.tenant_id, requestId }, async (): Promise<Ended> => {
    const team = await findTeam(platform, { id: login.tenant_id })
    if (!team || team.config.issuer !== login.issuer) throw changed()
    refuseClosed(team)
    const { protocol } = team.config
    const checks = checksOf(secret, state)
    const person =
      protocol === 'saml' ? answered(login) : await personAt(services, team, { host: browser.host, query, checks })
    const { ip, userAgent } = browser
    const traces = { ip, requestId }
    return inTransaction(platform, async client => {
      const now = await findTeam(client, { id: team.id })
      if (now?.config.issuer !== login.issuer) throw new SsoFailure('sso_off', 'The provider of the team has changed.')
      if (visit !== null) {
        const to = await giveTicket(client, now, person, visit)
        await noteAttempt(client, { tenantId: team.id, userId: null, outcome: 'visited', detail: null, requestId })
        return { to }
      }
      const { userId, isElsewhere } = await admit(client, { team: now, person, keys: config, traces })
      const session = await openSession(client, {
        keys: config,
        userId,
        tenantId: team.id,
        deviceName: 'Browser',
        userAgent,
        method: protocol,
        isByCookie: true,
        isLocked: isElsewhere,
        hours: sessionHours,
        ssoSid: person.session ?? null,
        ...traces,
      })
      await noteAttempt(client, { tenantId: team.id, userId, outcome: 'signed_in', detail: null, requestId })
      return { session }
    })
  })
  if (visit === null) return ending
  return ending.catch(error => {
    if (!(error instanceof SsoFailure)) throw error
    return { to: refusedAddress(visit.returnTo, error.outcome) }
  })
}

interface EndedLogin {
  tenant_id: string
  issuer: string
  /** The person of a SAML provider, once it has answered. */
  answer: ProviderPerson | null
  status_page_id: string | null
  return_to: string | null
  is_open: boolean
}

function answered({ answer }: EndedLogin): ProviderPerson {
  if (answer === null) throw over()
  return answer
}

async function personAt(
  services: Services,
  team: SsoTeam,
  { host, query, checks }: { host: string; query: URLSearchParams; checks: ReturnType<typeof checksOf> },
): Promise<ProviderPerson> {
  const provider = await openProvider(services.guard, clientOf(team, services.config))
  const url = new URL(`${originAt(services, host, team)}${callbackPath}?${query}`)
  const claims = await claimsOf(provider, url, checks)
  return personOf(claims, { issuer: team.config.issuer, groupsClaim: team.config.groups_claim })
}

/** Keeps the reason of a failure for the administrators of the team. */
async function noting<T>(
  platform: Pool,
  { tenantId, requestId }: { tenantId: string; requestId: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SsoFailure)) throw error
    const { outcome, detail } = error
    await noteAttempt(platform, { tenantId, userId: null, outcome, detail, requestId })
    throw error
  }
}
