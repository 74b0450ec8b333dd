import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { Keyring } from '#control-plane/base/secrets.ts'
import type { EmailMessage, Sender } from './email-message.ts'
import { closeText, holdsLink } from './kept-secrets.ts'

/**
 * Without a mail server of the platform's own, mail lands where the operator can read it; the last one to somebody who is erased is kept
 * nowhere. One with a link that opens a door is encrypted: whoever reads the table, its log or its backup has no link to follow.
 */
export async function keepMail(
  platform: Pool,
  keys: Keyring,
  { tenantId, type, to, subject, text, html }: EmailMessage,
  sender: Sender,
): Promise<void> {
  if (type === 'security_account_deleted') return
  const id = randomUUID()
  const isEncrypted = holdsLink(type)
  const shown = (content: string) => (isEncrypted ? closeText(keys, id, content) : content)
  await platform.query(
    'insert into mail_sink_messages (id, tenant_id, type, sender, recipients, subject, body, html, is_encrypted) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    [
      id,
      tenantId,
      type,
      sender.name,
      to.map(({ address }) => address),
      subject,
      shown(text),
      html === null ? null : shown(html),
      isEncrypted,
    ],
  )
}
