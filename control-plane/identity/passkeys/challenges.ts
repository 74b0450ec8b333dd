import type { Pool } from 'pg'
import { hashSecret, linkTokenShape, mintLinkToken } from '#control-plane/base/token-secret.ts'
import { affected, rows } from '#control-plane/db/queries.ts'

/** How long a browser may take to sign a challenge, in milliseconds. */
export const challengeMs = 300_000

/** What a challenge is for: a new passkey of this person, or to recognise the person of a passkey. */
export type Purpose = { purpose: 'register'; userId: string } | { purpose: 'sign_in'; userId: null }

/** Makes a challenge, as base64url. A hash of it is stored until its answer, at most five minutes. */
export async function createChallenge(platform: Pool, { purpose, userId }: Purpose, rpId: string): Promise<string> {
  const { plain, hash } = mintLinkToken()
  await rows(platform)`
    delete from passkey_challenges where challenge_hash in (
    select challenge_hash from passkey_challenges where expires_at < clock_timestamp() limit 100
    for update skip locked)`
  await rows(platform)`insert into passkey_challenges (challenge_hash, purpose, user_id, rp_id, expires_at)
    values (${hash}, ${purpose}, ${userId}, ${rpId}, clock_timestamp() + ${challengeMs} * interval '1 millisecond')`
  return plain
}

/**
 * Uses a challenge up, in a transaction of its own: of many answers at once only one finds it, and a wrong answer uses
 * it up too. False for unknown, used and expired challenges, and for those made for something else.
 */
export async function takeChallenge(
  platform: Pool,
  challenge: string,
  { purpose, userId }: Purpose,
  rpId: string,
): Promise<boolean> {
  if (!linkTokenShape.test(challenge)) return false
  const taken = await affected(platform)`delete from passkey_challenges
    where challenge_hash = ${hashSecret(challenge)} and purpose = ${purpose} and user_id is not distinct
    from ${userId} and rp_id = ${rpId} and expires_at > clock_timestamp()`
  return taken === 1
}
