import { decryptSecret, encryptSecret, type Keyring, renewerFor } from '#control-plane/base/secrets.ts'

const purpose = 'sso client secret'

export const encryptClientSecret = (keys: Keyring, tenantId: string, secret: string): string =>
  encryptSecret(keys, purpose, tenantId, secret)

export const decryptClientSecret = (keys: Keyring, tenantId: string, encrypted: string): string =>
  decryptSecret(keys, purpose, tenantId, encrypted)

export const renewClientSecret = renewerFor(purpose)
