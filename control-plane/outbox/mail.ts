import { type Expression, sql } from 'kysely'
import { type MailData, type MailType, mails } from '#contract/mails.ts'
import { decryptSecret, encryptSecret, type Keyring, renewerFor } from '#control-plane/base/secrets.ts'
import type { MailRecipient } from '#control-plane/base/side-effects.ts'
import type { Db, Part } from '#control-plane/db/queries.ts'
import { type FieldsSql, insertMail, insertOutboxSql, objectSql } from './emit.ts'
import { mailPayload } from './unit-of-work.ts'

type MailPayload = ReturnType<typeof mailPayload>

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
 * Mails that a statement inserts. Each row of `from` has the recipient as its user `u`. `typeSql` and `dataSql`: the
 * type, and all data at once.
 */
type MailsSql<Type extends MailType> = { tenant: Part; from: Expression<unknown> } & (
  | { type: Type; data: FieldsSql<MailData<Type>>; typeSql?: undefined }
  | { typeSql: Part; dataSql: Part }
)

const recipientSql = objectSql<MailPayload['recipient']>({
  user_id: 'u.id',
  email: 'u.email',
  name: 'u.name',
  language: 'u.language',
})

/**
 * Inserts one mail for each row of `from`, and returns the ids of the rows of the outbox; not for mails with secrets,
 * which are encrypted. A trigger of the table notifies the mail worker.
 */
export const insertMailsSql = <Type extends MailType>(parts: MailsSql<Type>) =>
  insertOutboxSql({
    kind: 'mail',
    tenant: parts.tenant,
    name: parts.typeSql ?? sql.lit(parts.type),
    payload: objectSql<MailPayload>({
      recipient: recipientSql,
      data: parts.typeSql === undefined ? objectSql(parts.data) : parts.dataSql,
    }),
    from: parts.from,
  })

/** Inserts a mail in the transaction of its cause, for code outside of handlers. Returns the id of its row. */
export async function addMail<Type extends MailType>(
  db: Db,
  keys: Keyring,
  { tenantId, type, recipient, data }: { tenantId: string; type: Type; recipient: MailRecipient; data: MailData<Type> },
): Promise<string> {
  return insertMail(db, { tenantId, name: type, payload: mailPayload(recipient, encryptMail(keys, type, data)) })
}

const renewField = renewerFor(purpose)

/** The data of a mail with its secrets encrypted by the current key. */
export const renewMail = (keys: Keyring, type: MailType, data: Record<string, unknown>): Record<string, unknown> =>
  changed(type, data, (field, text) => renewField(keys, ownerOf(type, field), text))

/** Every field of any mail type that contains a secret. */
export const secretFields: readonly string[] = [...new Set(Object.values(mails).flatMap(({ secrets }) => [...secrets]))]
