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

/** Decrypts the secret of a person's factor. An unreadable one is a 422 on the field of the code. */
export function decryptFactor(ring: Keyring, userId: string, encrypted: string, field = 'otp_code'): string {
  try {
    return decryptSecret(ring, secretPurpose, userId, encrypted)
  } catch (error) {
    if (error instanceof UnreadableSecret) throw invalid({ [field]: [unreadable] }, 'second_factor_unreadable')
    throw error
  }
}

/** The URL that authenticator apps read, as text or as a QR code. They keep the name of its issuer for good. */
export const authenticatorUrl = (secret: string, email: string, issuer: string) =>
  generateURI({ issuer, label: email, secret })

/** The time step of a code, with a tolerance of one step; null for a wrong code and for a step already used. */
export async function stepOf(secret: string, code: string, lastStep: number, now: Date): Promise<number | null> {
  const result = await verify({ secret, token: code, epoch: Math.floor(now.getTime() / 1000), epochTolerance: periodS })
  if (!result.valid || !('timeStep' in result)) return null
  return result.timeStep > lastStep ? result.timeStep : null
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Ten codes of eighty random bits, shown once and stored as hashes, without letters that are easily confused. */
export function mintRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const plain = Array.from({ length: recoveryCodes }, () =>
    [...randomBytes(16)].map(byte => alphabet[byte % alphabet.length]).join(''),
  )
  return { codes: plain.map(code => code.replace(/(.{4})(?=.)/g, '$1-')), hashes: plain.map(hashSecret) }
}

export const renewFactor = renewerFor(secretPurpose)
