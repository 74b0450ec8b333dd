import { z } from 'zod'
import { linkTokenShape, mintLinkToken } from './token-secret.ts'

/** The token in a link of a mail, behind its `#`. */
export const LinkToken = z.string().regex(linkTokenShape, 'Must be the token of a link.')

/** Only the hash is stored. */
export function mintLink(page: string): { hash: Buffer; url: string } {
  const { plain, hash } = mintLinkToken()
  return { hash, url: `${page}#${plain}` }
}
