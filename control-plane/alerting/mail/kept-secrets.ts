import { type MailType, mails } from '#contract/mails.ts'
import { decryptSecret, encryptSecret, type Keyring, renewerFor } from '#control-plane/base/secrets.ts'

const purpose = 'caught-mails'

/** Whether a mail of this type holds a link that opens a door. */
export const holdsLink = (type: string): boolean =>
  Object.hasOwn(mails, type) && mails[type as MailType].secrets.length > 0

export const closeText = (keys: Keyring, id: string, text: string): string => encryptSecret(keys, purpose, id, text)

/** The text again; null where the key it was encrypted under is gone. */
export function openText(keys: Keyring, id: string, text: string): string | null {
  try {
    return decryptSecret(keys, purpose, id, text)
  } catch {
    return null
  }
}

export const renewCaughtText = renewerFor(purpose)
