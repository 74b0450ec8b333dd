import { z } from 'zod'
import { callEndpoint } from '#control-plane/http/call.ts'
import type { Mounting } from '#control-plane/http/stages/exchange.ts'
import { confirmMfa } from '#control-plane/identity/mfa/confirm.ts'
import { startMfa } from '#control-plane/identity/mfa/start.ts'
import { alertOf, fieldOf } from '#control-plane/identity/pages/field.ts'
import { checkForm, formTokenField } from '#control-plane/identity/pages/form.ts'
import { escapeHtml } from '#control-plane/identity/pages/html.ts'
import { stepUpPath } from '#control-plane/identity/pages/safe-redirect.ts'
import {
  type GoOn,
  type PageAnswer,
  sentenceOf,
  shownRefusal,
  type Visit,
} from '#control-plane/identity/pages/serve.ts'
import { texts } from '#locales/texts.ts'

/** What an authenticator is set up with; the page has it from us, and sends it back to be shown again. */
const Shown = z.object({
  secret: z.string().regex(/^[A-Z2-7]{16,128}$/),
  otpauth_url: z.string().max(1_000).startsWith('otpauth://totp/'),
})
type Shown = z.output<typeof Shown>

/** Setting up an authenticator in three pages: the password, the secret with a first code, the recovery codes. */
export function secondFactorPages(mounting: Mounting) {
  const { config } = mounting.services

  const askPassword = ({ context, language }: Visit, alert?: string, status = 200): PageAnswer => {
    const words = texts('pages', language).factor
    const field = { name: 'password', type: 'password', autocomplete: 'current-password', isFirst: true } as const
    const body = `${alertOf(alert)}<p>${words.says}</p>
<form action="/account/second-factor" method="post">
${formTokenField(context, config)}
${fieldOf({ ...field, label: words.password })}
<button>${words.begin}</button>
</form>
<p class="soft"><a href="/account">${words.back}</a></p>`
    return { title: words.title, body, status }
  }

  const askCode = ({ context, language }: Visit, shown: Shown, alert?: string, status = 200): PageAnswer => {
    const words = texts('pages', language).factor
    const spaced = shown.secret.replace(/(.{4})(?=.)/g, '$1 ')
    const hidden = Object.entries(shown).map(
      ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
    )
    const body = `${alertOf(alert)}<p>${words.enter}</p>
<p class="secret"><code>${escapeHtml(spaced)}</code></p>
<p><a class="button plain" href="${escapeHtml(shown.otpauth_url)}">${words.open}</a></p>
<form action="/account/second-factor/confirm" method="post">
${formTokenField(context, config)}${hidden.join('')}
${fieldOf({ name: 'code', label: words.code, autocomplete: 'one-time-code', inputmode: 'numeric', isFirst: true })}
<button>${words.confirm}</button>
</form>`
    return { title: words.title, body, status }
  }

  const start = async (visit: Visit): Promise<PageAnswer | GoOn> => {
    const password = (await checkForm(visit.context, config)).get('password') ?? ''
    try {
      const { data } = await callEndpoint<{ data: Shown }>(mounting, visit.context, startMfa, { body: { password } })
      return askCode(visit, data)
    } catch (error) {
      const { refusal, status } = shownRefusal(visit, error)
      if (status === 401) throw refusal
      if (refusal.code === 'reauthentication_required') return { to: stepUpPath('/account/second-factor') }
      return askPassword(visit, sentenceOf(refusal, visit.language), status)
    }
  }

  const confirm = async (visit: Visit): Promise<PageAnswer> => {
    const { context, language } = visit
    const form = await checkForm(context, config)
    const code = (form.get('code') ?? '').replace(/\s/g, '')
    try {
      const { data } = await callEndpoint<{ data: { recovery_codes: string[] } }>(mounting, context, confirmMfa, {
        body: { code },
      })
      const words = texts('pages', language).factor
      const codes = data.recovery_codes.map(each => `<li><code>${escapeHtml(each)}</code></li>`)
      const body = `<p>${words.done}</p><ul class="codes">${codes.join('')}</ul>
<p><a class="button" href="/account">${words.kept}</a></p>`
      return { title: words.doneTitle, body }
    } catch (error) {
      const { refusal, status } = shownRefusal(visit, error)
      const shown = Shown.safeParse(Object.fromEntries(form))
      if (status === 401 || !shown.success) throw refusal
      return askCode(visit, shown.data, sentenceOf(refusal, language), status)
    }
  }

  return { ask: async (visit: Visit) => askPassword(visit), start, confirm }
}
