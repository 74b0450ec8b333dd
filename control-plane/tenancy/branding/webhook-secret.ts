import {
  decryptSecret,
  encryptSecret,
  type Keyring,
  renewerFor,
  UnreadableSecret,
} from '#control-plane/base/secrets.ts'

const purpose = 'reseller webhooks'

/** Encrypts the secret that signs a reseller's webhooks and links, for `tenants.webhook_secret`. */
export const encryptWebhookSecret = (keys: Keyring, resellerId: string, secret: string): string =>
  encryptSecret(keys, purpose, resellerId, secret)

/** Decrypts the secret; null where a reseller has none or it is unreadable, so that its teams' pages still work. */
export function webhookSecretOf(
  keys: Keyring,
  { resellerId, encryptedSecret }: { resellerId: string; encryptedSecret: string | null },
): string | null {
  if (encryptedSecret === null) return null
  try {
    return decryptSecret(keys, purpose, resellerId, encryptedSecret)
  } catch (error) {
    if (error instanceof UnreadableSecret) return null
    throw error
  }
}

export const renewWebhookSecret = renewerFor(purpose)
