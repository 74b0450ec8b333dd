import { challenge, Refusal } from '#control-plane/base/refusal.ts'

/** RFC 6750: one token after the scheme, and nothing behind it. */
const shape = /^bearer +([\w.~+/-]+=*)$/i

/**
 * The token of an Authorization header. A 401 says what is wrong with the header; of a token it never says more than
 * that it is refused.
 */
export function bearerOf(header: string | undefined): string {
  const token = shape.exec(header ?? '')?.[1]
  if (token !== undefined) return token
  if (header === undefined) throw refused('send a token in the header Authorization: Bearer <token>.')
  if (!/^bearer\b/i.test(header)) throw refused('the scheme of the Authorization header must be Bearer.')
  throw refused('the Authorization header must be Bearer, a space and one token.', 'invalid_request')
}

const refused = (why: string, error?: 'invalid_request') =>
  new Refusal(401, 'unauthenticated', `Unauthenticated: ${why}`, { headers: challenge(error) })
