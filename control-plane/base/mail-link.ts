import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { hashSecret } from './token-secret.ts'

/** The token in a link of a mail, behind its `#`. */
export const LinkToken = z.string().regex(/^[\w-]{43}$/, 'Must be the token of a link.')

/** Only the hash is stored. */
export function mintLink(page: string): { hash: Buffer; url: string } {
  const plain = randomBytes(32).toString('base64url')
  return { hash: hashSecret(plain), url: `${page}#${plain}` }
}
