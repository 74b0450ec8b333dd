import type { Pool, PoolClient } from 'pg'
import { type MailData, type MailType, mails } from '#contract/mails.ts'
import { decryptSecret, encryptSecret, type Keyring, renewerFor } from '#control-plane/base/secrets.ts'
import type { MailRecipient } from '#control-plane/base/side-effects.ts'
import { mailPayload } from './unit-of-work.ts'

const purpose = 'mails'
const ownerOf = (type: MailType, field: string) => `${type}.${field}`
const secretsOf = (type: MailType): readonly string[] => mails[type].secrets

/** The data of a mail with its secrets encrypted, as it waits in the outbox. */
export const encryptMail = (keys: Keyring, type: MailType, data: Record<string, unknown>): Record<string, unknown> =>
  changed(type, data, (field, text) => encryptSecret(keys, purpose, ownerOf(type, field), text))

/** The data with its secrets in plain text, for sending. */
export const decryptMail = (keys: Keyring, type: MailType, data: Record<string, unknown>): Record<string, unknown> =>
  changed(type, data, (field, text) => decryptSecret(keys, purpose, ownerOf(type, field), text))

function changed(
  type: MailType,
  data: Record<string, unknown>,
  change: (field: string, text: string) => string,
): Record<string, unknown> {
  const secrets = secretsOf(type)
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => [
      field,
      secrets.includes(field) ? change(field, String(value)) : value,
    ]),
  )
}

/**
 * SQL for the recipient of a mail that a statement inserts: its user `u`. A trigger of the table notifies the mail
 * worker.
 */
export const recipientSql = `jsonb_build_object('user_id', u.id, 'email', u.email, 'name', u.name, 'language', u.language)`

/** Inserts a mail in the transaction of its cause, for code outside of handlers. */
export async function addMail<Type extends MailType>(
  db: Pool | PoolClient,
  keys: Keyring,
  { tenantId, type, recipient, data }: { tenantId: string; type: Type; recipient: MailRecipient; data: MailData<Type> },
): Promise<void> {
  await db.query(`insert into outbox (tenant_id, kind, name, payload, is_personal) values ($1, 'mail', $2, $3, true)`, [
    tenantId,
    type,
    JSON.stringify(mailPayload(recipient, encryptMail(keys, type, data))),
  ])
}

const renewField = renewerFor(purpose)

/** The data of a mail with its secrets encrypted by the current key. */
export const renewMail = (keys: Keyring, type: MailType, data: Record<string, unknown>): Record<string, unknown> =>
  changed(type, data, (field, text) => renewField(keys, ownerOf(type, field), text))

/** Every field of any mail type that contains a secret. */
export const secretFields: readonly string[] = [...new Set(Object.values(mails).flatMap(({ secrets }) => [...secrets]))]
