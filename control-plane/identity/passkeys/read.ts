import type { RegistrationAnswer, SignInAnswer } from './answers.ts'
import { isUsableKey } from './public-key.ts'
import type { RelyingParty } from './relying-party.ts'

/** Loaded when a passkey is first used, because it takes 4 MB. */
const library = () => import('@simplewebauthn/server')

/** EdDSA, ES256, RS256 (COSE): what authenticators have. */
export const algorithms = [-8, -7, -257]

/** A credential of an authenticator as it is stored. */
export interface NewCredential {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  isBackupEligible: boolean
  isBackedUp: boolean
  aaguid: string
}

/** A credential as an answer shows it to be used. */
export interface Use {
  counter: number
  isBackedUp: boolean
}

interface Stored {
  publicKey: Buffer
  userId: string
}

/** A person's id as authenticators keep it: 16 bytes. */
export const handleOf = (userId: string): Buffer<ArrayBuffer> => Buffer.from(userId.replaceAll('-', ''), 'hex')

/**
 * Reads a new credential out of a browser's answer, or null for an answer that does not hold: another challenge, origin
 * or domain, no verification of the user, another algorithm, a key that verifies no signature.
 */
export async function readRegistration(
  answer: RegistrationAnswer,
  challenge: string,
  party: RelyingParty,
): Promise<NewCredential | null> {
  try {
    if (!(await isWithoutCertificates(answer))) return null
    const { verifyRegistrationResponse } = await library()
    const { transports: _, ...response } = answer.response
    const { verified, registrationInfo: info } = await verifyRegistrationResponse({
      response: { ...answer, response, clientExtensionResults: {}, authenticatorAttachment: undefined } as never,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified || info.credential.id !== answer.id) return null
    const { decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers')
    if (!isUsableKey(decodeCredentialPublicKey(info.credential.publicKey) as Map<number, unknown>)) return null
    return {
      credentialId: Buffer.from(answer.id, 'base64url'),
      publicKey: Buffer.from(info.credential.publicKey),
      counter: info.credential.counter,
      isBackupEligible: info.credentialDeviceType === 'multiDevice',
      isBackedUp: info.credentialBackedUp,
      aaguid: info.aaguid,
    }
  } catch {
    return null
  }
}

/**
 * We ask for no attestation, and browsers send none, or one by the credential's own key. The library would download the
 * lists of revoked certificates that others name: addresses that a stranger chose.
 */
async function isWithoutCertificates({ response }: RegistrationAnswer): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/**
 * Verifies a browser's answer with the stored credential; null for an answer that does not hold. The counter is for the
 * caller to compare.
 */
export async function readUse(
  answer: SignInAnswer,
  challenge: string,
  party: RelyingParty,
  stored: Stored,
): Promise<Use | null> {
  const { userHandle, ...response } = answer.response
  if (!userHandle || !Buffer.from(userHandle, 'base64url').equals(handleOf(stored.userId))) return null
  try {
    const { verifyAuthenticationResponse } = await library()
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response: { ...answer, response, clientExtensionResults: {}, authenticatorAttachment: undefined } as never,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id: answer.id, publicKey: new Uint8Array(stored.publicKey), counter: 0 },
    })
    return verified ? { counter: info.newCounter, isBackedUp: info.credentialBackedUp } : null
  } catch {
    return null
  }
}
