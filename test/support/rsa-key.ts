import { generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'

const ring: KeyPairKeyObjectResult[] = []
let taken = 0

/** An RSA key, another one than at the call before. There are three: making one takes a fifth of a second. */
export function rsaKey(): KeyPairKeyObjectResult {
  const place = taken++ % 3
  ring[place] ??= generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return ring[place]
}
