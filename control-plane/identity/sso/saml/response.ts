import { getVerifiedXml } from '@node-saml/node-saml/lib/xml.js'
import { child, children, parseDocument, textOf, type XmlElement } from './document.ts'
import { SamlFault } from './fault.ts'
import { requireStructure } from './signatures.ts'

export interface SamlProvider {
  /** Its entity id. */
  issuer: string
  /** The certificates that may sign its answers, in PEM; several while it rotates its keys. */
  certificates: readonly string[]
}

/** What an answer must be made for. */
export interface Expected {
  /** Our entity id. */
  audience: string
  /** Our address that takes answers. */
  recipient: string
  /** The request that is answered. The caller sees to it that no request is answered twice. */
  requestId: string
  now: Date
}

/** What a provider states of a person: the name id, and attributes by name, each with its values. */
export interface SamlStatement {
  nameId: string
  nameIdFormat: string | null
  attributes: ReadonlyMap<string, readonly string[]>
}

const longest = 262_144
const skewMs = 60_000
/** The longest time between the making of an assertion and its use. */
const oldestMs = 300_000
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const mostAttributes = 200

/**
 * Reads the answer of a provider, as its form has it (Base64). It must be signed as a whole and in its assertion, for
 * us, now, and as the answer to this request. Throws a `SamlFault`.
 */
export async function readResponse(
  encoded: string,
  provider: SamlProvider,
  expected: Expected,
): Promise<SamlStatement> {
  const xml = decodeResponse(encoded)
  const root = await parseDocument(xml)
  requireSuccess(root)
  const unverified = requireStructure(root)
  const response = await verified(xml, root, provider)
  const assertion = await verified(xml, unverified, provider)
  requireResponse(response, provider, expected)
  requireAssertion(assertion, provider, expected)
  return statementOf(assertion)
}

/** The XML of an answer. Throws a `SamlFault`. */
export function decodeResponse(encoded: string): string {
  if (encoded.length > longest) throw new SamlFault('bad_xml', 'The answer is larger than 256 kB.')
  const compact = encoded.replace(/\s/g, '')
  const bytes = Buffer.from(compact, 'base64')
  if (bytes.toString('base64').replace(/=+$/, '') !== compact.replace(/=+$/, ''))
    throw new SamlFault('bad_xml', 'The answer is not Base64.')
  try {
    // line ends as a parser of XML reads them
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n')
  } catch (cause) {
    throw new SamlFault('bad_xml', 'The answer is not UTF-8.', { cause })
  }
}

/** Providers need not sign that they refused. */
function requireSuccess(root: XmlElement): void {
  const [status] = children(root, 'protocol', 'Status')
  const code = status && children(status, 'protocol', 'StatusCode')[0]?.getAttribute('Value')
  if (code === success) return
  const name = /[A-Za-z]{1,50}$/.exec(code ?? '')?.[0] ?? 'no status'
  throw new SamlFault('refused', `The provider answered with ${name}.`)
}

/** What the signature of an element covers, made again of the signed bytes: nothing else is read of an answer. */
async function verified(xml: string, signed: XmlElement, { certificates }: SamlProvider): Promise<XmlElement> {
  const bytes = signedXml(xml, signed, certificates)
  if (!bytes) throw new SamlFault('bad_signature', 'The signature is not that of a certificate of the provider.')
  return parseDocument(bytes)
}

function signedXml(xml: string, signed: XmlElement, certificates: readonly string[]): string | null {
  try {
    return getVerifiedXml(xml, signed, [...certificates])
  } catch (cause) {
    throw new SamlFault('bad_signature', 'The signature is none that can be verified.', { cause })
  }
}

function requireResponse(root: XmlElement, { issuer }: SamlProvider, { recipient, requestId }: Expected): void {
  requireVersion(root)
  if (root.getAttribute('Destination') !== recipient)
    throw new SamlFault('wrong_recipient', 'The answer is made for another address (Destination).')
  if (root.getAttribute('InResponseTo') !== requestId)
    throw new SamlFault('wrong_request', 'The answer is not to this request (InResponseTo of the response).')
  // the issuer of the response may be missing, that of the assertion may not
  if (children(root, 'assertion', 'Issuer').length > 0) requireIssuer(root, issuer)
}

function requireAssertion(assertion: XmlElement, { issuer }: SamlProvider, expected: Expected): void {
  requireVersion(assertion)
  requireIssuer(assertion, issuer)
  const nowMs = expected.now.getTime()
  const madeMs = timeOf(assertion, 'IssueInstant')
  if (madeMs > nowMs + skewMs) throw new SamlFault('wrong_time', 'The assertion is of the future: compare the clocks.')
  if (madeMs < nowMs - oldestMs - skewMs) throw new SamlFault('wrong_time', 'The assertion is older than five minutes.')
  requireConditions(child(assertion, 'assertion', 'Conditions'), expected)
  requireConfirmation(child(assertion, 'assertion', 'Subject'), expected)
  child(assertion, 'assertion', 'AuthnStatement')
}

function requireVersion(element: XmlElement): void {
  if (element.getAttribute('Version') !== '2.0') throw new SamlFault('bad_structure', 'The answer is not of SAML 2.0.')
}

function requireIssuer(element: XmlElement, issuer: string): void {
  if (textOf(child(element, 'assertion', 'Issuer')) !== issuer)
    throw new SamlFault('wrong_issuer', `The ${element.localName} has another issuer than configured.`)
}

function requireConditions(conditions: XmlElement, { audience, now }: Expected): void {
  requireSpan(conditions, now)
  timeOf(conditions, 'NotOnOrAfter')
  const restrictions = children(conditions, 'assertion', 'AudienceRestriction')
  const isForUs = (restriction: XmlElement) =>
    children(restriction, 'assertion', 'Audience').some(each => textOf(each) === audience)
  if (restrictions.length === 0 || !restrictions.every(isForUs))
    throw new SamlFault('wrong_audience', 'The assertion is made for another service (Audience).')
}

/** One confirmation that the bearer is meant, for our address, now and to this request (profiles, 4.1.4.2). */
function requireConfirmation(subject: XmlElement, { recipient, requestId, now }: Expected): void {
  const confirmation = child(subject, 'assertion', 'SubjectConfirmation')
  if (confirmation.getAttribute('Method') !== bearer)
    throw new SamlFault('bad_structure', 'The subject is not confirmed as the bearer.')
  const data = child(confirmation, 'assertion', 'SubjectConfirmationData')
  if (data.getAttribute('Recipient') !== recipient)
    throw new SamlFault('wrong_recipient', 'The assertion is made for another address (Recipient).')
  if (data.getAttribute('InResponseTo') !== requestId)
    throw new SamlFault('wrong_request', 'The answer is not to this request (InResponseTo of the subject).')
  timeOf(data, 'NotOnOrAfter')
  requireSpan(data, now)
}

function requireSpan(element: XmlElement, now: Date): void {
  const nowMs = now.getTime()
  if (element.getAttribute('NotBefore') && timeOf(element, 'NotBefore') > nowMs + skewMs)
    throw new SamlFault('wrong_time', 'The assertion is not valid yet: compare the clocks.')
  if (element.getAttribute('NotOnOrAfter') && timeOf(element, 'NotOnOrAfter') <= nowMs - skewMs)
    throw new SamlFault('wrong_time', 'The assertion has expired: compare the clocks.')
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

function timeOf(element: XmlElement, name: string): number {
  const text = element.getAttribute(name) ?? ''
  const ms = instant.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms)) throw new SamlFault('wrong_time', `${element.localName} has no right ${name}.`)
  return ms
}

function statementOf(assertion: XmlElement): SamlStatement {
  const name = child(child(assertion, 'assertion', 'Subject'), 'assertion', 'NameID')
  const nameId = textOf(name)
  if (!nameId) throw new SamlFault('bad_structure', 'The NameID is empty.')
  const given = children(assertion, 'assertion', 'AttributeStatement').flatMap(statement =>
    children(statement, 'assertion', 'Attribute'),
  )
  if (given.length > mostAttributes) throw new SamlFault('bad_structure', 'The assertion has too many attributes.')
  const attributes = new Map<string, string[]>()
  for (const attribute of given) {
    const key = attribute.getAttribute('Name') ?? ''
    if (attributes.has(key)) throw new SamlFault('bad_structure', 'An attribute is given twice.')
    attributes.set(key, children(attribute, 'assertion', 'AttributeValue').map(textOf))
  }
  return { nameId, nameIdFormat: name.getAttribute('Format') || null, attributes }
}
