import { type MailType, mails } from '#contract/mails.ts'
import { decryptSecret, encryptSecret, type Keyring } from './secrets.ts'

const purpose = 'mails'
const ownerOf = (type: MailType, field: string) => `${type}.${field}`
const secretsOf = (type: MailType): readonly string[] => mails[type].secrets

/** A mail’s data as it waits to be sent: what opens a door can be read by nobody meanwhile. */
export const closeMail = (keys: Keyring, type: MailType, data: Record<string, unknown>): Record<string, unknown> =>
  changed(type, data, (field, text) => encryptSecret(keys, purpose, ownerOf(type, field), text))

/** The data again, for whoever sends it. */
export const openMail = (keys: Keyring, type: MailType, data: Record<string, unknown>): Record<string, unknown> =>
  changed(type, data, (field, text) => decryptSecret(keys, purpose, ownerOf(type, field), text))

function changed(type: MailType, data: Record<string, unknown>, change: (field: string, text: string) => string): Record<string, unknown> {
  const secrets = secretsOf(type)
  return Object.fromEntries(Object.entries(data).map(([field, value]) => [field, secrets.includes(field) ? change(field, String(value)) : value]))
}
