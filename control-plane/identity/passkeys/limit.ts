import type { EntityManager } from '@mikro-orm/postgresql'
import { Sentence } from '#contract/sentence.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { advisoryLock, queries, total } from '#control-plane/db/queries.ts'

export const mostPasskeys = 20

/** Makes changes of a person's passkeys run one after the other. */
export const lockPasskeys = (em: EntityManager, userId: string) => advisoryLock(em, `passkeys:${userId}`)

/** How many passkeys a person has. */
export async function countPasskeys(em: EntityManager, userId: string): Promise<number> {
  const counted = queries(em).selectFrom('passkeys').where('user_id', '=', userId).select(total)
  return (await counted.executeTakeFirstOrThrow()).total
}

export async function refuseMorePasskeys(em: EntityManager, userId: string): Promise<void> {
  if ((await countPasskeys(em, userId)) < mostPasskeys) return
  throw invalid(
    { passkey: [new Sentence('You have {n} passkeys, the most: delete one first.', { n: mostPasskeys })] },
    'too_many_passkeys',
  )
}
