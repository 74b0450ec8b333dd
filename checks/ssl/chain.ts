import type { KeyObject, X509Certificate } from 'node:crypto'

export const maxChain = 8

export interface Link {
  subject: string
  issuer: string
  not_after: string
  /** `RSA 2048`, `EC prime256v1`, `Ed25519`. */
  key: string
  signature: string
}

export const weaknessCodes = ['weak_key', 'weak_signature'] as const

export interface Weakness {
  code: (typeof weaknessCodes)[number]
  /** The subject of the weak certificate. */
  subject: string
  /** The weak key or signature, as in `Link`. */
  what: string
}

/** The certificates as the server sent them, its own first. The list may be unordered or incomplete. */
export function chainOf(leaf: X509Certificate): X509Certificate[] {
  const chain = [leaf]
  for (let next = leaf.issuerCertificate; next && chain.length < maxChain; next = next.issuerCertificate)
    chain.push(next)
  return chain
}

export const linkOf = (certificate: X509Certificate): Link => ({
  subject: nameOf(certificate.subject, 200),
  issuer: nameOf(certificate.issuer, 200),
  not_after: new Date(certificate.validTo).toISOString(),
  key: keyOf(certificate),
  signature: (certificate.signatureAlgorithm ?? 'unknown').slice(0, 60),
})

/** A name on one line; empty when absent. */
export const nameOf = (text: string | undefined, max = 500) => (text ?? '').replaceAll('\n', ', ').slice(0, max)

/** The type and size of the key, as far as OpenSSL can read it. */
function keyOf(certificate: X509Certificate): string {
  let key: KeyObject
  try {
    key = certificate.publicKey
  } catch {
    return 'unknown'
  }
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {}
  const type = key.asymmetricKeyType ?? 'unknown'
  const names: Record<string, string> = {
    rsa: 'RSA',
    'rsa-pss': 'RSA-PSS',
    dsa: 'DSA',
    ec: 'EC',
    ed25519: 'Ed25519',
    ed448: 'Ed448',
  }
  return [names[type] ?? type, modulusLength ?? namedCurve ?? []].flat().join(' ').slice(0, 60)
}

/** Outdated keys and signatures. The hash of a root's own signature does not matter. */
export function weaknessesOf(chain: readonly Link[]): Weakness[] {
  return chain.flatMap(({ subject, issuer, key, signature }): Weakness[] => [
    ...(isWeakKey(key) ? [{ code: 'weak_key' as const, subject, what: key }] : []),
    ...(subject !== issuer && /md[245]|sha-?1(?!\d)/i.test(signature)
      ? [{ code: 'weak_signature' as const, subject, what: signature }]
      : []),
  ])
}

/** Below 112 bits of strength: RSA and DSA of less than 2048 bits, curves of less than 224. */
function isWeakKey(key: string): boolean {
  const [type = '', detail = ''] = key.split(' ')
  if (type === 'RSA' || type === 'RSA-PSS' || type === 'DSA') return Number(detail) < 2_048
  if (type !== 'EC') return false
  const bits = Number(/\d{3}/.exec(detail)?.[0] ?? 0)
  return bits > 0 && bits < 224
}

/** The address of the issuer's certificate (RFC 5280, authority information access). */
export function issuerUrlOf(certificate: X509Certificate): URL | null {
  const text = /^CA Issuers - URI:"?(http:\/\/[^\s"]{1,500})/m.exec(certificate.infoAccess ?? '')?.[1]
  return text === undefined ? null : URL.parse(text)
}

export const isSelfSigned = (certificate: X509Certificate) =>
  certificate.subject === certificate.issuer && isSignedBy(certificate, certificate)

export function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    return false
  }
}
