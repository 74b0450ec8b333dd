import { isPersonal } from '#contract/events.ts'
import { decryptSecret, encryptSecret, type Keyring, renewerFor } from '#control-plane/base/secrets.ts'

const purpose = 'deliveries'

/** A message as it is stored: encrypted where it is about a person or contains a login link. */
export const encryptBody = (keys: Keyring, { id, event, body }: { id: string; event: string; body: string }): string =>
  isPersonal(event) ? encryptSecret(keys, purpose, id, body) : body

interface StoredBody {
  id: string
  event: string
  body: string | null
}

/** The message as it was; null if it was not kept. Throws if its key is no longer configured. */
export const readBody = (keys: Keyring, { id, event, body }: StoredBody): string | null =>
  body === null || !isPersonal(event) || body.startsWith('{') ? body : decryptSecret(keys, purpose, id, body)

/** As `readBody`; null also where the key is no longer configured. */
export function decryptBody(keys: Keyring, stored: StoredBody): string | null {
  try {
    return readBody(keys, stored)
  } catch {
    return null
  }
}

export const renewBody = renewerFor(purpose)
