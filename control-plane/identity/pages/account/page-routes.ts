import Router from '@koa/router'
import type { z } from 'zod'
import { moment } from '#contract/figures.ts'
import type { Caller } from '#control-plane/base/caller.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { callEndpoint } from '#control-plane/http/call.ts'
import type { Mounting } from '#control-plane/http/stages/exchange.ts'
import { getMfa } from '#control-plane/identity/mfa/get.ts'
import { checkForm, formToken } from '#control-plane/identity/pages/form.ts'
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
    const values = {
      ...{ words, mustSetUp, isOwn, token: formToken(context, config) },
      hasEnded: context.query.ended !== undefined,
      rows: [
        { term: words.name, value: user.name },
        { term: words.email, value: user.email },
        { term: words.team, value: tenant.name },
        { term: words.role, value: named(texts('pages', language).login.roles, user.role) },
      ],
      passkeys: texts('pages', language).passkeys.title,
      ...(shown && {
        factor: {
          on: shown.mfa.mfa_enabled && counted(words.factor, 'on', shown.mfa.recovery_codes_left, language),
        },
        sessions: sessionsOf(shown, language),
      }),
    }
    return { title: words.title, template: 'account', values, isWide: true }
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

function sessionsOf({ sessions, profile }: Shown, language: Language) {
  const words = texts('pages', language).account.sessions
  const time = (at: string) => moment(Date.parse(at), { language, zone: profile.timezone, style: 'full' })
  return sessions.map(({ id, device_name, is_current, last_used_at, last_used_ip }) => {
    const used = last_used_at === null ? words.never : fill(words.used, { at: time(last_used_at) })
    const details = [is_current ? words.current : used, ...(last_used_ip === null ? [] : [last_used_ip])]
    return { id, device: device_name, isCurrent: is_current, details: details.join(', ') }
  })
}
