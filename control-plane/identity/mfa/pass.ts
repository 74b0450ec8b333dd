import type { PoolClient } from 'pg'
import { Refusal } from '#control-plane/base/refusal.ts'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { affected, queries, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { noteBlock } from '#control-plane/identity/sessions/blocked.ts'
import { type Origin, takeGuess } from '#control-plane/identity/sessions/guesses.ts'
import { decryptFactor, stepOf } from './secret.ts'

type FactorDeps = Pick<Services, 'config' | 'platform' | 'log'>

/**
 * Verifies and spends a code of the person's second factor: six digits of the authenticator, or a recovery code. After
 * ten wrong codes from one place authenticator codes are refused there for 15 minutes; recovery codes, which cannot be
 * guessed, are still accepted. Guesses are counted in an own transaction, which a rollback of the caller's keeps. Where
 * the person is known to be, a refused guess is a 429; elsewhere it is a wrong code, so that a thief guesses on.
 */
export async function passesFactor(
  services: FactorDeps,
  userId: string,
  code: string,
  { now, origin }: { now: Date; origin: Origin },
): Promise<boolean> {
  const { platform } = services
  const given = code.replace(/[\s-]/g, '').toUpperCase()
  if (!/^\d{6}$/.test(given)) return spendRecoveryCode(services, userId, given)
  const guess = await takeGuess(platform, 'code', userId, origin).catch(error => {
    noteBlock(services, error, { userId, network: origin.network ?? null, now })
    return origin.isKnown ? Promise.reject(error) : refused(error)
  })
  if (!guess || !(await inTransaction(platform, client => spendCode(services, client, userId, given, now))))
    return false
  await guess.right()
  return true
}

/** Treats a refused guess like a wrong code. */
function refused(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}

async function spendCode(
  { config }: FactorDeps,
  client: PoolClient,
  userId: string,
  code: string,
  now: Date,
): Promise<boolean> {
  const factors = queries(client).selectFrom('second_factors').where('user_id', '=', userId)
  const factor = await factors.select(['secret', 'last_step']).forUpdate().executeTakeFirst()
  if (!factor) return false
  const step = await stepOf(decryptFactor(config, userId, factor.secret), code, Number(factor.last_step), now)
  if (step === null) return false
  await rows(client)`update second_factors set last_step = ${step} where user_id = ${userId}`
  return true
}

async function spendRecoveryCode({ platform }: FactorDeps, userId: string, code: string): Promise<boolean> {
  const spent = await affected(platform)`update second_factors
    set recovery_hashes = array_remove(recovery_hashes, ${hashSecret(code)}::bytea)
    where user_id = ${userId} and ${hashSecret(code)}::bytea = any(recovery_hashes)`
  return spent !== 0
}
