import { X509Certificate } from 'node:crypto'
import { invalid } from '#control-plane/base/refusal.ts'

const [leastBits, mostBits] = [2_048, 16_384]

/** Certificates in PEM, or in Base64 as metadata has them; as PEM. Throws a 422 on those at fault. */
export function readCertificates(texts: readonly string[]): string[] {
  return texts.map((text, index) => {
    const read = certificateOf(text)
    if (!read) throw refused(index, 'Must be a certificate in PEM.')
    if (!isUsable(read)) throw refused(index, `Must have an RSA key of ${leastBits} to ${mostBits} bits.`)
    return read.toString()
  })
}

/** Under an exponent of one every text is its own signature, and an even one is not RSA. */
function isUsable(certificate: X509Certificate): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
    const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {}
    const isLong = modulusLength >= leastBits && modulusLength <= mostBits
    return asymmetricKeyType === 'rsa' && isLong && publicExponent >= 3n && publicExponent % 2n === 1n
  } catch {
    return false // a key that OpenSSL cannot read, such as a point that is not of its curve
  }
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
