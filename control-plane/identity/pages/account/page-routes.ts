import Router from '@koa/router'
import type { z } from 'zod'
import { moment } from '#contract/figures.ts'
import type { Caller } from '#control-plane/base/caller.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { callEndpoint } from '#control-plane/http/call.ts'
import type { Mounting } from '#control-plane/http/stages/exchange.ts'
import { getMfa } from '#control-plane/identity/mfa/get.ts'
import { noteOf } from '#control-plane/identity/pages/field.ts'
import { checkForm, formTokenField } from '#control-plane/identity/pages/form.ts'
import { escapeHtml } from '#control-plane/identity/pages/html.ts'
import { type GoOn, type PageAnswer, servePage, type Visit } from '#control-plane/identity/pages/serve.ts'
import { getProfile } from '#control-plane/identity/profile/get.ts'
import {
  endOtherSessions,
  endSession,
  listSessions,
  type SessionView,
} from '#control-plane/identity/profile/sessions.ts'
import type { ProfileView } from '#control-plane/identity/profile/view.ts'
import { currentUser } from '#control-plane/identity/sessions/current.ts'
import type { LoginUser } from '#control-plane/identity/sessions/view.ts'
import type { Language } from '#locales/languages.ts'
import { counted, fill, named, texts } from '#locales/texts.ts'
import { secondFactorPages } from './second-factor.ts'

type Session = z.output<typeof SessionView>
interface Mfa {
  mfa_enabled: boolean
  recovery_codes_left: number
}
interface Shown {
  profile: ProfileView
  sessions: Session[]
  mfa: Mfa
}

const mostSessions = 100

/** Where a person lands after signing in: who they are, their sessions, and the way out. */
export function accountRoutes(mounting: Mounting): Router {
  const { config } = mounting.services
  const router = new Router()

  /** Leads a visitor without a session to the sign-in page. */
  const signedIn =
    (answer: (visit: Visit) => Promise<PageAnswer | GoOn>) =>
    async (visit: Visit): Promise<PageAnswer | GoOn> => {
      try {
        return await answer(visit)
      } catch (error) {
        if (error instanceof Refusal && error.status === 401) return { to: '/login?next=/account' }
        throw error
      }
    }

  const show = signedIn(async visit => {
    const { context, language } = visit
    const user = await callEndpoint<z.output<typeof LoginUser>>(mounting, context, currentUser)
    const { tenant, isLocked, kind } = context.state.caller as Caller
    const isOwn = kind === 'ss' && !isLocked
    const words = texts('pages', language).account
    const { mfaDueAt } = context.state.caller as Caller
    const mustSetUp = mfaDueAt !== null && mfaDueAt <= mounting.services.clock.now()
    const shown = isOwn && !mustSetUp ? await readAll(visit) : null
    const token = formTokenField(context, config)
    const required = `<p class="alert">${words.required}</p>
<p><a class="button" href="/account/second-factor">${words.setUp}</a></p>`
    const body = `${mustSetUp ? required : ''}${context.query.ended === undefined ? '' : noteOf(words.ended)}
${aboutOf({ name: user.name, email: user.email, team: tenant.name, role: user.role }, shown, language)}
<div class="actions"><form action="/logout" method="post">${token}<button>${words.signOut}</button></form>
<a href="/api/docs">${words.docs}</a>${shown === null ? '' : passkeysLink(language)}</div>
${isOwn ? '' : `<p class="soft">${words.limited}</p>`}
${shown === null ? '' : sessionsOf(shown, token, language)}`
    return { title: words.title, body, isWide: true }
  })

  const readAll = async ({ context }: Visit): Promise<Shown> => {
    const { data: profile } = await callEndpoint<{ data: ProfileView }>(mounting, context, getProfile)
    const { data: mfa } = await callEndpoint<{ data: Mfa }>(mounting, context, getMfa)
    const { data: sessions } = await callEndpoint<{ data: Session[] }>(mounting, context, listSessions, {
      query: { per_page: String(mostSessions) },
    })
    return { profile, mfa, sessions }
  }

  const whereSignedIn = (answer: (visit: Visit) => Promise<PageAnswer>) => async (visit: Visit) => {
    await callEndpoint(mounting, visit.context, currentUser)
    return answer(visit)
  }

  const end = signedIn(async ({ context }) => {
    const session = (await checkForm(context, config)).get('session') ?? ''
    if (session === 'others') await callEndpoint(mounting, context, endOtherSessions)
    else await endOne(context, session)
    return { to: '/account?ended' }
  })

  /** One that has ended meanwhile is what was asked for. */
  const endOne = async (context: Visit['context'], session: string) => {
    try {
      await callEndpoint(mounting, context, endSession, { params: { session } })
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 404) throw error
    }
  }

  const factor = secondFactorPages(mounting)
  const { services } = mounting
  router.get('/account', servePage(services, '/account', show))
  const path = '/account/second-factor'
  router.get(path, servePage(services, path, signedIn(whereSignedIn(factor.ask))))
  router.post(path, servePage(services, path, signedIn(factor.start)))
  router.post(`${path}/confirm`, servePage(services, `${path}/confirm`, signedIn(factor.confirm)))
  router.post('/account/sessions', servePage(services, '/account/sessions', end))
  return router
}

const passkeysLink = (language: Language) =>
  ` <a href="/account/passkeys">${texts('pages', language).passkeys.title}</a>`

function aboutOf(
  who: { name: string; email: string; team: string; role: string },
  shown: Shown | null,
  language: Language,
): string {
  const { name, email, team, role, factor, setUp } = texts('pages', language).account
  const rows: [string, string][] = [
    [name, escapeHtml(who.name)],
    [email, escapeHtml(who.email)],
    [team, escapeHtml(who.team)],
    [role, escapeHtml(named(texts('pages', language).login.roles, who.role))],
    ...(shown === null
      ? []
      : [
          [
            factor.label,
            shown.mfa.mfa_enabled
              ? counted(factor, 'on', shown.mfa.recovery_codes_left, language)
              : `${factor.off}. <a href="/account/second-factor">${setUp}</a>`,
          ] as [string, string],
        ]),
  ]
  return `<dl>${rows.map(([term, value]) => `<dt>${term}</dt><dd>${value}</dd>`).join('\n')}</dl>`
}

function sessionsOf({ sessions, profile }: Shown, token: string, language: Language): string {
  const { sessions: words, others } = texts('pages', language).account
  const time = (at: string) => moment(Date.parse(at), { language, zone: profile.timezone, style: 'full' })
  const lineOf = ({ id, device_name, is_current, last_used_at, last_used_ip }: Session) => {
    const used = last_used_at === null ? words.never : fill(words.used, { at: time(last_used_at) })
    const details = [is_current ? words.current : used, ...(last_used_ip === null ? [] : [last_used_ip])]
    const device = escapeHtml(device_name)
    const button = is_current
      ? ''
      : `<form action="/account/sessions" method="post">${token}<input type="hidden" name="session" value="${id}">` +
        `<button class="plain small" aria-label="${words.endOf}: ${device}">${words.end}</button></form>`
    return `<li><p>${device}<br><span class="soft">${escapeHtml(details.join(', '))}</span></p>${button}</li>`
  }
  const all =
    sessions.length < 2
      ? ''
      : `<form action="/account/sessions" method="post">${token}<input type="hidden" name="session" value="others">` +
        `<button class="plain small">${others}</button></form>`
  return `<h2>${words.title}</h2><ul class="rows">${sessions.map(lineOf).join('\n')}</ul>${all}`
}
