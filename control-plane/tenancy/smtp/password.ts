import { decryptSecret, encryptSecret, type Keyring, renewerFor } from '#control-plane/base/secrets.ts'

const purpose = 'smtp'

export const sealPassword = (keys: Keyring, tenantId: string, password: string): string =>
  encryptSecret(keys, purpose, tenantId, password)

export const openPassword = (keys: Keyring, tenantId: string, sealed: string): string =>
  decryptSecret(keys, purpose, tenantId, sealed)

export const renewPassword = renewerFor(purpose)
