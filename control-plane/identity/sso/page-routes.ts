import Router from '@koa/router'
import type { Context } from 'koa'
import { readBytes } from '#control-plane/http/body.ts'
import { rateKeyOfIp, tooMany } from '#control-plane/http/rate.ts'
import type { Services } from '#control-plane/http/services.ts'
import { sessionCookie } from '#control-plane/http/session-cookie.ts'
import { home } from '#control-plane/identity/pages/safe-redirect.ts'
import { type GoOn, type PageAnswer, servePage, type Visit } from '#control-plane/identity/pages/serve.ts'
import { portalHostsOf } from '#control-plane/tenancy/portal-hosts/hosts.ts'
import { portalOrigin } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { texts } from '#locales/texts.ts'
import { backChannelPath, endByProvider } from './back-channel.ts'
import { beginLogin, endLogin, takeAnswer } from './login.ts'
import { beginLogout } from './logout.ts'
import { type Failure, SsoFailure } from './outcome.ts'
import { callbackPath, signedOutPath } from './provider.ts'
import { answerPath, metadataOf, metadataPath } from './saml/request.ts'
import { findTeam, type SsoTeam } from './team.ts'

const loginsAMinute = 20
const longestQuery = 4_096
const longestAnswer = 400_000
/** A provider may end the sessions of many people at once. */
const logoutsAMinute = 120
const longestLogout = 16_384
const slugShape = /^[\w-]{1,100}$/

type Answering = (visit: Visit) => Promise<PageAnswer | GoOn>

/** The pages of single sign-on: where a person names their company, the way to its provider, back, and out. */
export function ssoRoutes(services: Services): Router {
  const router = new Router()
  const { baseUrl } = services.config
  /** Browsers apply `form-action` to the redirect as well: it leads to the provider. */
  const formAction = `'self' https:${baseUrl.startsWith('http:') ? ' http:' : ''}`

  const form = ({ language }: Visit, failure?: string): PageAnswer => {
    const words = texts('pages', language).sso
    const status = failure === undefined ? 200 : 404
    return { title: words.title, template: 'sso', values: { words }, alert: failure, formAction, status }
  }

  const begin: Answering = async visit => {
    const { context, language } = visit
    const { searchParams } = context.URL
    const [email, slug] = [searchParams.get('email')?.trim().toLowerCase(), searchParams.get('team')]
    if (!email && !slug) return form(visit)
    const isEmail = email !== undefined && /^[^@\0]{1,64}@[^@\0]{1,250}$/.test(email)
    const team = isEmail ? await findTeam(services.platform, { email }) : await teamNamed(services, slug)
    if (!team) return form(visit, texts('pages', language).sso.visitors.unknown)
    const { location, cookie } = await beginLogin(services, team, browserOf(context), {
      loginHint: isEmail ? email : null,
    })
    context.append('Set-Cookie', cookie)
    return { to: location }
  }

  const end: Answering = async ({ context }) => {
    const query = new URLSearchParams(context.querystring.length <= longestQuery ? context.querystring : '')
    const ended = await endLogin(services, query, browserOf(context))
    if ('to' in ended) return { to: ended.to }
    const { session } = ended
    context.append('Set-Cookie', sessionCookie(services.config, session.token, session.expiresAt))
    return { to: home }
  }

  /** The answer of a SAML provider. It is posted from another site, so without cookies: a redirect brings them along. */
  const take: Answering = async ({ context }) => {
    const { content } = await readBytes(context.req, ['application/x-www-form-urlencoded'], longestAnswer)
    const fields = new URLSearchParams(content.toString('utf8'))
    const answer = { response: fields.get('SAMLResponse') ?? '', state: fields.get('RelayState') ?? '' }
    return { to: await takeAnswer(services, answer, browserOf(context)) }
  }

  const leave: Answering = async visit => {
    const team = await teamNamed(services, visit.context.URL.searchParams.get('team'))
    if (!team) return { to: signedOutPath }
    const to = await beginLogout(services, team, visit.context.host)
    return to === null ? signedOut(visit, texts('pages', visit.language).sso.out.notThere) : { to }
  }

  const showSignedOut: Answering = async visit => {
    const team = await teamNamed(services, visit.context.URL.searchParams.get('team'))
    if (team?.config.protocol !== 'oidc') return signedOut(visit)
    const { still } = texts('pages', visit.language).sso.out
    return signedOut(visit, still, `/sso/logout?team=${encodeURIComponent(team.slug)}`)
  }

  const signedOut = ({ language }: Visit, says?: string, provider?: string): PageAnswer => {
    const words = texts('pages', language).sso.out
    return { title: words.title, template: 'sso-signed-out', values: { words, says, provider } }
  }

  const serve = (path: string, answer: Answering) => servePage(services, path, answering(services, answer))
  router.get(
    '/sso',
    servePage(services, '/sso', async visit => form(visit)),
  )
  router.get('/sso/login', serve('/sso/login', begin))
  router.get(callbackPath, serve(callbackPath, end))
  router.post(answerPath, serve(answerPath, take))
  router.get('/sso/logout', serve('/sso/logout', leave))
  router.get(signedOutPath, serve(signedOutPath, showSignedOut))
  router.post(backChannelPath, context => endSessions(services, context))
  router.get(metadataPath, context => {
    context.state.route = metadataPath
    const portal = portalHostsOf(services).find(context.host)
    context.type = 'application/samlmetadata+xml'
    context.body = metadataOf(baseUrl, portal ? portalOrigin(baseUrl, portal.hostname) : baseUrl)
  })
  return router
}

const teamNamed = async ({ platform }: Services, slug: string | null): Promise<SsoTeam | null> =>
  slug !== null && slugShape.test(slug) ? findTeam(platform, { slug }) : null

const browserOf = (context: Context) => ({
  cookies: context.headers.cookie,
  host: context.host,
  ip: String(context.state.ip),
  userAgent: context.get('User-Agent'),
  requestId: String(context.state.requestId),
})

/** Counts the request, and turns a failed sign-in into a page with the number of the request. */
const answering =
  (services: Services, answer: Answering): Answering =>
  async visit => {
    const { ip, requestId } = visit.context.state
    const counted = await services.rate.count(`sso:ip:${rateKeyOfIp(ip)}`, loginsAMinute, services.clock.nowMs())
    if (counted.isRefused) throw tooMany(counted)
    try {
      return await answer(visit)
    } catch (error) {
      if (!(error instanceof SsoFailure)) throw error
      const { outcome, detail } = error
      services.log.info({ outcome, request_id: requestId, reason: detail }, 'single sign-on failure')
      return failed(visit, outcome)
    }
  }

/** A logout token, sent by a provider and not by a browser: it reads the status, and JSON (section 2.8). */
async function endSessions(services: Services, context: Context): Promise<void> {
  const { ip, requestId } = context.state
  context.state.route = backChannelPath
  context.set('Cache-Control', 'no-store')
  const counted = await services.rate.count(`sso-logout:ip:${rateKeyOfIp(ip)}`, logoutsAMinute, services.clock.nowMs())
  if (counted.isRefused) throw tooMany(counted)
  const { content } = await readBytes(context.req, ['application/x-www-form-urlencoded'], longestLogout)
  const token = new URLSearchParams(content.toString('utf8')).get('logout_token') ?? ''
  try {
    const sessions = await endByProvider(services, token, { ip, requestId })
    services.log.info({ sessions, request_id: requestId }, 'logout by provider')
    context.status = 200
    context.body = ''
  } catch (error) {
    if (!(error instanceof SsoFailure)) throw error
    const { outcome, detail } = error
    services.log.info({ outcome, request_id: requestId, reason: detail }, 'logout token refused')
    const isAway = ofProvider.has(outcome)
    context.status = isAway ? 503 : 400
    context.body = { error: isAway ? 'temporarily_unavailable' : 'invalid_request', error_description: detail }
  }
}

const ofProvider: ReadonlySet<Failure> = new Set(['unreachable', 'timeout', 'bad_answer', 'blocked'])

/** The text of a failure for the person; its details are for administrators. */
const visitorReasons = {
  blocked: 'setUp',
  unreachable: 'provider',
  timeout: 'provider',
  bad_answer: 'provider',
  issuer_mismatch: 'setUp',
  client_refused: 'setUp',
  provider_refused: 'refused',
  token_invalid: 'setUp',
  state_invalid: 'again',
  email_missing: 'email',
  email_unverified: 'email',
  domain_unverified: 'domain',
  not_a_member: 'member',
  member_disabled: 'member',
  no_seat: 'seat',
  staff: 'staff',
  team_suspended: 'suspended',
  sso_off: 'off',
} as const satisfies Record<Failure, string>

function failed({ context, language }: Visit, outcome: Failure): PageAnswer {
  const words = texts('pages', language).sso
  const values = { words, request: String(context.state.requestId) }
  const alert = words.visitors[visitorReasons[outcome]]
  return { title: words.failed, template: 'sso-failed', values, alert, status: ofProvider.has(outcome) ? 502 : 403 }
}
