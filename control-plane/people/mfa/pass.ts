import type { PoolClient } from 'pg'
import type { Services } from '#control-plane/kernel/services.ts'
import { inTransaction } from '#control-plane/kernel/transaction.ts'
import { hashSecret } from '#control-plane/people/tokens/secret.ts'
import { openFactor, stepOf } from './secret.ts'

const guesses = 10
const lockMinutes = 15

interface Factor {
  secret: string
  last_step: string
  recovery_hashes: Buffer[]
  failures: number
  is_locked: boolean
}

type Given = Pick<Services, 'config' | 'platform'>

/**
 * Whether this is a code of the person's second factor, used now and never again: six digits of the authenticator, or a recovery code.
 * After ten wrong codes in a row none is right for a quarter of an hour. Counted in a transaction of its own, whatever becomes of the caller's.
 */
export const passesFactor = ({ platform, config }: Given, userId: string, code: string, now: Date): Promise<boolean> =>
  inTransaction(platform, async client => {
    const { rows } = await client.query<Factor>(
      `select secret, last_step, recovery_hashes, failures, coalesce(locked_until > clock_timestamp(), false) as is_locked
       from second_factors where user_id = $1 for update`,
      [userId],
    )
    const factor = rows[0]
    if (!factor || factor.is_locked) return false
    const given = code.replace(/[\s-]/g, '').toUpperCase()
    const step = /^\d{6}$/.test(given) ? await stepOf(openFactor(config, userId, factor.secret), given, Number(factor.last_step), now) : null
    if (step !== null) {
      await client.query('update second_factors set last_step = $2, failures = 0, locked_until = null where user_id = $1', [userId, step])
      return true
    }
    return spendRecoveryCode(client, userId, given)
  })

async function spendRecoveryCode(client: PoolClient, userId: string, given: string): Promise<boolean> {
  const hash = hashSecret(given)
  const spent = await client.query(
    `update second_factors set recovery_hashes = array_remove(recovery_hashes, $2::bytea), failures = 0, locked_until = null
     where user_id = $1 and $2::bytea = any(recovery_hashes)`,
    [userId, hash],
  )
  if (spent.rowCount !== 0) return true
  await client.query(
    `update second_factors set failures = case when failures + 1 >= ${guesses} then 0 else failures + 1 end,
       locked_until = case when failures + 1 >= ${guesses} then clock_timestamp() + interval '${lockMinutes} minutes' else locked_until end
     where user_id = $1`,
    [userId],
  )
  return false
}
