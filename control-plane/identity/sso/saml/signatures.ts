import { all, child, children, elementsIn, is, type XmlElement } from './document.ts'
import { SamlFault } from './fault.ts'

const signing = 'http://www.w3.org/2001/04/xmldsig-more#'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

/** No SHA-1, and no HMAC, whose key would be the public certificate. */
const signatureMethods = ['rsa-sha256', 'rsa-sha384', 'rsa-sha512'].map(name => signing + name)
const digestMethods = [
  'http://www.w3.org/2001/04/xmlenc#sha256',
  `${signing}sha384`,
  'http://www.w3.org/2001/04/xmlenc#sha512',
]

/**
 * Refuses every form of an answer but one: a root `Response` with one `Assertion`, both with a signature of their own
 * as a child, which refers to its parent and to nothing else, by algorithms that are known to be safe. So what is
 * signed is what is read, whatever else an attacker wraps around it. Returns the assertion.
 */
export function requireStructure(root: XmlElement): XmlElement {
  if (!is(root, 'protocol', 'Response')) throw new SamlFault('bad_structure', 'The answer is no SAML response.')
  const elements = [...all(root)]
  const named = (name: string) => elements.filter(({ localName }) => localName === name)
  if (named('EncryptedAssertion').length > 0)
    throw new SamlFault('bad_structure', 'The assertion is encrypted: switch that off at the provider.')
  if (named('Response').length !== 1 || named('Assertion').length !== 1)
    throw new SamlFault('bad_structure', 'The answer must have one response with one assertion.')
  const assertion = child(root, 'assertion', 'Assertion')
  requireUniqueIds(elements)
  for (const signed of [root, assertion]) {
    if (children(signed, 'signature', 'Signature').length !== 1)
      throw new SamlFault('bad_signature', `The ${signed.localName} is not signed: have the provider sign both.`)
    requireSignature(signed, child(signed, 'signature', 'Signature'))
  }
  if (named('Signature').length !== 2) throw new SamlFault('bad_structure', 'The answer must have two signatures.')
  return assertion
}

function requireUniqueIds(elements: readonly XmlElement[]): void {
  const ids = elements.flatMap(({ attributes }) =>
    Array.from(attributes).flatMap(({ localName, value }) => (localName.toLowerCase() === 'id' ? [value] : [])),
  )
  if (new Set(ids).size !== ids.length) throw new SamlFault('bad_structure', 'Two elements have the same ID.')
}

function requireSignature(signed: XmlElement, signature: XmlElement): void {
  const info = child(signature, 'signature', 'SignedInfo')
  child(signature, 'signature', 'SignatureValue')
  // an object within a signature could hold what the signature refers to
  if (elementsIn(signature).some(each => !['SignedInfo', 'SignatureValue', 'KeyInfo'].includes(each.localName)))
    throw new SamlFault('bad_structure', 'A signature has more than its value and its key.')
  requireAlgorithm(child(info, 'signature', 'CanonicalizationMethod'), [exclusive])
  requireAlgorithm(child(info, 'signature', 'SignatureMethod'), signatureMethods)
  const reference = child(info, 'signature', 'Reference')
  const id = signed.getAttribute('ID')
  if (!id || !/^[\w.-]+$/.test(id) || reference.getAttribute('URI') !== `#${id}`)
    throw new SamlFault('bad_structure', `The signature of the ${signed.localName} refers to something else.`)
  requireAlgorithm(child(reference, 'signature', 'DigestMethod'), digestMethods)
  const transforms = children(child(reference, 'signature', 'Transforms'), 'signature', 'Transform')
  for (const transform of transforms) requireAlgorithm(transform, [enveloped, exclusive])
  if (transforms.length !== 2) throw new SamlFault('bad_algorithm', 'A signature has unusual transforms.')
}

function requireAlgorithm(method: XmlElement, allowed: readonly string[]): void {
  const algorithm = method.getAttribute('Algorithm') ?? ''
  if (!allowed.includes(algorithm))
    throw new SamlFault(
      'bad_algorithm',
      `The provider uses ${JSON.stringify(algorithm.slice(0, 100))} as ${method.localName}: choose RSA with SHA-256.`,
    )
}
