import { X509Certificate } from 'node:crypto'
import { checkServerIdentity } from 'node:tls'
import { expect, test } from 'vitest'
import { isMadeFor } from '#egress/guard.ts'
import { selfSigned } from '#test/checks/certificates.ts'

const hosts = [
  'example.com',
  'EXAMPLE.com',
  'example.com.',
  'a.example.com',
  'a.b.example.com',
  'other.example',
  'wild.example',
  'a.wild.example',
  'a.b.wild.example',
  'foobar.part.example',
  'xn--mnchen-3ya.example',
  '127.0.0.1',
  '127.0.0.2',
  '::1',
  '::2',
]

test('isMadeFor agrees with Node about the hosts of a certificate', async () => {
  const wishes = [
    { names: ['example.com'] },
    { names: ['example.com', '*.wild.example'] },
    { names: ['xn--mnchen-3ya.example'], addresses: ['127.0.0.1'] },
    { addresses: ['127.0.0.1', '::1'] },
    { names: ['127.0.0.1'] },
  ]
  for (const wish of wishes) {
    const certificate = new X509Certificate((await selfSigned(wish)).cert)
    for (const host of hosts) {
      const isFine = checkServerIdentity(host, certificate.toLegacyObject()) === undefined
      expect(isMadeFor(certificate, host), `${JSON.stringify(wish)} for ${host}`).toBe(isFine)
    }
  }
})

test('isMadeFor refuses partial wildcards, as browsers do', async () => {
  const certificate = new X509Certificate((await selfSigned({ names: ['foo*.part.example'] })).cert)
  expect(isMadeFor(certificate, 'foobar.part.example')).toBe(false)
})
