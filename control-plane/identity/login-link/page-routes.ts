import { readFileSync } from 'node:fs'
import Router from '@koa/router'
import type { Context } from 'koa'
import type { Services } from '#control-plane/http/services.ts'
import { RequestRate } from '#control-plane/http/stages/rate.ts'
import { browserNonce, checkForm, formToken } from '#control-plane/identity/pages/form.ts'
import { afterFactors } from '#control-plane/identity/pages/login/finish.ts'
import { storePending } from '#control-plane/identity/pages/login/pending.ts'
import { home, ownPath } from '#control-plane/identity/pages/safe-redirect.ts'
import {
  type GoOn,
  type PageAnswer,
  sentenceOf,
  servePage,
  shownRefusal,
  type Visit,
} from '#control-plane/identity/pages/serve.ts'
import { relyingPartyOf } from '#control-plane/identity/passkeys/relying-party.ts'
import { networkOf } from '#control-plane/identity/sessions/guesses.ts'
import { loginMethods } from '#control-plane/identity/sso/login-methods.ts'
import { deviceSecretOf } from '#control-plane/identity/trusted-devices/cookie.ts'
import { isTrustedDevice } from '#control-plane/identity/trusted-devices/trust.ts'
import { texts } from '#locales/texts.ts'
import { sendLoginLink } from './send.ts'
import { type LinkUse, useCode, useLink } from './use.ts'

type Answering = (visit: Visit) => Promise<PageAnswer | GoOn>

const path = '/login/link'
const scriptPath = `${path}/open.js`
const openJs = readFileSync(new URL('./open.js', import.meta.url))
const addressShape = /^[^\s@]+@[^\s@]+$/

const nextOf = (text: unknown): string => ownPath(typeof text === 'string' ? text : null) ?? home

/**
 * Signing in by a mailed link or its code. Programs that read mails open links: only the button of the page signs in,
 * and only in the browser that asked.
 */
export function loginLinkRoutes(services: Services): Router {
  const { config, platform } = services
  const router = new Router()

  const askForm = ({ context, language }: Visit, next: string, alert?: string, status = 200): PageAnswer => {
    const words = texts('pages', language).loginLink
    const { email: label } = texts('pages', language).login
    const values = { words, label, next, token: formToken(context, config) }
    return { title: words.title, template: 'login-link', values, alert, status }
  }

  const codeForm = ({ context, language }: Visit, alert?: string, status = 200): PageAnswer => {
    const words = texts('pages', language).loginLink
    const values = { words, token: formToken(context, config) }
    return { title: words.sentTitle, template: 'login-link-code', values, alert, status }
  }

  const openForm = ({ context, language }: Visit, alert?: string, status = 200): PageAnswer => {
    const words = texts('pages', language).loginLink
    const values = { words, token: alert === undefined && formToken(context, config) }
    return { title: words.title, template: 'login-link-open', values, alert, status }
  }

  /** A team that hides the password is entered by its own ways alone. */
  const isHidden = async ({ context }: Visit) => (await loginMethods(services, context.host)).password !== 'shown'

  const show: Answering = async visit => {
    const next = nextOf(visit.context.query.next)
    return (await isHidden(visit)) ? { to: '/login' } : askForm(visit, next)
  }

  const send: Answering = async visit => {
    const { context, language } = visit
    const form = await checkForm(context, config)
    const [email, next] = [(form.get('email') ?? '').trim(), nextOf(form.get('next'))]
    if (await isHidden(visit)) return { to: '/login' }
    try {
      await new RequestRate(context, services).countAddress('auth')
      const { origin } = relyingPartyOf(services, context.host)
      const asked = { email, nonce: browserNonce(context, config), origin, next, ip: context.state.ip }
      if (email.length <= 255 && addressShape.test(email)) await sendLoginLink(services, asked)
      return codeForm(visit)
    } catch (error) {
      const { refusal, status } = shownRefusal(visit, error)
      return askForm(visit, next, sentenceOf(refusal, language), status)
    }
  }

  const enterBy = async (context: Context, { userId, hasFactor, next }: LinkUse): Promise<GoOn> => {
    const { ip } = context.state
    const secret = deviceSecretOf(context.req.headers.cookie, config)
    const needsFactor = hasFactor && !(await isTrustedDevice(platform, { userId, secret, ip }))
    const network = networkOf(ip)
    const origin = { place: network, isKnown: false, network }
    const login = { userId, origin, needsFactor, next, trusts: false, method: 'login_link' as const }
    if (!needsFactor) return afterFactors(services, context, login)
    await storePending(services, context, login)
    return { to: '/login/second-factor' }
  }

  /** Signs in by what the form holds; what does not hold, or what a team refuses, is shown in the page. */
  const using =
    (
      use: (form: URLSearchParams, nonce: string) => Promise<LinkUse | null>,
      page: (visit: Visit, alert: string, status: number) => PageAnswer,
      wrong: 'notOpen' | 'wrongCode',
    ): Answering =>
    async visit => {
      const { context, language } = visit
      const form = await checkForm(context, config)
      try {
        await new RequestRate(context, services).countAddress('auth')
        const used = await use(form, browserNonce(context, config))
        return used === null
          ? page(visit, texts('pages', language).loginLink[wrong], 401)
          : await enterBy(context, used)
      } catch (error) {
        const { refusal, status } = shownRefusal(visit, error)
        return page(visit, sentenceOf(refusal, language), status)
      }
    }

  const serve = (at: string, answer: Answering) => servePage(services, at, answer)
  const open = using((form, nonce) => useLink(platform, form.get('token') ?? '', nonce), openForm, 'notOpen')
  const enterCode = using((form, nonce) => useCode(platform, form.get('code') ?? '', nonce), codeForm, 'wrongCode')
  router.get(path, serve(path, show))
  router.post(path, serve(path, send))
  router.post(`${path}/code`, serve(`${path}/code`, enterCode))
  router.get(
    `${path}/open`,
    serve(`${path}/open`, async visit => openForm(visit)),
  )
  router.post(`${path}/open`, serve(`${path}/open`, open))
  router.get(scriptPath, context => {
    context.state.route = scriptPath
    context.set('Cache-Control', 'public, max-age=60')
    context.type = 'text/javascript; charset=utf-8'
    context.body = openJs
  })
  return router
}
