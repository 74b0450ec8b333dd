import { expect, test } from 'vitest'
import { decryptSecret, encryptSecret, isUnderOldKey } from '#control-plane/base/secrets.ts'

const ring = { secretKey: 'the first key of this installation, long enough' }
const rotated = { secretKey: 'the second key of this installation, long enough', previousSecretKeys: [ring.secretKey] }

test('an encrypted text is decrypted to the same text, and each ciphertext differs', () => {
  for (const plain of ['', 'x', 'rk-secret', 'Überwachung 🦉\u0000', 'x'.repeat(100_000)]) {
    const encrypted = encryptSecret(ring, 'smtp', 'row-1', plain)
    expect(decryptSecret(ring, 'smtp', 'row-1', encrypted)).toBe(plain)
    expect(encryptSecret(ring, 'smtp', 'row-1', plain)).not.toBe(encrypted)
    if (plain.length > 3) expect(encrypted).not.toContain(plain)
  }
})

test('a secret cannot be read for another purpose, in another row, or after a change of any byte', () => {
  const encrypted = encryptSecret(ring, 'smtp', 'row-1', 'a password')
  expect(() => decryptSecret(ring, 'webhook', 'row-1', encrypted)).toThrow()
  expect(() => decryptSecret(ring, 'smtp', 'row-2', encrypted)).toThrow()
  const [version, keyId, text] = encrypted.split('.') as [string, string, string]
  const bytes = Buffer.from(text, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at]! ^= 1
    expect(() => decryptSecret(ring, 'smtp', 'row-1', `${version}.${keyId}.${changed.toString('base64url')}`)).toThrow()
  }
  for (const broken of ['', 'v1', 'v2.x.y', encrypted.slice(0, 30), `${version}.${keyId}.`])
    expect(() => decryptSecret(ring, 'smtp', 'row-1', broken)).toThrow()
})

test('after a rotation the new key encrypts, the old one still decrypts, and a removed one does not', () => {
  const old = encryptSecret(ring, 'smtp', 'row-1', 'a password')
  expect(decryptSecret(rotated, 'smtp', 'row-1', old)).toBe('a password')
  expect([isUnderOldKey(rotated, old), isUnderOldKey(ring, old)]).toEqual([true, false])
  const renewed = encryptSecret(rotated, 'smtp', 'row-1', 'a password')
  expect(isUnderOldKey(rotated, renewed)).toBe(false)
  expect(() => decryptSecret(ring, 'smtp', 'row-1', renewed)).toThrow('not known here')
})
