import { z } from 'zod'
import { callEndpoint } from '#control-plane/http/call.ts'
import type { Mounting } from '#control-plane/http/stages/exchange.ts'
import { confirmMfa } from '#control-plane/identity/mfa/confirm.ts'
import { startMfa } from '#control-plane/identity/mfa/start.ts'
import { checkForm, formToken } from '#control-plane/identity/pages/form.ts'
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
    const values = { words, token: formToken(context, config) }
    return { title: words.title, template: 'factor-password', values, alert, status }
  }

  const askCode = ({ context, language }: Visit, shown: Shown, alert?: string, status = 200): PageAnswer => {
    const words = texts('pages', language).factor
    const spaced = shown.secret.replace(/(.{4})(?=.)/g, '$1 ')
    const values = { words, shown, spaced, token: formToken(context, config) }
    return { title: words.title, template: 'factor-code', values, alert, status }
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
      return { title: words.doneTitle, template: 'factor-done', values: { words, codes: data.recovery_codes } }
    } catch (error) {
      const { refusal, status } = shownRefusal(visit, error)
      const shown = Shown.safeParse(Object.fromEntries(form))
      if (status === 401 || !shown.success) throw refusal
      return askCode(visit, shown.data, sentenceOf(refusal, language), status)
    }
  }

  return { ask: async (visit: Visit) => askPassword(visit), start, confirm }
}
