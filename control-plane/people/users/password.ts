import { hash, verify } from '@node-rs/argon2'

// argon2id, 19 MiB, two passes: OWASP's first recommendation
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const atOnce = 2
let running = 0
const waiting: (() => void)[] = []

/** Hashing takes memory: a flood of sign-ins queues instead of filling the machine. */
async function inTurn<T>(task: () => Promise<T>): Promise<T> {
  if (running >= atOnce) await new Promise<void>(resolve => waiting.push(resolve))
  running++
  try {
    return await task()
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** The same password typed on another keyboard is the same password. */
export const normalisePassword = (password: string) => password.normalize('NFKC')

export const hashPassword = (password: string) => inTurn(() => hash(normalisePassword(password), cost))

const nobodysHash = hash('nobody has this password', cost)

/** An unknown account costs as much time as a wrong password, so the answer's delay tells nothing. */
export const isPassword = (stored: string | null, given: string) => inTurn(() => matches(stored, given))

/** The first of these that it is the password of, each tried whatever the others say: the delay does not tell which there are. */
export const firstOfPassword = <Account extends { password_hash: string | null }>(
  accounts: readonly (Account | undefined)[],
  given: string,
): Promise<Account | undefined> =>
  inTurn(async () => {
    const found: Account[] = []
    for (const account of accounts) if ((await matches(account?.password_hash ?? null, given)) && account) found.push(account)
    return found[0]
  })

async function matches(stored: string | null, given: string): Promise<boolean> {
  const isRight = await verify(stored ?? (await nobodysHash), normalisePassword(given))
  return stored !== null && isRight
}
