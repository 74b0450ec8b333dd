import 'reflect-metadata'
import type { webcrypto } from 'node:crypto'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 86_400_000
export const daysFromNow = (days: number) => new Date(Date.now() + days * dayMs)

export interface KeyAndCert {
  key: string
  cert: string
}

interface Wish {
  names?: string[]
  addresses?: string[]
  from?: Date
  to?: Date
}

const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])

async function pemOfKey({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey))
  return `-----BEGIN PRIVATE KEY-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`
}

/** A certificate authority of the test's own. */
export class Authority {
  readonly #keys: webcrypto.CryptoKeyPair
  readonly #certificate: X509Certificate

  private constructor(keys: webcrypto.CryptoKeyPair, certificate: X509Certificate) {
    this.#keys = keys
    this.#certificate = certificate
  }

  static async make(): Promise<Authority> {
    const keys = await newKeys()
    const certificate = await X509CertificateGenerator.createSelfSigned({
      serialNumber: '01',
      name: 'CN=Test Authority',
      notBefore: daysFromNow(-1_000),
      notAfter: daysFromNow(1_000),
      signingAlgorithm: algorithm,
      keys,
      extensions: [
        new BasicConstraintsExtension(true, 2, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    })
    return new Authority(keys, certificate)
  }

  get pem(): string {
    return this.#certificate.toString('pem')
  }

  async issue({ names = [], addresses = [], from = daysFromNow(-1), to = daysFromNow(100) }: Wish = {}): Promise<KeyAndCert> {
    const keys = await newKeys()
    const certificate = await X509CertificateGenerator.create({
      serialNumber: Math.floor(Math.random() * 1e9)
        .toString(16)
        .padStart(10, '0'),
      subject: `CN=${names[0] ?? addresses[0] ?? 'nobody'}`,
      issuer: this.#certificate.subject,
      notBefore: from,
      notAfter: to,
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      extensions: [
        new SubjectAlternativeNameExtension([
          ...names.map(value => ({ type: 'dns' as const, value })),
          ...addresses.map(value => ({ type: 'ip' as const, value })),
        ]),
        await AuthorityKeyIdentifierExtension.create(this.#keys.publicKey),
      ],
    })
    return { key: await pemOfKey(keys), cert: certificate.toString('pem') }
  }
}

export async function selfSigned({ names = [], addresses = [], from = daysFromNow(-1), to = daysFromNow(100) }: Wish = {}): Promise<KeyAndCert> {
  const keys = await newKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '02',
    name: 'CN=Self',
    notBefore: from,
    notAfter: to,
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new SubjectAlternativeNameExtension([
        ...names.map(value => ({ type: 'dns' as const, value })),
        ...addresses.map(value => ({ type: 'ip' as const, value })),
      ]),
    ],
  })
  return { key: await pemOfKey(keys), cert: certificate.toString('pem') }
}
