import { createHmac, timingSafeEqual } from 'node:crypto'

/** How old a signed event may be, and how far ahead of our clock. */
export const toleranceS = 300
/** Stripe signs with each secret that is valid at the moment: two while one is replaced. */
const mostSignatures = 10

/**
 * Whether one of our secrets signed these bytes at that time (`Stripe-Signature: t=…,v1=…,v1=…`). Other schemes are
 * ignored. All pairs are compared, each in constant time.
 */
export function isSignedByStripe(
  header: string | null,
  content: Uint8Array,
  secrets: readonly string[],
  nowMs: number,
): boolean {
  const parts = (header ?? '').split(',').map(part => part.trim().split('=', 2) as [string, string?])
  const times = parts.filter(([name]) => name === 't').map(([, value = '']) => value)
  const signatures = parts.filter(([name]) => name === 'v1').map(([, value = '']) => value)
  const [time = ''] = times
  if (times.length !== 1 || !/^\d{1,12}$/.test(time) || signatures.length > mostSignatures) return false
  if (Math.abs(nowMs / 1_000 - Number(time)) > toleranceS) return false
  const given = signatures.filter(text => /^[0-9a-f]{64}$/.test(text)).map(text => Buffer.from(text, 'hex'))
  let isSigned = false
  for (const secret of secrets) {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(content).digest()
    for (const signature of given) if (timingSafeEqual(signature, expected)) isSigned = true
  }
  return isSigned
}
