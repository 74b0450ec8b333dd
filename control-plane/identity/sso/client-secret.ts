import { decryptSecret, encryptSecret, type Keyring, renewerFor } from '#control-plane/base/secrets.ts'

const purpose = 'sso client secret'

export const sealClientSecret = (keys: Keyring, tenantId: string, secret: string): string =>
  encryptSecret(keys, purpose, tenantId, secret)

export const openClientSecret = (keys: Keyring, tenantId: string, sealed: string): string =>
  decryptSecret(keys, purpose, tenantId, sealed)

export const renewClientSecret = renewerFor(purpose)
