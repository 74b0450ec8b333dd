import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { queries } from '#control-plane/db/queries.ts'
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
  await queries(platform)
    .insertInto('mail_sink_messages')
    .values({
      id,
      tenant_id: tenantId,
      type,
      sender: sender.name,
      recipients: to.map(({ address }) => address),
      subject,
      body: stored(text),
      html: html === null ? null : stored(html),
      is_encrypted: isEncrypted,
    })
    .execute()
}
