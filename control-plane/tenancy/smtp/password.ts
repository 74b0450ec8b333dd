import { decryptSecret, encryptSecret, type Keyring, renewerFor } from '#control-plane/base/secrets.ts'

const purpose = 'smtp'

export const encryptPassword = (keys: Keyring, tenantId: string, password: string): string =>
  encryptSecret(keys, purpose, tenantId, password)

export const decryptPassword = (keys: Keyring, tenantId: string, encrypted: string): string =>
  decryptSecret(keys, purpose, tenantId, encrypted)

export const renewPassword = renewerFor(purpose)
