import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { Keyring } from '#control-plane/base/secrets.ts'
import type { EmailMessage, Sender } from './email-message.ts'
import { encryptText, hasLoginLink } from './kept-secrets.ts'

/**
 * Stores a mail in the mail sink, for platforms without a mail server. The last mail to an erased person is not stored.
 * A mail with a login link is encrypted, so that the table, its log and its backups contain no such link.
 */
export async function storeMail(
  platform: Pool,
  keys: Keyring,
  { tenantId, type, to, subject, text, html }: EmailMessage,
  sender: Sender,
): Promise<void> {
  if (type === 'security_account_deleted') return
  const id = randomUUID()
  const isEncrypted = hasLoginLink(type)
  const stored = (content: string) => (isEncrypted ? encryptText(keys, id, content) : content)
  await platform.query(
    `insert into mail_sink_messages (id, tenant_id, type, sender, recipients, subject, body, html, is_encrypted)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      tenantId,
      type,
      sender.name,
      to.map(({ address }) => address),
      subject,
      stored(text),
      html === null ? null : stored(html),
      isEncrypted,
    ],
  )
}
