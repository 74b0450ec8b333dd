import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { LinkToken } from '#control-plane/base/mail-link.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'

interface Answer {
  summary: string
  description: string
  /** The columns that the answer sets. */
  set: RawBuilder<unknown>
  action: string
}

const answer = <const Path extends string>(path: Path, { summary, description, set, action }: Answer) =>
  endpoint({
    method: 'POST',
    path,
    summary,
    description,
    access: 'public',
    detached: true,
    body: z.object({ token: LinkToken }),
    returns: noContent,

    handle: ({ body, services, ip, requestId }) =>
      inTransaction(services.platform, async client => {
        const [row] = await rows(client)<Row<'mail_recipients', 'tenant_id'>>`
          update mail_recipients q set ${set} from tenants t
          where q.token_hash = ${hashSecret(body.token)} and t.id = q.tenant_id and t.deleted_at is null
          returning q.tenant_id`
        if (!row) throw invalid({ token: ['This link is not valid, or not any more.'] }, 'link_not_open')
        // the audit log cannot delete, so it gets no address
        await addAudit(client, [{ tenantId: row.tenant_id, action, type: 'tenant', id: row.tenant_id }], {
          ip,
          requestId,
        })
      }),
  })

export const confirmRecipient = answer('/mail-recipients/confirm', {
  summary: 'Confirm mail from the channels of a team',
  description:
    'With the token of the question mail. ' +
    'For a recipient of an e-mail channel who is no member of the team. Using the link again changes nothing.',
  set: sql`confirmed_at = coalesce(q.confirmed_at, clock_timestamp()), unsubscribed_at = null`,
  action: 'mail_recipient.confirmed',
})

export const unsubscribeRecipient = answer('/mail-recipients/unsubscribe', {
  summary: 'Unsubscribe from mail of the channels of a team',
  description:
    'With the token of the question mail. ' +
    'The address stays unsubscribed, also if it is added to a channel again. It can confirm with its question mail.',
  set: sql`unsubscribed_at = coalesce(q.unsubscribed_at, clock_timestamp())`,
  action: 'mail_recipient.unsubscribed',
})
