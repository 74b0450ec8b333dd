import { expect, test } from 'vitest'
import { hashSecret, kindOfSecret, mintSecret } from '#control-plane/base/token-secret.ts'

test('a token carries its kind, 32 random bytes and a checksum; only its hash is kept', () => {
  for (const kind of ['ss', 'rk', 'ik', 'svc', 'sk', 'ag'] as const) {
    const { plain, hash } = mintSecret(kind)
    expect(plain.startsWith(`${kind}-`)).toBe(true)
    expect(kindOfSecret(plain)).toBe(kind)
    expect(hash).toEqual(hashSecret(plain))
    expect(hash).toHaveLength(32)
  }
  expect(new Set(Array.from({ length: 1_000 }, () => mintSecret('ss').plain)).size).toBe(1_000)
})

test('a mistyped, cut or invented token is recognised without asking the database', () => {
  const { plain } = mintSecret('rk')
  for (let place = 3; place < plain.length; place++) {
    const other = plain[place] === 'a' ? 'b' : 'a'
    expect(kindOfSecret(plain.slice(0, place) + other + plain.slice(place + 1))).toBeNull()
  }
  for (const bad of ['', plain.slice(1), `${plain}x`, plain.replace('rk', 'ss'), 'rk-', 'Bearer'])
    expect(kindOfSecret(bad)).toBeNull()
})
