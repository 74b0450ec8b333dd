import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { consentSql } from '#control-plane/access/members/contact-state.ts'
import { mayWrite } from '#control-plane/alerting/channels/input.ts'
import { Recipient } from '#control-plane/alerting/channels/kinds/fields.ts'
import { findChannel } from '#control-plane/alerting/channels/row.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { askLimits, sendQuestion } from './ask.ts'
import type { RecipientState } from './states.ts'

export const resendQuestion = endpoint({
  method: 'POST',
  path: '/notification-channels/{notification_channel}/recipients/resend',
  summary: 'Send the question mail to a pending recipient again',
  description: `At most ${askLimits.aWeek} questions in seven days. The links of earlier question mails become void.`,
  access: mayWrite,
  body: z.object({ email: Recipient }),
  returns: noContent,

  async handle(context) {
    const { em, tenant, params, body } = context
    const channel = await findChannel(em, tenant, params.notification_channel)
    const found = channel.recipients?.find(({ email }) => email.toLowerCase() === body.email.toLowerCase())
    if (!found) throw invalid({ email: ['Is no recipient of this channel.'] }, 'not_a_recipient')
    const [answered] = await rows(em)<{ consent: Answered | 'pending' }>`
      select ${consentSql('a.tenant_id', 'a.email')} as consent
     from (select ${tenant.id}::uuid as tenant_id, ${found.email}::citext as email) a`
    const consent = answered?.consent ?? 'pending'
    if (consent !== 'pending') throw invalid({ email: [refusals[consent]] }, codes[consent])
    const [row] = await rows(em)<{ asked: number }>`select (
       select count(*)::int from unnest(requested_at) a where a > clock_timestamp() - interval '7 days') as asked
     from mail_recipients where tenant_id = ${tenant.id} and email = ${found.email}::citext for update`
    if (!row)
      await queries(em)
        .insertInto('mail_recipients')
        .values({ tenant_id: tenant.id, email: found.email })
        .onConflict(conflict => conflict.doNothing())
        .execute()
    if ((row?.asked ?? 0) >= askLimits.aWeek)
      throw invalid(
        { email: [new Sentence('Was asked {n} times within seven days.', { n: askLimits.aWeek })] },
        'sent_too_often',
      )
    await sendQuestion(context, found.email)
  },
})

type Answered = Exclude<RecipientState, 'pending' | 'refused'>
const refusals: Record<Answered, string> = {
  member: 'Is a member’s address, which needs no confirmation.',
  confirmed: 'Has confirmed already.',
  unsubscribed: 'Has unsubscribed.',
}
const codes: Record<Answered, string> = {
  member: 'already_confirmed',
  confirmed: 'already_confirmed',
  unsubscribed: 'unsubscribed',
}
