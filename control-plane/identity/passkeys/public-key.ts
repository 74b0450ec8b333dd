import { createPublicKey } from 'node:crypto'
import { refuseEd25519 } from '#control-plane/base/ed25519.ts'

const base64url = (part: unknown) => (part instanceof Uint8Array ? Buffer.from(part).toString('base64url') : '')

/** Parameters of COSE keys (RFC 9053, section 7): the type, the curve or modulus, and the coordinates or exponent. */
const [type, first, second, third] = [1, -1, -2, -3]
const [okp, ec2, rsa] = [1, 2, 3]
const [p256, ed25519] = [1, 6]
const rsaBits = { least: 2_048, most: 8_192 }

/**
 * Whether a COSE key is one that signatures can be verified with: a point of the curve of its algorithm, or a modulus
 * and an exponent of RSA in use. The library verifies no signature when a passkey is created without attestation.
 */
export function isUsableKey(key: ReadonlyMap<number, unknown>): boolean {
  try {
    switch (key.get(type)) {
      case okp: {
        const x = key.get(second)
        return key.get(first) === ed25519 && x instanceof Uint8Array && refuseEd25519(Buffer.from(x)) === null
      }
      case ec2: {
        if (key.get(first) !== p256) return false
        const jwk = { kty: 'EC', crv: 'P-256', x: base64url(key.get(second)), y: base64url(key.get(third)) }
        return createPublicKey({ key: jwk, format: 'jwk' }).asymmetricKeyType === 'ec'
      }
      case rsa: {
        const jwk = { kty: 'RSA', n: base64url(key.get(first)), e: base64url(key.get(second)) }
        const { modulusLength = 0, publicExponent = 0n } =
          createPublicKey({ key: jwk, format: 'jwk' }).asymmetricKeyDetails ?? {}
        const isLong = modulusLength >= rsaBits.least && modulusLength <= rsaBits.most
        return isLong && publicExponent >= 3n && publicExponent % 2n === 1n
      }
      default:
        return false
    }
  } catch {
    return false // no point of the curve, or not a number
  }
}
