import { randomUUID } from 'node:crypto'
import { compactVerify, errors, SignJWT } from 'jose'
import { z } from 'zod'
import { line } from '#contract/line.ts'
import { isOwnPath } from './redirect.ts'
import { LinkRefused } from './refused.ts'

/** How long a link lives at most, in seconds. */
export const linkLifeS = 300
/** How many seconds the clock of who made the link may be ahead of ours. */
export const signedAheadS = 30
const longestToken = 4_096

export const redirectTo = z
  .string()
  .max(500)
  .refine(isOwnPath, 'Must be a path of the dashboard that begins with one slash, such as /app/monitors.')

export const linkEmail = z.email().max(255)

/** The team a link is for: `aud` is its id, `tenant` its slug. */
export interface LinkTeam {
  id: string
  slug: string
}

const moment = z.int().min(0).max(4_102_444_800)

/** The claims of a link; the secret of the team signs them with HS256. Further claims are ignored. */
const Claims = z
  .object({
    jti: z.string().regex(/^[\x21-\x7e]{1,128}$/),
    iat: moment,
    nbf: moment.optional(),
    exp: moment,
    aud: z.union([z.string(), z.tuple([z.string()]).transform(([only]) => only)]),
    tenant: z.string(),
    email: linkEmail,
    name: line(255).optional(),
    redirect_to: redirectTo.optional(),
  })
  .refine(({ iat, exp }) => exp > iat && exp - iat <= linkLifeS)
export type LinkClaims = z.output<typeof Claims>

const keyOf = (secret: string) => new TextEncoder().encode(secret)

/** A link's token for one person, valid from now for 300 seconds. */
export function signLink(
  secret: string,
  { id, slug }: LinkTeam,
  { email, name, redirect_to }: Pick<LinkClaims, 'email' | 'name' | 'redirect_to'>,
  now: Date,
): Promise<string> {
  const iat = Math.floor(now.getTime() / 1000)
  return new SignJWT({ tenant: slug, email, ...(name && { name }), ...(redirect_to && { redirect_to }) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setJti(randomUUID())
    .setAudience(id)
    .setIssuedAt(iat)
    .setExpirationTime(iat + linkLifeS)
    .sign(keyOf(secret))
}

/**
 * The claims of a link that this team's secret signed and that is valid now: it is refused from the second of its `exp`
 * on, and 30 seconds before its `iat` or `nbf` it is accepted already.
 */
export async function verifyLink(token: string, secret: string, team: LinkTeam, now: Date): Promise<LinkClaims> {
  const claims = Claims.safeParse(await payloadOf(token, secret))
  if (!claims.success) throw new LinkRefused('bad_link', team.id)
  const { aud, tenant, iat, nbf = iat, exp } = claims.data
  if (aud !== team.id || tenant !== team.slug) throw new LinkRefused('bad_link', team.id)
  const nowS = now.getTime() / 1000
  if (Math.max(iat, nbf) > nowS + signedAheadS) throw new LinkRefused('bad_link', team.id)
  if (exp <= nowS) throw new LinkRefused('expired', team.id)
  return claims.data
}

async function payloadOf(token: string, secret: string): Promise<unknown> {
  if (token.length > longestToken) throw new LinkRefused('bad_link')
  try {
    const { payload } = await compactVerify(token, keyOf(secret), { algorithms: ['HS256'] })
    return readObject(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError)
      throw new LinkRefused('bad_link')
    throw error
  }
}

/** An object of JSON in which no name is there twice: readers differ in which of two claims they take. */
function readObject(text: string): unknown {
  let names = 0
  const value: unknown = JSON.parse(text, function (this: unknown, name, member) {
    if (name !== '' && !Array.isArray(this)) names++
    return member
  })
  const written = [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/gs)].filter(([, colon]) => colon === ':').length
  if (written !== names) throw new SyntaxError('A name is there twice.')
  return value
}
