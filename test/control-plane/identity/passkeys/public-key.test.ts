import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { isUsableKey } from '#control-plane/identity/passkeys/public-key.ts'

const bytes = (text = '') => Buffer.from(text, 'base64url')
const ec = ({ publicKey }: { publicKey: KeyObject }, curve = 1) => {
  const { x, y } = publicKey.export({ format: 'jwk' })
  return new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, curve],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ])
}
const rsa = (modulusLength: number, publicExponent = 65_537) => {
  const { n, e } = generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey.export({ format: 'jwk' })
  return new Map<number, unknown>([
    [1, 3],
    [3, -257],
    [-1, bytes(n)],
    [-2, bytes(e)],
  ])
}
const ed = (x: Buffer) =>
  new Map<number, unknown>([
    [1, 1],
    [3, -8],
    [-1, 6],
    [-2, x],
  ])
const without = (key: Map<number, unknown>, label: number) => new Map([...key].filter(([at]) => at !== label))
const withPart = (key: Map<number, unknown>, label: number, part: unknown) => new Map([...key, [label, part]])

const p256 = ec(generateKeyPairSync('ec', { namedCurve: 'P-256' }))
const ed25519 = bytes(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x)
const rsa2048 = rsa(2_048)

test('the keys of authenticators are usable', () => {
  for (const key of [p256, rsa2048, rsa(3_072), rsa(2_048, 3)]) expect(isUsableKey(key)).toBe(true)
  for (let made = 0; made < 20; made++) {
    const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
    expect(isUsableKey(ed(bytes(x)))).toBe(true)
  }
})

test.each<[string, Map<number, unknown>]>([
  ['a point beside its curve', withPart(p256, -3, Buffer.alloc(32, 9))],
  ['a point of another curve', ec(generateKeyPairSync('ec', { namedCurve: 'P-384' }))],
  ['a point that claims another curve', withPart(p256, -1, 2)],
  ['a compressed point', withPart(p256, -3, true)],
  ['a point without a coordinate', without(p256, -3)],
  ['a short RSA modulus', rsa(1_024)],
  ['an RSA exponent of one', withPart(rsa2048, -2, Buffer.from([1]))],
  ['an even RSA exponent', withPart(rsa2048, -2, Buffer.from([1, 0, 0]))],
  ['an RSA key without a modulus', without(rsa2048, -1)],
  ['an RSA modulus of megabytes', withPart(rsa2048, -1, Buffer.alloc(100_000, 255))],
  // y = 2 has no x
  ['bytes that are no point of Ed25519', ed(Buffer.concat([Buffer.from([2]), Buffer.alloc(31)]))],
  ['a point of Ed25519 under which forged signatures are valid', ed(Buffer.alloc(32))],
  ['a coordinate of Ed25519 beyond its field', ed(Buffer.alloc(32, 255))],
  ['a short point of Ed25519', ed(ed25519.subarray(1))],
  ['a point of Ed448', withPart(ed(ed25519), -1, 7)],
  [
    'a symmetric key',
    new Map<number, unknown>([
      [1, 4],
      [3, 5],
    ]),
  ],
  ['nothing', new Map()],
])('%s is not usable', (_, key) => expect(isUsableKey(key)).toBe(false))
