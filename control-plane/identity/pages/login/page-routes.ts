import Router from '@koa/router'
import { z } from 'zod'
import { Refusal } from '#control-plane/base/refusal.ts'
import { callEndpoint } from '#control-plane/http/call.ts'
import { sessionOf } from '#control-plane/http/session-cookie.ts'
import type { Mounting } from '#control-plane/http/stages/exchange.ts'
import { RequestRate } from '#control-plane/http/stages/rate.ts'
import { passesFactor } from '#control-plane/identity/mfa/pass.ts'
import { alertOf, fieldOf, noteOf } from '#control-plane/identity/pages/field.ts'
import { checkForm, formTokenField } from '#control-plane/identity/pages/form.ts'
import { escapeHtml } from '#control-plane/identity/pages/html.ts'
import { ownPath } from '#control-plane/identity/pages/own-path.ts'
import {
  type GoOn,
  type PageAnswer,
  sentenceOf,
  servePage,
  shownRefusal,
  type Visit,
} from '#control-plane/identity/pages/serve.ts'
import { forgotPassword } from '#control-plane/identity/password-reset/forgot.ts'
import { currentUser } from '#control-plane/identity/sessions/current.ts'
import { logout } from '#control-plane/identity/sessions/logout.ts'
import { provePassword } from '#control-plane/identity/sessions/recognise.ts'
import { deviceSecretOf } from '#control-plane/identity/trusted-devices/cookie.ts'
import { isTrustedDevice } from '#control-plane/identity/trusted-devices/trust.ts'
import { afterFactors, enter, teamsToEnter } from './finish.ts'
import { keepPending, pendingLogin, signInOver } from './pending.ts'
import { loginWords } from './words.ts'

const address = { name: 'email', type: 'email', autocomplete: 'username webauthn' } as const
const secret = { name: 'password', type: 'password', autocomplete: 'current-password' } as const

type Answering = (visit: Visit) => Promise<PageAnswer | GoOn>

const home = '/account'
const nextOf = (text: unknown): string => ownPath(typeof text === 'string' ? text : null) ?? home

/** Signing in and out by forms that need no script. */
export function loginRoutes(mounting: Mounting): Router {
  const { services } = mounting
  const { config, clock, platform } = services
  const router = new Router()

  const loginForm = (
    { context, language, brand }: Visit,
    { email = '', next, alert, note, status = 200 }: LoginForm,
  ): PageAnswer => {
    const words = loginWords[language]
    const body = `${alertOf(alert)}${note ? noteOf(note) : ''}
<form action="/login" method="post">
${formTokenField(context, config)}<input type="hidden" name="next" value="${escapeHtml(next)}">
${fieldOf({ ...address, label: words.email, value: email, isFirst: email === '' })}
${fieldOf({ ...secret, label: words.password, isFirst: email !== '' })}
<p class="soft"><a href="/forgot">${words.forgot}</a></p>
<button>${words.signIn}</button>
</form>
<div id="passkey"></div>`
    return { title: words.to(brand.name), body, status }
  }

  const showLogin: Answering = async visit => {
    const { context, language } = visit
    const next = nextOf(context.query.next)
    if (await isSignedIn(mounting, visit)) return { to: next }
    const isOut = context.query.out !== undefined
    return loginForm(visit, { next, ...(isOut && { note: loginWords[language].signedOut }) })
  }

  const logIn: Answering = async visit => {
    const { context, language } = visit
    const form = await checkForm(context, config)
    const [email, password] = [(form.get('email') ?? '').trim(), form.get('password') ?? '']
    const next = nextOf(form.get('next'))
    try {
      await new RequestRate(context, services).countAddress('auth')
      const isPlausible = email.length <= 255 && password.length > 0 && password.length <= 1_000
      const from = { ip: context.state.ip, userAgent: context.req.headers['user-agent'] ?? '', deviceName: 'Browser' }
      const proven = isPlausible ? await provePassword(services, { email, password, from }, clock.now()) : null
      if (proven === null) return loginForm(visit, { email, next, alert: loginWords[language].wrong, status: 401 })
      const { userId, hasFactor, origin } = proven
      const secret = deviceSecretOf(context.req.headers.cookie, config)
      const needsFactor = hasFactor && !(await isTrustedDevice(platform, { userId, secret, ip: from.ip }))
      const login = { userId, origin, needsFactor, next, trusts: false }
      if (!needsFactor) return await afterFactors(services, context, login)
      await keepPending(services, context, login)
      return { to: '/login/second-factor' }
    } catch (error) {
      const { refusal, status } = shownRefusal(visit, error)
      return loginForm(visit, { email, next, alert: sentenceOf(refusal, language), status })
    }
  }

  const codeForm = ({ context, language }: Visit, alert?: string, status = 200): PageAnswer => {
    const { code } = loginWords[language]
    const body = `${alertOf(alert)}<p>${code.says}</p>
<form action="/login/second-factor" method="post">
${formTokenField(context, config)}
${fieldOf({ name: 'code', label: code.label, autocomplete: 'one-time-code', hint: code.hint, isFirst: true })}
<p class="check"><input id="trust" name="trust" type="checkbox"><label for="trust">${code.trust}</label></p>
<button>${code.button}</button>
</form>
<div id="passkey"></div>
<p class="soft"><a href="/login">${code.again}</a></p>`
    return { title: code.title, body, status }
  }

  const showCode: Answering = async visit => {
    const { needsFactor } = await pendingLogin(services, visit.context)
    return needsFactor ? codeForm(visit) : { to: '/login/team' }
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
        return codeForm(visit, loginWords[language].code.wrong, 401)
      return await afterFactors(services, context, { ...login, needsFactor: false, trusts: form.has('trust') })
    } catch (error) {
      const { refusal, status } = shownRefusal(visit, error)
      return codeForm(visit, sentenceOf(refusal, language), status)
    }
  }

  const showTeams: Answering = async visit => {
    const { context, language } = visit
    const login = await pendingLogin(services, context)
    if (login.needsFactor) return { to: '/login/second-factor' }
    const { team, roles } = loginWords[language]
    const buttons = (await teamsToEnter(services, login.userId)).map(
      ({ id, name, role }) =>
        `<button class="plain" name="team" value="${id}">${escapeHtml(name)} ` +
        `<span>${roles[role] ?? ''}</span></button>`,
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
    const { email: label, forgotten } = loginWords[language]
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
    const { forgotten } = loginWords[language]
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
    const { out } = loginWords[language]
    const body = `<p>${out.says}</p>
<form action="/logout" method="post">${formTokenField(context, config)}<button>${out.button}</button></form>`
    return { title: out.title, body }
  }

  const logOut: Answering = async ({ context }) => {
    await checkForm(context, config)
    await callEndpoint(mounting, context, logout)
    return { to: '/login?out' }
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
  return router
}

interface LoginForm {
  email?: string
  next: string
  alert?: string
  note?: string
  status?: number
}

async function isSignedIn(mounting: Mounting, { context }: Visit): Promise<boolean> {
  if (sessionOf(context.req.headers.cookie, mounting.services.config) === undefined) return false
  try {
    await callEndpoint(mounting, context, currentUser)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
