import { randomBytes } from 'node:crypto'
import { generateSecret, generateURI, verify } from 'otplib'
import { invalid } from '#control-plane/base/refusal.ts'
import { decryptSecret, type Keyring, renewerFor, UnreadableSecret } from '#control-plane/base/secrets.ts'
import { hashSecret } from '#control-plane/base/token-secret.ts'

export const secretPurpose = 'second factor'
const recoveryCodes = 10
const periodS = 30

export const newSecret = () => generateSecret()

const unreadable =
  'No code can be checked at the moment: the stored secret cannot be opened. Use a recovery code, or ask the operator.'

/** The secret of a person's factor. One that cannot be opened is told by the field that holds the code. */
export function openFactor(ring: Keyring, userId: string, sealed: string, field = 'otp_code'): string {
  try {
    return decryptSecret(ring, secretPurpose, userId, sealed)
  } catch (error) {
    if (error instanceof UnreadableSecret) throw invalid({ [field]: [unreadable] }, 'second_factor_unreadable')
    throw error
  }
}

/** What authenticators read, as text or as a picture. */
export const authenticatorUrl = (secret: string, email: string) =>
  generateURI({ issuer: 'Vedette', label: email, secret })

/** The time step a code is of, one step to either side for clocks that are off; null for a wrong code, and for one of a step already used. */
export async function stepOf(secret: string, code: string, lastStep: number, now: Date): Promise<number | null> {
  const result = await verify({ secret, token: code, epoch: Math.floor(now.getTime() / 1000), epochTolerance: periodS })
  if (!result.valid || !('timeStep' in result)) return null
  return result.timeStep > lastStep ? result.timeStep : null
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Ten codes of eighty random bits, shown once and stored as hashes; letters that look alike are left out. */
export function mintRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const plain = Array.from({ length: recoveryCodes }, () =>
    [...randomBytes(16)].map(byte => alphabet[byte % alphabet.length]).join(''),
  )
  return { codes: plain.map(code => code.replace(/(.{4})(?=.)/g, '$1-')), hashes: plain.map(hashSecret) }
}

export const renewFactor = renewerFor(secretPurpose)
