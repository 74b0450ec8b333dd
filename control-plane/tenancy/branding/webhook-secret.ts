import {
  decryptSecret,
  encryptSecret,
  type Keyring,
  renewerFor,
  UnreadableSecret,
} from '#control-plane/base/secrets.ts'

const purpose = 'reseller webhooks'

/** What a reseller's calls and links are signed with, as `tenants.webhook_secret` keeps it. */
export const sealWebhookSecret = (keys: Keyring, resellerId: string, secret: string): string =>
  encryptSecret(keys, purpose, resellerId, secret)

/** The secret again; null where a reseller has none, or one that cannot be opened: its teams' pages do not wait for it. */
export function webhookSecretOf(
  keys: Keyring,
  { resellerId, sealedSecret }: { resellerId: string; sealedSecret: string | null },
): string | null {
  if (sealedSecret === null) return null
  try {
    return decryptSecret(keys, purpose, resellerId, sealedSecret)
  } catch (error) {
    if (error instanceof UnreadableSecret) return null
    throw error
  }
}

export const renewWebhookSecret = renewerFor(purpose)
