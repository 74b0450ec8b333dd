import Router from '@koa/router'
import type { z } from 'zod'
import { moment } from '#contract/figures.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { callEndpoint } from '#control-plane/http/call.ts'
import type { Mounting } from '#control-plane/http/stages/exchange.ts'
import { alertOf, noteOf } from '#control-plane/identity/pages/field.ts'
import { checkForm, formTokenField } from '#control-plane/identity/pages/form.ts'
import { escapeHtml } from '#control-plane/identity/pages/html.ts'
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
    const token = formTokenField(context, services.config)
    const rows = data.map(passkey => rowOf(passkey, token, language))
    const body = `${alertOf(alert)}${context.query.done === undefined ? '' : noteOf(words.done)}
<p>${words.says}</p>
${rows.length === 0 ? `<p>${words.none}</p>` : `<ul class="rows">${rows.join('\n')}</ul>`}
${passkeySlot(language, 'add', `${path}?done`)}
<noscript><p>${words.needsScript}</p></noscript>
<p class="soft"><a href="/account">${words.back}</a></p>`
    return { title: words.title, body, status, isWide: true }
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

function rowOf({ id, name, created_at, last_used_at }: Passkey, token: string, language: Language): string {
  const words = texts('pages', language).passkeys
  const day = (at: string) => moment(Date.parse(at), { language, zone: 'UTC', style: 'date' })
  const used = last_used_at === null ? words.neverUsed : fill(words.used, { at: day(last_used_at) })
  const said = escapeHtml(name)
  const form = (action: string, content: string) =>
    `<form action="${path}" method="post">${token}<input type="hidden" name="passkey" value="${id}">
<input type="hidden" name="action" value="${action}">${content}</form>`
  const field = `<input name="name" value="${said}" maxlength="100" required aria-label="${words.name}">`
  const button = (text: string, label: string) =>
    `<button class="plain small" aria-label="${escapeHtml(label)}">${text}</button>`
  return `<li><p>${said}<br><span class="soft">${fill(words.made, { at: day(created_at) })}, ${used}</span></p>
${form('rename', field + button(words.rename, fill(words.renameOf, { name })))}
${form('remove', button(words.remove, fill(words.removeOf, { name })))}</li>`
}
