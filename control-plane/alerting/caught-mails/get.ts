import { z } from 'zod'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { notFound } from '#control-plane/kernel/refusal.ts'
import { ok } from '#control-plane/kernel/reply.ts'
import { type CaughtMailRow, CaughtMailView, caughtColumns } from './view.ts'

const WholeView = CaughtMailView.extend({ text: z.string(), html: z.string().nullable() }).meta({ id: 'WholeCaughtMail' })

export const getCaughtMail = endpoint({
  method: 'GET',
  path: '/caught-mails/{caught_mail}',
  summary: 'Read a mail that was kept here, as it would have been sent',
  access: 'super-admin',
  compress: false,
  returns: ok({ data: WholeView }),

  async handle({ services, params }) {
    const { rows } = await services.platform.query<CaughtMailRow & { text: string; html: string | null }>(
      `select ${caughtColumns}, c.body as text, c.html from caught_mails c where c.id = $1`,
      [params.caught_mail],
    )
    if (!rows[0]) throw notFound('Caught mail')
    return { data: rows[0] }
  },
})
