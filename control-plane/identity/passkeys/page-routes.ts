import Router from '@koa/router'
import type { z } from 'zod'
import { moment } from '#contract/figures.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { callEndpoint } from '#control-plane/http/call.ts'
import type { Mounting } from '#control-plane/http/stages/exchange.ts'
import { checkForm, formToken } from '#control-plane/identity/pages/form.ts'
import { stepUpPath } from '#control-plane/identity/pages/safe-redirect.ts'
import {
  type GoOn,
  type PageAnswer,
  sentenceOf,
  servePage,
  shownRefusal,
  type Visit,
} from '#control-plane/identity/pages/serve.ts'
import type { Language } from '#locales/languages.ts'
import { fill, texts } from '#locales/texts.ts'
import { deletePasskey } from './delete.ts'
import { listPasskeys } from './list.ts'
import { passkeySlot, scripts } from './slot.ts'
import { updatePasskey } from './update.ts'
import type { PasskeyView } from './view.ts'

type Passkey = z.output<typeof PasskeyView>
type Answering = (visit: Visit) => Promise<PageAnswer | GoOn>

const path = '/account/passkeys'

/** The page on which people manage their passkeys, and the scripts of passkeys. Only adding one needs a script. */
export function passkeyRoutes(mounting: Mounting): Router {
  const { services } = mounting
  const router = new Router()
  for (const [name, { text, cache }] of Object.entries(scripts))
    router.get(name, context => {
      context.state.route = name
      context.set('Cache-Control', cache)
      context.type = 'text/javascript; charset=utf-8'
      context.body = text
    })

  const show = async (visit: Visit, alert?: string, status = 200): Promise<PageAnswer> => {
    const { context, language } = visit
    const { data } = await callEndpoint<{ data: Passkey[] }>(mounting, context, listPasskeys, {
      query: { per_page: '100' },
    })
    const words = texts('pages', language).passkeys
    const values = {
      words,
      token: formToken(context, services.config),
      rows: data.map(passkey => rowOf(passkey, language)),
      passkey: passkeySlot(language, 'add', `${path}?done`),
    }
    const note = context.query.done === undefined ? undefined : words.done
    return { title: words.title, template: 'passkeys', values, alert, note, status, isWide: true }
  }

  const change: Answering = async visit => {
    const { context, language } = visit
    const form = await checkForm(context, services.config)
    const params = { passkey: form.get('passkey') ?? '' }
    try {
      if (form.get('action') === 'remove') await callEndpoint(mounting, context, deletePasskey, { params })
      else await callEndpoint(mounting, context, updatePasskey, { params, body: { name: form.get('name') ?? '' } })
      return { to: `${path}?done` }
    } catch (error) {
      const { refusal, status } = shownRefusal(visit, error)
      if (status === 401) throw refusal
      if (refusal.code === 'reauthentication_required') return { to: stepUpPath(path) }
      return show(visit, sentenceOf(refusal, language), status)
    }
  }

  /** Leads a visitor without a session to the sign-in page. */
  const signedIn =
    (answer: Answering): Answering =>
    async visit => {
      try {
        return await answer(visit)
      } catch (error) {
        if (error instanceof Refusal && error.status === 401) return { to: `/login?next=${path}` }
        throw error
      }
    }
  router.get(
    path,
    servePage(
      services,
      path,
      signedIn(visit => show(visit)),
    ),
  )
  router.post(path, servePage(services, path, signedIn(change)))
  return router
}

function rowOf({ id, name, created_at, last_used_at }: Passkey, language: Language) {
  const words = texts('pages', language).passkeys
  const day = (at: string) => moment(Date.parse(at), { language, zone: 'UTC', style: 'date' })
  return {
    ...{ id, name },
    made: fill(words.made, { at: day(created_at) }),
    used: last_used_at === null ? words.neverUsed : fill(words.used, { at: day(last_used_at) }),
    renameOf: fill(words.renameOf, { name }),
    removeOf: fill(words.removeOf, { name }),
  }
}
