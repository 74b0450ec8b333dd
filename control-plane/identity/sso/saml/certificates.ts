import { X509Certificate } from 'node:crypto'
import { invalid } from '#control-plane/base/refusal.ts'

const leastBits = 2_048

/** Certificates in PEM, or in Base64 as metadata has them; as PEM. Throws a 422 on those at fault. */
export function readCertificates(texts: readonly string[]): string[] {
  return texts.map((text, index) => {
    const read = certificateOf(text)
    if (!read) throw refused(index, 'Must be a certificate in PEM.')
    const { asymmetricKeyType, asymmetricKeyDetails } = read.publicKey
    if (asymmetricKeyType !== 'rsa' || (asymmetricKeyDetails?.modulusLength ?? 0) < leastBits)
      throw refused(index, `Must have an RSA key of at least ${leastBits} bits.`)
    return read.toString()
  })
}

const refused = (index: number, why: string) => invalid({ [`certificates.${index}`]: [why] })

function certificateOf(text: string): X509Certificate | null {
  const bare = text.replace(/\s/g, '')
  const isBare = /^[A-Za-z0-9+/]+={0,2}$/.test(bare)
  try {
    return new X509Certificate(isBare ? Buffer.from(bare, 'base64') : text)
  } catch {
    return null
  }
}
