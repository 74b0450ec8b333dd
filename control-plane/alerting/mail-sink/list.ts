import { sql } from 'kysely'
import { z } from 'zod'
import { linkDays } from '#control-plane/alerting/deliveries/delete-expired.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetQuery, partOf } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { CaughtMailView, selectSinkMails } from './view.ts'

const most = 200

export const listSinkMails = endpoint({
  method: 'GET',
  path: '/caught-mails',
  summary: 'List the mails of the mail sink, newest first',
  description:
    `The mail sink keeps mail while the platform has no mail server (SMTP_URL). The latest ${most} mails are listed. ` +
    `They are kept for 30 days; those with a login link (a reset, an invitation) are stored encrypted and kept for ` +
    `${linkDays}.`,
  access: 'super-admin',
  query: offsetQuery().extend({ recipient: z.string().max(254).optional() }),
  returns: offsetPage(CaughtMailView),

  async handle({ services, query, url }) {
    let mails = selectSinkMails(services.platform)
    if (query.recipient !== undefined)
      mails = mails.where(({ ref }) => sql<boolean>`${query.recipient} = any(${ref('recipients')})`)
    const latest = mails
      .orderBy('mail_sink_messages.created_at', 'desc')
      .orderBy('mail_sink_messages.id', 'desc')
      .limit(most)
    return partOf(await latest.execute(), query, url)
  },
})
