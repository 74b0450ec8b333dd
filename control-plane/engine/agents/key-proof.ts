import { createPublicKey, verify } from 'node:crypto'
import { type EnrolRequest, enrolmentMessage } from '#contract/agent.ts'
import { refuseEd25519 } from '#control-plane/base/ed25519.ts'

/** Why this cannot be the key of an agent, or null. */
export function refuseKey({ x }: { x: string }): string | null {
  const bytes = Buffer.from(x, 'base64url')
  if (bytes.length !== 32 || bytes.toString('base64url') !== x) return 'Must be an Ed25519 public key.'
  const why = refuseEd25519(bytes)
  if (why === 'no point') return 'Must be an Ed25519 public key.'
  return why === null ? null : 'This key accepts forged signatures: generate another.'
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
