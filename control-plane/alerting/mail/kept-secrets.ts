import { type MailType, mails } from '#contract/mails.ts'
import { decryptSecret, encryptSecret, type Keyring, renewerFor } from '#control-plane/base/secrets.ts'

const purpose = 'caught-mails'

/** Whether mails of this type contain a login link, such as a reset or an invitation. */
export const hasLoginLink = (type: string): boolean =>
  Object.hasOwn(mails, type) && mails[type as MailType].secrets.length > 0

export const encryptText = (keys: Keyring, id: string, text: string): string => encryptSecret(keys, purpose, id, text)

/** The decrypted text; null if its key is no longer configured. */
export function decryptText(keys: Keyring, id: string, text: string): string | null {
  try {
    return decryptSecret(keys, purpose, id, text)
  } catch {
    return null
  }
}

export const renewSinkText = renewerFor(purpose)
