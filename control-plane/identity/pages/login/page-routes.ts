import Router from '@koa/router'
import { z } from 'zod'
import type { Caller } from '#control-plane/base/caller.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { callEndpoint } from '#control-plane/http/call.ts'
import { sessionOf } from '#control-plane/http/session-cookie.ts'
import type { Mounting } from '#control-plane/http/stages/exchange.ts'
import { RequestRate } from '#control-plane/http/stages/rate.ts'
import { passesFactor } from '#control-plane/identity/mfa/pass.ts'
import { alertOf, fieldOf, noteOf } from '#control-plane/identity/pages/field.ts'
import { checkForm, formTokenField } from '#control-plane/identity/pages/form.ts'
import { escapeHtml } from '#control-plane/identity/pages/html.ts'
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

const address = { name: 'email', type: 'email', autocomplete: 'username webauthn' } as const
const secret = { name: 'password', type: 'password', autocomplete: 'current-password' } as const

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
    const body = `${alertOf(alert)}${note ? noteOf(note) : ''}
<form action="/login" method="post">
${formTokenField(context, config)}<input type="hidden" name="next" value="${escapeHtml(next)}">
${fieldOf({ ...address, label: words.email, value: email, isFirst: email === '' })}
${fieldOf({ ...secret, label: words.password, isFirst: email !== '' })}
<p class="soft"><a href="/forgot">${words.forgot}</a></p>
<button>${words.signIn}</button>
</form>
<div class="ways">
${passkeySlot(language, 'sign-in', next)}
<a class="button plain" href="${escapeHtml(company)}">${words.company}</a>
<a class="button plain" href="${escapeHtml(link)}">${words.link}</a>
</div>`
    return { title: fill(words.to, { brand: brand.name }), body, status }
  }

  /** Where the portal's team is not entered with a password. */
  const otherWays = (
    { language, brand }: Visit,
    { password, team }: LoginMethods,
    note: string | undefined,
  ): PageAnswer => {
    const words = texts('pages', language).login
    const address = escapeHtml(`/sso/login?team=${encodeURIComponent(team ?? '')}`)
    const parts = [
      ...(note ? [noteOf(note)] : []),
      ...(password === 'partner' ? [`<p>${escapeHtml(fill(words.panel, { brand: brand.name }))}</p>`] : []),
      ...(team === null ? [] : [`<p><a class="button" href="${address}">${words.company}</a></p>`]),
      ...(password === 'enforced' ? [`<p class="soft"><a href="/login?password">${words.byPassword}</a></p>`] : []),
    ]
    return { title: fill(words.to, { brand: brand.name }), body: parts.join('\n') }
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
        body: alertOf(texts('pages', language).passkeys.failed),
        status: 401,
      }
    const origin = { place: networkOf(ip), isKnown: true }
    const login = { userId, origin, needsFactor: false, next, trusts: false, method: 'passkey' as const }
    return afterFactors(services, context, login)
  }

  const codeForm = ({ context, language }: Visit, next: string, alert?: string, status = 200): PageAnswer => {
    const { code } = texts('pages', language).login
    const body = `${alertOf(alert)}<p>${code.says}</p>
<form action="/login/second-factor" method="post">
${formTokenField(context, config)}
${fieldOf({ name: 'code', label: code.label, autocomplete: 'one-time-code', hint: code.hint, isFirst: true })}
<p class="check"><input id="trust" name="trust" type="checkbox"><label for="trust">${code.trust}</label></p>
<button>${code.button}</button>
</form>
${passkeySlot(language, 'sign-in', next)}
<p class="soft"><a href="/login">${code.again}</a></p>`
    return { title: code.title, body, status }
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
    const { team, roles } = texts('pages', language).login
    const buttons = (await teamsToEnter(services, login.userId)).map(
      ({ id, name, role }) =>
        `<button class="plain" name="team" value="${id}">${escapeHtml(name)} ` +
        `<span>${escapeHtml(named(roles, role))}</span></button>`,
    )
    const body = `<p>${team.says}</p>
<form action="/login/team" method="post" class="choice">
${formTokenField(context, config)}
${buttons.join('\n')}
</form>`
    return { title: team.title, body }
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
    const { email: label, forgotten } = texts('pages', language).login
    const body = `${alertOf(alert)}<p>${forgotten.says}</p>
<form action="/forgot" method="post">
${formTokenField(context, config)}
${fieldOf({ name: 'email', label, type: 'email', autocomplete: 'username', value: email, error, isFirst: true })}
<button>${forgotten.button}</button>
</form>
<p class="soft"><a href="/login">${forgotten.back}</a></p>`
    return { title: forgotten.title, body, status }
  }

  const sendReset: Answering = async visit => {
    const { context, language } = visit
    const email = ((await checkForm(context, config)).get('email') ?? '').trim()
    const { forgotten } = texts('pages', language).login
    try {
      await callEndpoint(mounting, context, forgotPassword, { body: { email } })
    } catch (error) {
      const { refusal, status } = shownRefusal(visit, error)
      const said = sentenceOf(refusal, language)
      return forgotForm(visit, { email, status, ...(status === 422 ? { error: said } : { alert: said }) })
    }
    const body = `<p>${forgotten.sent}</p><p><a href="/login">${forgotten.back}</a></p>`
    return { title: forgotten.sentTitle, body }
  }

  const showLogout: Answering = async ({ context, language }) => {
    const { out } = texts('pages', language).login
    const body = `<p>${out.says}</p>
<form action="/logout" method="post">${formTokenField(context, config)}<button>${out.button}</button></form>`
    return { title: out.title, body }
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
