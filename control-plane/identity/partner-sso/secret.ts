import { randomBytes } from 'node:crypto'
import { decryptSecret, encryptSecret, type Keyring, renewerFor } from '#control-plane/base/secrets.ts'

const purpose = 'partner sso'
const bytes = 32

/** A secret that signs links: 43 characters, whose bytes as they stand are the key. */
export const newSecret = () => randomBytes(bytes).toString('base64url')

export const encryptPartnerSecret = (keys: Keyring, tenantId: string, secret: string): string =>
  encryptSecret(keys, purpose, tenantId, secret)

export const openSecret = (keys: Keyring, tenantId: string, encrypted: string): string =>
  decryptSecret(keys, purpose, tenantId, encrypted)

export const renewPartnerSecret = renewerFor(purpose)
