import { createHmac } from 'node:crypto'
import { createChallenge, randomInt, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { affected } from '#control-plane/db/queries.ts'
import { rateKeyOfIp, tooMany } from '#control-plane/http/rate.ts'
import type { Services } from '#control-plane/http/services.ts'
import { networkOf } from '#control-plane/identity/sessions/guesses.ts'

/** How long a challenge may be solved and sent. */
const lifeMs = 10 * 60_000
/** Iterations of each try: the tries of the solver are what grows. */
const cost = 1_000
/** Tries of a first challenge: about a second of one core. */
const firstTries = { least: 1_000, most: 2_000 }
/** Challenges a minute of a network before each further one costs more, and at most. */
const cheap = 3
const mostAMinute = 30
const greatestFactor = 16

const hex = z
  .string()
  .max(128)
  .regex(/^(?:[0-9a-f]{2})+$/)
const Parameters = z.strictObject({
  algorithm: z.literal('PBKDF2/SHA-256'),
  nonce: hex,
  salt: hex,
  cost: z.int(),
  keyLength: z.int(),
  keyPrefix: hex,
  keySignature: hex.optional(),
  expiresAt: z.int(),
  data: z.strictObject({ purpose: z.string() }),
})

/** A challenge as the widget of ALTCHA 3 reads it. */
export const Challenge = z.object({ parameters: Parameters, signature: hex }).meta({ id: 'ProofChallenge' })

/** What the widget sends: base64 of JSON with the challenge and its solution. */
export const Proof = z
  .string()
  .max(4_000)
  .meta({ description: 'What the widget of ALTCHA, or any solver of its version 2, makes of the challenge.' })

const Payload = z.object({
  challenge: Challenge,
  solution: z.object({ counter: z.int(), derivedKey: hex, time: z.number().optional() }),
})

const keysOf = ({ secretKey }: Pick<Keyring, 'secretKey'>) => {
  const keyOf = (use: string) => createHmac('sha256', secretKey).update(`vedette proof of work\0${use}`).digest('hex')
  return { hmacSignatureSecret: keyOf('challenge'), hmacKeySignatureSecret: keyOf('key') }
}

type ProofServices = Pick<Services, 'config' | 'rate' | 'clock' | 'platform'>

/** A new challenge for one purpose. The more of them a network (IPv4 /24, IPv6 /64) asks for, the more each costs. */
export async function newChallenge(
  { config, rate, clock }: ProofServices,
  purpose: string,
  ip: string,
): Promise<z.output<typeof Challenge>> {
  const network = ip === '' ? rateKeyOfIp(ip) : networkOf(ip)
  const counted = await rate.count(`proof:${network}`, mostAMinute, clock.nowMs())
  if (counted.isRefused) throw tooMany(counted)
  const asked = counted.limit - counted.remaining
  const factor = Math.min(greatestFactor, 2 ** Math.max(0, asked - cheap))
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost,
    counter: randomInt(firstTries.most * factor, firstTries.least * factor),
    data: { purpose },
    deriveKey,
    // whole seconds, so that the schema and the signature agree on one spelling
    expiresAt: Math.floor((clock.nowMs() + lifeMs) / 1_000),
    ...keysOf(config),
  })
  return Challenge.parse(challenge)
}

const refused = (message: string, code: 'proof_invalid' | 'proof_used') => invalid({ altcha: [message] }, code)

/**
 * Uses a proof: a 422 on `altcha` if it is wrong, has ended, is of another purpose, or was used before.
 */
export async function useProof({ config, platform }: ProofServices, purpose: string, text: string): Promise<void> {
  const payload = Payload.safeParse(jsonIn(text))
  const wrong = () => refused('This proof is wrong or too old: ask for a new challenge.', 'proof_invalid')
  if (!payload.success || payload.data.challenge.parameters.data.purpose !== purpose) throw wrong()
  const { challenge, solution } = payload.data
  // the signature is verified before any work is done for a challenge
  const { verified } = await verifySolution({
    challenge,
    solution: { counter: solution.counter, derivedKey: solution.derivedKey },
    deriveKey,
    ...keysOf(config),
  })
  if (!verified) throw wrong()
  const rowCount = await affected(platform)`insert into used_challenges (signature, ends_at)
    values (${Buffer.from(challenge.signature, 'hex')}, to_timestamp(${challenge.parameters.expiresAt}))
    on conflict do nothing`
  if (rowCount === 0) throw refused('This proof was used already: ask for a new challenge.', 'proof_used')
}

function jsonIn(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))
  } catch {
    return null
  }
}
