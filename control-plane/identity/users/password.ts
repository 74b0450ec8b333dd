import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { ConcurrencyLimit } from '#control-plane/base/concurrency-limit.ts'

// argon2id, 19 MiB, two passes: OWASP's first recommendation
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/**
 * Each hash occupies a processor and memory. One processor stays free for other requests, and a flood of sign-ins is
 * refused before the last one waits longer than a person would.
 */
const hashing = new ConcurrencyLimit({ atOnce: Math.min(2, Math.max(1, availableParallelism() - 1)), waiting: 32 })

/** The same password typed on another keyboard is the same password. */
export const normalisePassword = (password: string) => password.normalize('NFKC')

export const hashPassword = (password: string) => hashing.run(() => hash(normalisePassword(password), cost))

const decoyHash = hash('no account has this password', cost)

/** An unknown account takes as long as a wrong password, so that the delay does not reveal which accounts exist. */
export const isPassword = (stored: string | null, given: string) => hashing.run(() => matches(stored, given))

/** The first account with this password. Every account is tried, so that the delay does not reveal which exist. */
export const firstOfPassword = <Account extends { password_hash: string | null }>(
  accounts: readonly (Account | undefined)[],
  given: string,
): Promise<Account | undefined> =>
  hashing.run(async () => {
    const found: Account[] = []
    for (const account of accounts)
      if ((await matches(account?.password_hash ?? null, given)) && account) found.push(account)
    return found[0]
  })

async function matches(stored: string | null, given: string): Promise<boolean> {
  const isRight = await verify(stored ?? (await decoyHash), normalisePassword(given))
  return stored !== null && isRight
}
