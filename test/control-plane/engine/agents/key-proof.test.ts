import { expect, test } from 'vitest'
import { refuseKey } from '#control-plane/engine/agents/key-proof.ts'
import { makeKeys } from './raw-agent.ts'

const xOf = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
const signed = (hex: string) => `${hex.slice(0, 62)}${(Number.parseInt(hex.slice(62), 16) | 0x80).toString(16)}`

const p = 2n ** 255n - 19n
const mod = (n: bigint) => ((n % p) + p) % p
const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n
  for (let [b, e] = [mod(base), exponent]; e > 0n; b = mod(b * b), e >>= 1n) if (e & 1n) result = mod(result * b)
  return result
}
const inverse = (n: bigint) => power(n, p - 2n)
const d = mod(-121_665n * inverse(121_666n))

/** Whether the point of this key, added to itself seven times, is the neutral one (RFC 8032, 5.1.3 and 5.1.4). */
function hasSmallOrder(hex: string): boolean {
  const y = BigInt(`0x${Buffer.from(hex, 'hex').reverse().toString('hex')}`) & (2n ** 255n - 1n)
  const square = mod((y * y - 1n) * inverse(d * y * y + 1n))
  let x = power(square, (p + 3n) / 8n)
  if (mod(x * x - square) !== 0n) x = mod(x * power(2n, (p - 1n) / 4n))
  if (mod(x * x - square) !== 0n) throw new Error('This is no point of the curve.')
  let point: [bigint, bigint] = [x, mod(y)]
  for (let n = 0; n < 3; n++) {
    const [u, v] = point
    const t = mod(d * u * u * v * v)
    point = [mod(2n * u * v * inverse(1n + t)), mod((v * v + u * u) * inverse(1n - t))]
  }
  return point[0] === 0n && point[1] === 1n
}

test.each([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
])('the key %s, a point of order eight at most, is refused with either sign', hex => {
  expect(hasSmallOrder(hex)).toBe(true)
  expect(refuseKey({ x: xOf(hex) })).toBeTruthy()
  expect(refuseKey({ x: xOf(signed(hex)) })).toBeTruthy()
})

test.each(['ed', 'ee'])('the key %sff…7f, another spelling of such a point, is refused', first => {
  const hex = `${first}${'ff'.repeat(30)}7f`
  expect(refuseKey({ x: xOf(hex) })).toBeTruthy()
  expect(refuseKey({ x: xOf(signed(hex)) })).toBeTruthy()
})

test('a key of an agent is taken, in its own spelling only', async () => {
  const { x } = (await makeKeys()).publicKey
  expect(hasSmallOrder(Buffer.from(x!, 'base64url').toString('hex'))).toBe(false)
  expect(refuseKey({ x: x! })).toBeNull()
  for (const other of [`${x}=`, ` ${x}`, x!.slice(1), `${x}A`, '']) expect(refuseKey({ x: other })).toBeTruthy()
})
