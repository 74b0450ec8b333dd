import { isPersonal } from '#contract/events.ts'
import { decryptSecret, encryptSecret, type Keyring, renewerFor } from '#control-plane/base/secrets.ts'

const purpose = 'deliveries'

/** A message as it waits: what is about people, or lets them in, can be read by nobody meanwhile. */
export const closeBody = (keys: Keyring, { id, event, body }: { id: string; event: string; body: string }): string =>
  isPersonal(event) ? encryptSecret(keys, purpose, id, body) : body

interface StoredBody {
  id: string
  event: string
  body: string | null
}

/** The message again; null for one that was not kept. Throws for one whose key is not known here any more. */
export const readBody = (keys: Keyring, { id, event, body }: StoredBody): string | null =>
  body === null || !isPersonal(event) || body.startsWith('{') ? body : decryptSecret(keys, purpose, id, body)

/** The message again, as far as it can be read. */
export function openBody(keys: Keyring, stored: StoredBody): string | null {
  try {
    return readBody(keys, stored)
  } catch {
    return null
  }
}

export const renewBody = renewerFor(purpose)
