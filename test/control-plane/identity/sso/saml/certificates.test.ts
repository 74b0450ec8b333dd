import 'reflect-metadata'
import { createPublicKey, X509Certificate } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { readCertificates } from '#control-plane/identity/sso/saml/certificates.ts'
import { Authority, rsa } from '#test/checks/certificates.ts'

let authority: Authority
beforeAll(async () => {
  authority = await Authority.make()
})

const pemOf = (der: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
const refusal = (pem: string) => {
  try {
    return readCertificates([pem])
  } catch (error) {
    return [(error as { status?: number }).status, Object.keys((error as { errors?: object }).errors ?? {})]
  }
}
/** The certificate with other bytes in place of the only ones like these. */
function replaced(pem: string, bytes: Buffer, by: Buffer): string {
  const der = Buffer.from(new X509Certificate(pem).raw)
  const at = der.indexOf(bytes)
  expect(at).toBeGreaterThan(0)
  by.copy(der, at)
  return pemOf(der)
}

test('certificates of RSA are taken, and others refused by their place', async () => {
  const good = await authority.issue({ names: ['idp.example.com'], key: rsa(2_048) })
  expect(readCertificates([good.cert])).toHaveLength(1)
  const short = await authority.issue({ names: ['idp.example.com'], key: rsa(1_024) })
  const curve = await authority.issue({ names: ['idp.example.com'] })
  for (const { cert } of [short, curve]) expect(refusal(cert)).toEqual([422, ['certificates.0']])
})

test('a certificate whose key is no point of its curve is refused', async () => {
  const { cert } = await authority.issue({ names: ['idp.example.com'] })
  const point = createPublicKey(cert).export({ format: 'der', type: 'spki' }).subarray(-65)
  const beside = Buffer.from(point)
  beside[64]! ^= 1
  expect(refusal(replaced(cert, point, beside))).toEqual([422, ['certificates.0']])
})

test.each([1, 2, 65_536])('a certificate whose RSA key has the exponent %d is refused', async exponent => {
  const { cert } = await authority.issue({ names: ['idp.example.com'], key: rsa(2_048) })
  const by = Buffer.from([2, 3, exponent >> 16, (exponent >> 8) & 255, exponent & 255])
  expect(refusal(replaced(cert, Buffer.from([2, 3, 1, 0, 1]), by))).toEqual([422, ['certificates.0']])
})
