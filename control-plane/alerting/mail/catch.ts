import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { Letter, Sender } from './letter.ts'

/** Without a mail server of the platform's own, mail lands where the operator can read it; the last one to somebody who is erased is kept nowhere. */
export async function catchMail(platform: Pool, { tenantId, type, to, subject, text, html }: Letter, sender: Sender): Promise<void> {
  if (type === 'security_account_deleted') return
  await platform.query('insert into caught_mails (id, tenant_id, type, sender, recipients, subject, body, html) values ($1, $2, $3, $4, $5, $6, $7, $8)', [
    randomUUID(),
    tenantId,
    type,
    sender.name,
    to.map(({ address }) => address),
    subject,
    text,
    html,
  ])
}
