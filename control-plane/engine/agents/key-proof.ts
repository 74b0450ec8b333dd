import { createPublicKey, verify } from 'node:crypto'
import { type EnrolRequest, enrolmentMessage } from '#contract/agent.ts'

/**
 * Points of Ed25519 whose order is at most eight, whatever their sign: by the definition of the scheme a forged
 * signature is valid for every eighth message under such a key. The list is libsodium's.
 */
const smallOrder = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
])

/** Why this cannot be the key of an agent, or null. */
export function refuseKey({ x }: { x: string }): string | null {
  const bytes = Buffer.from(x, 'base64url')
  if (bytes.length !== 32 || bytes.toString('base64url') !== x) return 'Must be an Ed25519 public key.'
  bytes[31]! &= 0x7f
  return smallOrder.has(bytes.toString('hex')) ? 'This key accepts forged signatures: generate another.' : null
}

/** Whether the agent has the private key of the key that it names: it has signed the token with it. */
export function provesKey({
  token,
  region,
  public_key: key,
  proof,
}: Pick<EnrolRequest, 'token' | 'region' | 'public_key' | 'proof'>): boolean {
  const signature = Buffer.from(proof, 'base64url')
  try {
    return (
      signature.length === 64 &&
      verify(null, enrolmentMessage(token, region), createPublicKey({ key, format: 'jwk' }), signature)
    )
  } catch {
    return false // no point of the curve
  }
}
