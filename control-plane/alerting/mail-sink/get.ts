import { z } from 'zod'
import { openText } from '#control-plane/alerting/mail/kept-secrets.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { type CaughtMailRow, CaughtMailView, caughtColumns } from './view.ts'

const WholeView = CaughtMailView.extend({ text: z.string(), html: z.string().nullable() }).meta({
  id: 'WholeCaughtMail',
})

export const getSinkMail = endpoint({
  method: 'GET',
  path: '/caught-mails/{caught_mail}',
  summary: 'Read a mail that was kept here, as it would have been sent',
  access: 'super-admin',
  compress: false,
  returns: ok({ data: WholeView }),

  async handle({ services, params }) {
    const { rows } = await services.platform.query<
      CaughtMailRow & { text: string; html: string | null; is_encrypted: boolean }
    >(`select ${caughtColumns}, c.body as text, c.html, c.is_encrypted from mail_sink_messages c where c.id = $1`, [
      params.caught_mail,
    ])
    const [mail] = rows
    if (!mail) throw notFound('Caught mail')
    if (!mail.is_encrypted) return { data: mail }
    const text = openText(services.config, mail.id, mail.text)
    if (text === null) throw notFound('The key of this caught mail was')
    return { data: { ...mail, text, html: mail.html && openText(services.config, mail.id, mail.html) } }
  },
})
