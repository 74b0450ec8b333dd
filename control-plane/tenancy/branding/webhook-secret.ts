import { decryptSecret, encryptSecret, type Keyring } from '#control-plane/kernel/secrets.ts'

const purpose = 'reseller webhooks'

/** What a reseller's calls and links are signed with, as `tenants.webhook_secret` keeps it. */
export const sealWebhookSecret = (keys: Keyring, resellerId: string, secret: string): string => encryptSecret(keys, purpose, resellerId, secret)

/** The secret again; null where a reseller has none. */
export const webhookSecretOf = (keys: Keyring, { resellerId, sealedSecret }: { resellerId: string; sealedSecret: string | null }): string | null =>
  sealedSecret === null ? null : decryptSecret(keys, purpose, resellerId, sealedSecret)
