import type { Pool } from 'pg'
import { z } from 'zod'
import { challengeMs, createChallenge } from './challenges.ts'
import { algorithms, handleOf } from './read.ts'
import type { RelyingParty } from './relying-party.ts'

/** For `navigator.credentials.create`; bytes are base64url. */
export const RegistrationOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int().meta({ description: 'Milliseconds.' }),
    attestation: z.literal('none'),
    excludeCredentials: z.array(
      z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) }),
    ),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.boolean(),
      userVerification: z.literal('required'),
    }),
  })
  .meta({ id: 'PasskeyRegistrationOptions' })

/** For `navigator.credentials.get`. It names no credential, so that it does not reveal who has one. */
export const SignInOptions = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int().meta({ description: 'Milliseconds.' }),
    userVerification: z.literal('required'),
  })
  .meta({ id: 'PasskeySignInOptions' })

/** Loaded when a passkey is first used, because it takes 4 MB. */
const library = () => import('@simplewebauthn/server')

interface Account {
  id: string
  name: string
  email: string
}

/** What a browser needs to make a passkey for this person, which is not yet in `existing`. */
export async function registrationOptions(
  platform: Pool,
  party: Pick<RelyingParty, 'id'> & { name: string },
  { id: userId, name, email }: Account,
  existing: readonly { id: string; transports: string[] }[],
): Promise<z.input<typeof RegistrationOptions>> {
  const challenge = await createChallenge(platform, { purpose: 'register', userId }, party.id)
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: email,
    userDisplayName: name,
    userID: handleOf(userId),
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: challengeMs,
    attestationType: 'none',
    excludeCredentials: [...existing],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
  return RegistrationOptions.parse(options)
}

/** What a browser needs to use a passkey of the person before it. */
export async function signInOptions(platform: Pool, party: RelyingParty): Promise<z.input<typeof SignInOptions>> {
  const challenge = await createChallenge(platform, { purpose: 'sign_in', userId: null }, party.id)
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: challengeMs,
    userVerification: 'required',
  })
  return SignInOptions.parse(options)
}
