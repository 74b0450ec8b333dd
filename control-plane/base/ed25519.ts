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

const p = 2n ** 255n - 19n
const modulo = (n: bigint) => ((n % p) + p) % p

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let [square, left] = [modulo(base), exponent]; left > 0n; square = (square * square) % p, left >>= 1n)
    if (left & 1n) result = (result * square) % p
  return result
}

const d = modulo(-121_665n * power(121_666n, p - 2n))

/** Why 32 bytes are no public key of Ed25519 that proves anything (RFC 8032, section 5.1.3), or null. */
export function refuseEd25519(key: Buffer): 'no point' | 'small order' | null {
  if (key.length !== 32) return 'no point'
  const bytes = Buffer.from(key)
  bytes[31]! &= 0x7f
  if (smallOrder.has(bytes.toString('hex'))) return 'small order'
  const y = BigInt(`0x${bytes.reverse().toString('hex')}`)
  if (y >= p) return 'no point'
  const square = modulo((y * y - 1n) * power(d * y * y + 1n, p - 2n))
  // of a point, x² has a root: by Euler’s criterion
  return square === 0n || power(square, (p - 1n) / 2n) === 1n ? null : 'no point'
}
