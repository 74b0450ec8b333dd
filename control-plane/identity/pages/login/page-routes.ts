import Router from '@koa/router'
import { z } from 'zod'
import type { Caller } from '#control-plane/base/caller.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { callEndpoint } from '#control-plane/http/call.ts'
import { sessionOf } from '#control-plane/http/session-cookie.ts'
import type { Mounting } from '#control-plane/http/stages/exchange.ts'
import { RequestRate } from '#control-plane/http/stages/rate.ts'
import { passesFactor } from '#control-plane/identity/mfa/pass.ts'
import { checkForm, formToken } from '#control-plane/identity/pages/form.ts'
import { home, ownPath } from '#control-plane/identity/pages/safe-redirect.ts'
import {
  type GoOn,
  type PageAnswer,
  sentenceOf,
  servePage,
  shownRefusal,
  type Visit,
} from '#control-plane/identity/pages/serve.ts'
import { SignInAnswer } from '#control-plane/identity/passkeys/answers.ts'
import { personOfPasskey } from '#control-plane/identity/passkeys/recognise.ts'
import { relyingPartyOf } from '#control-plane/identity/passkeys/relying-party.ts'
import { passkeySlot } from '#control-plane/identity/passkeys/slot.ts'
import { forgotPassword } from '#control-plane/identity/password-reset/forgot.ts'
import { currentUser } from '#control-plane/identity/sessions/current.ts'
import { networkOf } from '#control-plane/identity/sessions/guesses.ts'
import { logout } from '#control-plane/identity/sessions/logout.ts'
import { provePassword } from '#control-plane/identity/sessions/recognise.ts'
import { type LoginMethods, loginMethods } from '#control-plane/identity/sso/login-methods.ts'
import { signedOutPath } from '#control-plane/identity/sso/provider.ts'
import { deviceSecretOf } from '#control-plane/identity/trusted-devices/cookie.ts'
import { isTrustedDevice } from '#control-plane/identity/trusted-devices/trust.ts'
import { fill, named, texts } from '#locales/texts.ts'
import { afterFactors, enter, teamsToEnter } from './finish.ts'
import { pendingLogin, signInOver, storePending } from './pending.ts'

type Answering = (visit: Visit) => Promise<PageAnswer | GoOn>

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const nextOf = (text: unknown): string => ownPath(typeof text === 'string' ? text : null) ?? home

/** Signing in and out by forms that need no script. */
export function loginRoutes(mounting: Mounting): Router {
  const { services } = mounting
  const { config, clock, platform } = services
  const router = new Router()

  const loginForm = (
    { context, language, brand }: Visit,
    { email = '', next, alert, note, status = 200, ways }: LoginForm,
  ): PageAnswer => {
    const words = texts('pages', language).login
    const link = `/login/link?next=${encodeURIComponent(next)}`
    const company = ways.team === null ? '/sso' : `/sso/login?team=${encodeURIComponent(ways.team)}`
    const values = {
      ...{ words, email, next, company, link, token: formToken(context, config) },
      isAddressFirst: email === '',
      isPasswordFirst: email !== '',
      passkey: passkeySlot(language, 'sign-in', next),
    }
    return { title: fill(words.to, { brand: brand.name }), template: 'login', values, alert, note, status }
  }

  /** Where the portal's team is not entered with a password. */
  const otherWays = (
    { language, brand }: Visit,
    { password, team }: LoginMethods,
    note: string | undefined,
  ): PageAnswer => {
    const words = texts('pages', language).login
    const values = {
      words,
      panel: password === 'partner' && fill(words.panel, { brand: brand.name }),
      company: team !== null && `/sso/login?team=${encodeURIComponent(team)}`,
      mayUsePassword: password === 'enforced',
    }
    return { title: fill(words.to, { brand: brand.name }), template: 'login-elsewhere', values, note }
  }

  const showLogin: Answering = async visit => {
    const { context, language } = visit
    const next = nextOf(context.query.next)
    if (await isSignedIn(mounting, visit)) return { to: next }
    const note = context.query.out === undefined ? undefined : texts('pages', language).login.signedOut
    const ways = await loginMethods(services, context.host)
    const isHidden =
      ways.password === 'partner' || (ways.password === 'enforced' && context.query.password === undefined)
    return isHidden ? otherWays(visit, ways, note) : loginForm(visit, { next, ways, ...(note && { note }) })
  }

  const logIn: Answering = async visit => {
    const { context, language } = visit
    const form = await checkForm(context, config)
    const [email, password] = [(form.get('email') ?? '').trim(), form.get('password') ?? '']
    const next = nextOf(form.get('next'))
    const ways = await loginMethods(services, context.host)
    try {
      await new RequestRate(context, services).countAddress('auth')
      const isPlausible = email.length <= 255 && password.length > 0 && password.length <= 1_000
      const from = { ip: context.state.ip, userAgent: context.req.headers['user-agent'] ?? '', deviceName: 'Browser' }
      const proven = isPlausible ? await provePassword(services, { email, password, from }, clock.now()) : null
      if (proven === null)
        return loginForm(visit, { email, next, ways, alert: texts('pages', language).login.wrong, status: 401 })
      const { userId, hasFactor, origin } = proven
      const secret = deviceSecretOf(context.req.headers.cookie, config)
      const needsFactor = hasFactor && !(await isTrustedDevice(platform, { userId, secret, ip: from.ip }))
      const login = { userId, origin, needsFactor, next, trusts: false, method: 'password' as const }
      if (!needsFactor) return await afterFactors(services, context, login)
      await storePending(services, context, login)
      return { to: '/login/second-factor' }
    } catch (error) {
      const { refusal, status } = shownRefusal(visit, error)
      return loginForm(visit, { email, next, ways, alert: sentenceOf(refusal, language), status })
    }
  }

  /** A script sends the answer of the browser, and goes on where this leads. The passkey is all factors in one. */
  const takePasskey: Answering = async visit => {
    const { context, language } = visit
    const form = await checkForm(context, config)
    const next = nextOf(form.get('next'))
    await new RequestRate(context, services).countAddress('auth')
    const { ip, requestId } = context.state
    const answer = SignInAnswer.safeParse(jsonOf(form.get('credential') ?? ''))
    const party = relyingPartyOf(services, context.host)
    const userId = answer.success ? await personOfPasskey(services, answer.data, party, { ip, requestId }) : null
    if (userId === null)
      return {
        title: texts('pages', language).login.signIn,
        alert: texts('pages', language).passkeys.failed,
        status: 401,
      }
    const origin = { place: networkOf(ip), isKnown: true }
    const login = { userId, origin, needsFactor: false, next, trusts: false, method: 'passkey' as const }
    return afterFactors(services, context, login)
  }

  const codeForm = ({ context, language }: Visit, next: string, alert?: string, status = 200): PageAnswer => {
    const { code: words } = texts('pages', language).login
    const values = { words, token: formToken(context, config), passkey: passkeySlot(language, 'sign-in', next) }
    return { title: words.title, template: 'login-code', values, alert, status }
  }

  const showCode: Answering = async visit => {
    const { needsFactor, next } = await pendingLogin(services, visit.context)
    return needsFactor ? codeForm(visit, next) : { to: '/login/team' }
  }

  const checkCode: Answering = async visit => {
    const { context, language } = visit
    const form = await checkForm(context, config)
    const login = await pendingLogin(services, context)
    if (!login.needsFactor) return { to: '/login/team' }
    try {
      await new RequestRate(context, services).countAddress('auth')
      const code = (form.get('code') ?? '').trim().slice(0, 50)
      const { userId, origin } = login
      if (!(await passesFactor(services, userId, code, { now: clock.now(), origin })))
        return codeForm(visit, login.next, texts('pages', language).login.code.wrong, 401)
      return await afterFactors(services, context, { ...login, needsFactor: false, trusts: form.has('trust') })
    } catch (error) {
      const { refusal, status } = shownRefusal(visit, error)
      return codeForm(visit, login.next, sentenceOf(refusal, language), status)
    }
  }

  const showTeams: Answering = async visit => {
    const { context, language } = visit
    const login = await pendingLogin(services, context)
    if (login.needsFactor) return { to: '/login/second-factor' }
    const { team: words, roles } = texts('pages', language).login
    const entered = await teamsToEnter(services, login.userId)
    const teams = entered.map(({ id, name, role }) => ({ id, name, role: named(roles, role) }))
    return { title: words.title, template: 'login-team', values: { words, teams, token: formToken(context, config) } }
  }

  const chooseTeam: Answering = async ({ context }) => {
    const form = await checkForm(context, config)
    const login = await pendingLogin(services, context)
    if (login.needsFactor) throw signInOver()
    const team = z.uuid().safeParse(form.get('team'))
    return team.success ? enter(services, context, login, team.data) : { to: '/login/team' }
  }

  const showForgot: Answering = async visit => forgotForm(visit)

  const forgotForm = (
    { context, language }: Visit,
    {
      email = '',
      error,
      alert,
      status = 200,
    }: { email?: string; error?: string; alert?: string; status?: number } = {},
  ): PageAnswer => {
    const { email: label, forgotten: words } = texts('pages', language).login
    const values = { words, label, email, error, token: formToken(context, config) }
    return { title: words.title, template: 'forgot', values, alert, status }
  }

  const sendReset: Answering = async visit => {
    const { context, language } = visit
    const email = ((await checkForm(context, config)).get('email') ?? '').trim()
    const { forgotten: words } = texts('pages', language).login
    try {
      await callEndpoint(mounting, context, forgotPassword, { body: { email } })
    } catch (error) {
      const { refusal, status } = shownRefusal(visit, error)
      const said = sentenceOf(refusal, language)
      return forgotForm(visit, { email, status, ...(status === 422 ? { error: said } : { alert: said }) })
    }
    return { title: words.sentTitle, template: 'forgotten', values: { words } }
  }

  const showLogout: Answering = async ({ context, language }) => {
    const { out: words } = texts('pages', language).login
    return { title: words.title, template: 'logout', values: { words, token: formToken(context, config) } }
  }

  const logOut: Answering = async visit => {
    await checkForm(visit.context, config)
    const caller = await callerOf(mounting, visit)
    await callEndpoint(mounting, visit.context, logout)
    if (caller?.authMethod !== 'oidc') return { to: '/login?out' }
    return { to: `${signedOutPath}?team=${encodeURIComponent(caller.tenant.slug)}` }
  }

  const pages: [path: string, show: Answering, send: Answering][] = [
    ['/login', showLogin, logIn],
    ['/login/second-factor', showCode, checkCode],
    ['/login/team', showTeams, chooseTeam],
    ['/forgot', showForgot, sendReset],
    ['/logout', showLogout, logOut],
  ]
  for (const [path, show, send] of pages) {
    router.get(path, servePage(services, path, show))
    router.post(path, servePage(services, path, send))
  }
  router.post('/login/passkey', servePage(services, '/login/passkey', takePasskey))
  return router
}

interface LoginForm {
  email?: string
  next: string
  alert?: string
  note?: string
  status?: number
  ways: LoginMethods
}

const isSignedIn = async (mounting: Mounting, visit: Visit): Promise<boolean> =>
  (await callerOf(mounting, visit)) !== null

/** Who is signed in in this browser; null without a session. */
async function callerOf(mounting: Mounting, { context }: Visit): Promise<Caller | null> {
  if (sessionOf(context.req.headers.cookie, mounting.services.config) === undefined) return null
  try {
    await callEndpoint(mounting, context, currentUser)
    return context.state.caller as Caller
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
