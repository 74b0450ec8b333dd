import 'reflect-metadata'
import type { webcrypto } from 'node:crypto'
import {
  AuthorityInfoAccessExtension,
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
export const rsa = (modulusLength: number, hash = 'SHA-256') => ({
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash,
})
const dayMs = 86_400_000
export const daysFromNow = (days: number) => new Date(Date.now() + days * dayMs)

export interface KeyAndCert {
  key: string
  cert: string
}

interface Wish {
  names?: string[]
  addresses?: string[]
  emails?: string[]
  urls?: string[]
  /** Its common name; by default the first of its names. */
  commonName?: string
  /** Whether it has subject alternative names at all. */
  hasAlternatives?: boolean
  /** What its key may be used for, as object identifiers; by default anything. */
  usages?: string[]
  from?: Date
  to?: Date
  /** The kind of key; by default EC P-256. */
  key?: ReturnType<typeof rsa> | typeof algorithm
  /** Where the issuer's certificate can be fetched. */
  issuerUrl?: string
}

const alternatives = ({ names = [], addresses = [], emails = [], urls = [], hasAlternatives = true }: Wish) =>
  hasAlternatives
    ? [
        new SubjectAlternativeNameExtension([
          ...names.map(value => ({ type: 'dns' as const, value })),
          ...addresses.map(value => ({ type: 'ip' as const, value })),
          ...emails.map(value => ({ type: 'email' as const, value })),
          ...urls.map(value => ({ type: 'url' as const, value })),
        ]),
      ]
    : []
const uses = ({ usages = [] }: Wish) => (usages.length > 0 ? [new ExtendedKeyUsageExtension(usages)] : [])

const newKeys = (kind: Wish['key'] = algorithm) =>
  crypto.subtle.generateKey(kind, true, ['sign', 'verify']) as Promise<webcrypto.CryptoKeyPair>

async function pemOfKey({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey))
  return `-----BEGIN PRIVATE KEY-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`
}

/** A certificate authority of the test's own. */
export class Authority {
  readonly #keys: webcrypto.CryptoKeyPair
  readonly #certificate: X509Certificate
  readonly #signing: NonNullable<Wish['key']>

  private constructor(keys: webcrypto.CryptoKeyPair, certificate: X509Certificate, signing: NonNullable<Wish['key']>) {
    this.#keys = keys
    this.#certificate = certificate
    this.#signing = signing
  }

  static async make(key: NonNullable<Wish['key']> = algorithm): Promise<Authority> {
    const keys = await newKeys(key)
    const certificate = await X509CertificateGenerator.createSelfSigned({
      serialNumber: '01',
      name: 'CN=Test Authority',
      notBefore: daysFromNow(-1_000),
      notAfter: daysFromNow(1_000),
      signingAlgorithm: key,
      keys,
      extensions: [
        new BasicConstraintsExtension(true, 2, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    })
    return new Authority(keys, certificate, key)
  }

  get pem(): string {
    return this.#certificate.toString('pem')
  }

  get der(): Buffer {
    return Buffer.from(this.#certificate.rawData)
  }

  /** An authority under this one. */
  async deputy({
    name = 'CN=Test Deputy',
    from = daysFromNow(-900),
    to = daysFromNow(900),
    issuerUrl,
    key = this.#signing,
  }: Omit<Wish, 'names'> & { name?: string } = {}) {
    const keys = await newKeys(key)
    const certificate = await X509CertificateGenerator.create({
      serialNumber: '0a',
      subject: name,
      issuer: this.#certificate.subject,
      notBefore: from,
      notAfter: to,
      signingAlgorithm: this.#signing,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      extensions: [
        new BasicConstraintsExtension(true, 1, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        await SubjectKeyIdentifierExtension.create(keys.publicKey),
        await AuthorityKeyIdentifierExtension.create(this.#keys.publicKey),
        ...(issuerUrl ? [new AuthorityInfoAccessExtension({ caIssuers: issuerUrl })] : []),
      ],
    })
    return new Authority(keys, certificate, key)
  }

  async issue(wish: Wish = {}): Promise<KeyAndCert> {
    const { names = [], addresses = [], from = daysFromNow(-1), to = daysFromNow(100), key, issuerUrl } = wish
    const keys = await newKeys(key)
    const certificate = await X509CertificateGenerator.create({
      serialNumber: Math.floor(Math.random() * 1e9)
        .toString(16)
        .padStart(10, '0'),
      subject: `CN=${wish.commonName ?? names[0] ?? addresses[0] ?? 'unnamed'}`,
      issuer: this.#certificate.subject,
      notBefore: from,
      notAfter: to,
      signingAlgorithm: this.#signing,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      extensions: [
        ...(issuerUrl ? [new AuthorityInfoAccessExtension({ caIssuers: issuerUrl })] : []),
        ...alternatives(wish),
        ...uses(wish),
        await AuthorityKeyIdentifierExtension.create(this.#keys.publicKey),
      ],
    })
    return { key: await pemOfKey(keys), cert: certificate.toString('pem') }
  }
}

export async function selfSigned(wish: Wish = {}): Promise<KeyAndCert> {
  const { from = daysFromNow(-1), to = daysFromNow(100), key = algorithm } = wish
  const keys = await newKeys(key)
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '02',
    name: `CN=${wish.commonName ?? 'Self'}`,
    notBefore: from,
    notAfter: to,
    signingAlgorithm: key,
    keys,
    extensions: [...alternatives(wish), ...uses(wish)],
  })
  return { key: await pemOfKey(keys), cert: certificate.toString('pem') }
}
