import { isPersonal } from '#contract/events.ts'
import { decryptSecret, encryptSecret, type Keyring } from '#control-plane/kernel/secrets.ts'

const purpose = 'deliveries'

/** A message as it waits: what is about people, or lets them in, can be read by nobody meanwhile. */
export const closeBody = (keys: Keyring, { id, event, body }: { id: string; event: string; body: string }): string =>
  isPersonal(event) ? encryptSecret(keys, purpose, id, body) : body

/** The message again; null for one whose key is not known here any more. */
export function openBody(keys: Keyring, { id, event, body }: { id: string; event: string; body: string | null }): string | null {
  if (body === null || !isPersonal(event) || body.startsWith('{')) return body
  try {
    return decryptSecret(keys, purpose, id, body)
  } catch {
    return null
  }
}
