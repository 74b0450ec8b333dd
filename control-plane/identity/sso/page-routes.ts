import Router from '@koa/router'
import type { Context } from 'koa'
import { readBytes } from '#control-plane/http/body.ts'
import { rateKeyOfIp } from '#control-plane/http/rate.ts'
import type { Services } from '#control-plane/http/services.ts'
import { sessionCookie } from '#control-plane/http/session-cookie.ts'
import { documentOf, escapeHtml } from '#control-plane/identity/pages/html.ts'
import { type PageLanguage, pageLanguages } from '#control-plane/identity/pages/page.ts'
import { beginLogin, endLogin, takeAnswer } from './login.ts'
import { SsoFailure } from './outcome.ts'
import { callbackPath } from './provider.ts'
import { answerPath, metadataOf, metadataPath } from './saml/request.ts'
import { findTeam } from './team.ts'
import { pageWords, visitorWords } from './words.ts'

/** Browsers apply `form-action` to the redirect as well: it leads to the provider. */
const policyOf = ({ baseUrl }: Services['config']) =>
  `default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self' https:${
    baseUrl.startsWith('http:') ? ' http:' : ''
  }; frame-ancestors 'none'; base-uri 'none'`
const loginsAMinute = 20
const longestQuery = 4_096
const longestAnswer = 400_000

/** The pages of single sign-on: where a person names their company, the way to its provider, and back. */
export function ssoRoutes(services: Services): Router {
  const router = new Router()
  router.use((context, next) => {
    context.set({
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': policyOf(services.config),
      Vary: 'Accept-Language',
    })
    return next()
  })
  router.get('/sso', context => sendForm(context, 200))
  router.get('/sso/login', context => answering(services, context, () => begin(services, context)))
  router.get(callbackPath, context => answering(services, context, () => end(services, context)))
  router.post(answerPath, context => answering(services, context, () => take(services, context)))
  router.get(metadataPath, context => {
    context.type = 'application/samlmetadata+xml'
    context.body = metadataOf(services.config.baseUrl)
  })
  return router
}

/** The answer of a SAML provider. It is posted from another site, so without cookies: a redirect brings them along. */
async function take(services: Services, context: Context): Promise<void> {
  const { content } = await readBytes(context.req, ['application/x-www-form-urlencoded'], longestAnswer)
  const form = new URLSearchParams(content.toString('utf8'))
  const answer = { response: form.get('SAMLResponse') ?? '', state: form.get('RelayState') ?? '' }
  const location = await takeAnswer(services, answer, String(context.state.requestId))
  context.status = 303
  context.set('Location', location)
}

async function begin(services: Services, context: Context): Promise<void> {
  const { searchParams } = context.URL
  const [email, slug] = [searchParams.get('email')?.trim().toLowerCase(), searchParams.get('team')]
  if (!email && !slug) return sendForm(context, 200)
  const isEmail = email !== undefined && /^[^@\0]{1,64}@[^@\0]{1,250}$/.test(email)
  const named = isEmail ? { email } : slug && /^[\w-]{1,100}$/.test(slug) ? { slug } : null
  const team = named && (await findTeam(services.platform, named))
  if (!team) return sendForm(context, 404, visitorWords(languageOf(context), 'unknown'))
  const { location, cookie } = await beginLogin(services, team, browserOf(context), isEmail ? email : null)
  context.append('Set-Cookie', cookie)
  context.status = 303
  context.set('Location', location)
}

async function end(services: Services, context: Context): Promise<void> {
  const query = new URLSearchParams(context.querystring.length <= longestQuery ? context.querystring : '')
  const session = await endLogin(services, query, browserOf(context))
  context.append('Set-Cookie', sessionCookie(services.config, session.token, session.expiresAt))
  context.status = 303
  context.set('Location', '/app')
}

const browserOf = (context: Context) => ({
  cookies: context.headers.cookie,
  ip: String(context.state.ip),
  userAgent: context.get('User-Agent'),
  requestId: String(context.state.requestId),
})

const languageOf = (context: Context): PageLanguage => {
  const wanted = context.acceptsLanguages(...pageLanguages)
  return pageLanguages.find(language => language === wanted) ?? 'en'
}

/** Counts the request, and turns a failed sign-in into a page with the number of the request. */
async function answering(services: Services, context: Context, work: () => Promise<void>): Promise<void> {
  context.state.route = context.path
  const key = `sso:ip:${rateKeyOfIp(String(context.state.ip))}`
  const counted = await services.rate.count(key, loginsAMinute, services.clock.nowMs())
  if (counted.isRefused) {
    context.set('Retry-After', String(counted.retryAfterS))
    return sendFailure(context, 429, pageWords[languageOf(context)].often)
  }
  try {
    await work()
  } catch (error) {
    if (!(error instanceof SsoFailure)) throw error
    services.log.info(
      { outcome: error.outcome, request_id: context.state.requestId, reason: error.detail },
      'single sign-on failure',
    )
    const isProvider = ['unreachable', 'timeout', 'bad_answer', 'blocked'].includes(error.outcome)
    sendFailure(context, isProvider ? 502 : 403, visitorWords(languageOf(context), error.outcome))
  }
}

function send(context: Context, status: number, title: string, body: string): void {
  context.state.route ??= context.path
  context.status = status
  context.type = 'text/html; charset=utf-8'
  context.body = documentOf({ language: languageOf(context), title, body })
}

function sendForm(context: Context, status: number, failure?: string): void {
  const words = pageWords[languageOf(context)]
  const error = failure ? `<p id="failure" role="alert" class="error">${escapeHtml(failure)}</p>` : ''
  const described = failure ? ' aria-describedby="failure" aria-invalid="true"' : ''
  send(
    context,
    status,
    words.title,
    `${error}<form action="/sso/login" method="get"><div><label for="email">${words.label}</label>
<input id="email" name="email" type="email" autocomplete="email" maxlength="255" required${described}></div>
<button>${words.button}</button></form>`,
  )
}

function sendFailure(context: Context, status: number, failure: string): void {
  const words = pageWords[languageOf(context)]
  const id = escapeHtml(String(context.state.requestId))
  send(
    context,
    status,
    words.failed,
    `<p role="alert">${escapeHtml(failure)}</p><p><a href="/sso">${words.again}</a></p>
<p class="hint">${words.id} <code>${id}</code></p>`,
  )
}
