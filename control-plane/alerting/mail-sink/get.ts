import { z } from 'zod'
import { decryptText } from '#control-plane/alerting/mail/kept-secrets.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { CaughtMailView, selectSinkMails } from './view.ts'

const WholeView = CaughtMailView.extend({ text: z.string(), html: z.string().nullable() }).meta({
  id: 'WholeCaughtMail',
})

export const getSinkMail = endpoint({
  method: 'GET',
  path: '/caught-mails/{caught_mail}',
  summary: 'Get a mail of the mail sink with its content',
  access: 'super-admin',
  compress: false,
  returns: ok({ data: WholeView }),

  async handle({ services, params }) {
    const mail = await selectSinkMails(services.platform)
      .where('id', '=', params.caught_mail)
      .select(['body as text', 'html', 'is_encrypted'])
      .executeTakeFirst()
    if (!mail) throw notFound('Caught mail')
    if (!mail.is_encrypted) return { data: mail }
    const text = decryptText(services.config, mail.id, mail.text)
    if (text === null) throw notFound('The key of this caught mail was')
    return { data: { ...mail, text, html: mail.html && decryptText(services.config, mail.id, mail.html) } }
  },
})
