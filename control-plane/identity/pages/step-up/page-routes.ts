import Router from '@koa/router'
import type { Caller } from '#control-plane/base/caller.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { affected } from '#control-plane/db/queries.ts'
import { callEndpoint } from '#control-plane/http/call.ts'
import type { Mounting } from '#control-plane/http/stages/exchange.ts'
import { checkForm, formToken } from '#control-plane/identity/pages/form.ts'
import { home, ownPath, stepUpPath } from '#control-plane/identity/pages/safe-redirect.ts'
import {
  type GoOn,
  type PageAnswer,
  sentenceOf,
  servePage,
  shownRefusal,
  type Visit,
} from '#control-plane/identity/pages/serve.ts'
import { passkeySlot } from '#control-plane/identity/passkeys/slot.ts'
import { currentUser } from '#control-plane/identity/sessions/current.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { stepUp } from '#control-plane/identity/sessions/step-up.ts'
import { texts } from '#locales/texts.ts'

const path = '/step-up'

interface Shown {
  next: string
  needsCode: boolean
  alert?: string
  status?: number
}

/** The page on which people confirm who they are, without a script, and go on to what they wanted to do. */
export function stepUpRoutes(mounting: Mounting): Router {
  const { services } = mounting
  const { config, platform } = services
  const router = new Router()

  const form = ({ context, language }: Visit, { next, needsCode, alert, status = 200 }: Shown): PageAnswer => {
    const words = texts('pages', language).stepUp
    const values = {
      ...{ words, next, needsCode, token: formToken(context, config) },
      passkey: passkeySlot(language, 'step-up', next),
    }
    return { title: words.title, template: 'step-up', values, alert, status }
  }

  /** Whether the signed-in person has an authenticator; refused without an own session. */
  const hasFactor = async ({ context }: Visit): Promise<boolean> => {
    await callEndpoint(mounting, context, currentUser)
    const { id } = signedIn(context.state.caller as Caller)
    const rowCount = await affected(platform)`
      select 1 from second_factors where user_id = ${id} and confirmed_at is not null`
    return rowCount === 1
  }

  /** Leads a visitor without a session to the sign-in page: a new session needs no confirmation. */
  const whereSignedIn =
    (nextOf: (visit: Visit) => Promise<string>, answer: (visit: Visit, shown: Shown) => Promise<PageAnswer | GoOn>) =>
    async (visit: Visit): Promise<PageAnswer | GoOn> => {
      const next = await nextOf(visit)
      try {
        return await answer(visit, { next, needsCode: await hasFactor(visit) })
      } catch (error) {
        if (error instanceof Refusal && error.status === 401) return { to: `/login?next=${encodeURIComponent(next)}` }
        throw error
      }
    }

  const confirm = async (visit: Visit, shown: Shown): Promise<PageAnswer | GoOn> => {
    const { context, language } = visit
    const given = await checkForm(context, config)
    const [password, code] = [given.get('password') ?? '', (given.get('code') ?? '').trim()]
    const body = { password: password.slice(0, 1_000), ...(code !== '' && { otp_code: code.slice(0, 20) }) }
    try {
      await callEndpoint(mounting, context, stepUp, { body })
      return { to: shown.next }
    } catch (error) {
      const { refusal, status } = shownRefusal(visit, error)
      if (status === 401) throw refusal
      const isCodeMissing = refusal.code === 'otp_required'
      const alert = isCodeMissing ? texts('pages', language).stepUp.codeNeeded : sentenceOf(refusal, language)
      return form(visit, { ...shown, alert, status })
    }
  }

  const pathOf = (text: unknown): string => {
    const next = ownPath(typeof text === 'string' ? text : null) ?? home
    return next.startsWith(stepUpPath('')) ? home : next
  }
  const asked = async ({ context }: Visit) => pathOf(context.query.next)
  const sent = async ({ context }: Visit) => pathOf((await checkForm(context, config)).get('next'))
  router.get(
    path,
    servePage(
      services,
      path,
      whereSignedIn(asked, async (visit, shown) => form(visit, shown)),
    ),
  )
  router.post(path, servePage(services, path, whereSignedIn(sent, confirm)))
  return router
}
