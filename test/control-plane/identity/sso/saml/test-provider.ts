import { randomUUID } from 'node:crypto'
import { signXml } from '@node-saml/node-saml/lib/xml.js'
import { Authority, type KeyAndCert, rsa } from '#test/checks/certificates.ts'

export const entityId = 'https://status.example.com/sso/saml/metadata'
export const acsUrl = 'https://status.example.com/sso/saml/acs'
export const issuer = 'https://idp.example.com/saml'

export async function newCertificate(): Promise<KeyAndCert> {
  const authority = await Authority.make(rsa(2_048))
  return authority.issue({ names: ['idp.example.com'], key: rsa(2_048) })
}

export interface Wish {
  now?: Date
  requestId?: string
  nameId?: string
  /** XML in place of the text of the NameID. */
  nameIdXml?: string
  attributes?: Record<string, readonly string[]>
  attributesXml?: string
  issuer?: string
  responseIssuer?: string
  audience?: string
  audienceXml?: string
  recipient?: string
  destination?: string
  responseRequestId?: string
  method?: string
  issueInstant?: string
  notBefore?: string
  notOnOrAfter?: string
  conditionsXml?: string
  confirmationXml?: string
  authnStatement?: string
  status?: string
  version?: string
  responseId?: string
  assertionId?: string
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, sign => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)
const after = (now: Date, s: number) => new Date(now.getTime() + s * 1_000).toISOString()

/** An answer as providers make it, unsigned. */
export function responseXml(wish: Wish = {}): string {
  const now = wish.now ?? new Date()
  const {
    requestId = '_request',
    nameId = 'pat@corp.test',
    attributes = {},
    issueInstant = now.toISOString(),
    notBefore = after(now, -30),
    notOnOrAfter = after(now, 300),
    recipient = acsUrl,
    version = '2.0',
  } = wish
  const attributeXml = Object.entries(attributes)
    .map(
      ([name, values]) =>
        `<saml:Attribute Name="${escaped(name)}">${values
          .map(value => `<saml:AttributeValue>${escaped(value)}</saml:AttributeValue>`)
          .join('')}</saml:Attribute>`,
    )
    .join('')
  const confirmation =
    wish.confirmationXml ??
    `<saml:SubjectConfirmation Method="${wish.method ?? 'urn:oasis:names:tc:SAML:2.0:cm:bearer'}">` +
      `<saml:SubjectConfirmationData Recipient="${recipient}" InResponseTo="${requestId}" NotOnOrAfter="${notOnOrAfter}"/>` +
      '</saml:SubjectConfirmation>'
  const audience =
    wish.audienceXml ??
    `<saml:AudienceRestriction><saml:Audience>${wish.audience ?? entityId}</saml:Audience></saml:AudienceRestriction>`
  const conditions =
    wish.conditionsXml ??
    `<saml:Conditions NotBefore="${notBefore}" NotOnOrAfter="${notOnOrAfter}">${audience}</saml:Conditions>`
  return (
    '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ' +
    'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ' +
    `ID="${wish.responseId ?? `_r${randomUUID()}`}" Version="${version}" IssueInstant="${issueInstant}" ` +
    `Destination="${wish.destination ?? acsUrl}" InResponseTo="${wish.responseRequestId ?? requestId}">` +
    `<saml:Issuer>${wish.responseIssuer ?? issuer}</saml:Issuer>` +
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:${wish.status ?? 'Success'}"/></samlp:Status>` +
    `<saml:Assertion ID="${wish.assertionId ?? `_a${randomUUID()}`}" Version="${version}" IssueInstant="${issueInstant}">` +
    `<saml:Issuer>${wish.issuer ?? issuer}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">` +
    `${wish.nameIdXml ?? escaped(nameId)}</saml:NameID>${confirmation}</saml:Subject>${conditions}` +
    (wish.authnStatement ?? `<saml:AuthnStatement AuthnInstant="${issueInstant}"/>`) +
    (wish.attributesXml ?? (attributeXml && `<saml:AttributeStatement>${attributeXml}</saml:AttributeStatement>`)) +
    '</saml:Assertion></samlp:Response>'
  )
}

export type Algorithm = 'sha1' | 'sha256' | 'sha512'

/** Signs one element of a document. */
export const sign = (
  xml: string,
  name: 'Response' | 'Assertion',
  { key }: KeyAndCert,
  algorithm: Algorithm = 'sha256',
) =>
  signXml(
    xml,
    `//*[local-name(.)='${name}']`,
    { reference: `//*[local-name(.)='${name}']/*[local-name(.)='Issuer']`, action: 'after' },
    { privateKey: key, signatureAlgorithm: algorithm, digestAlgorithm: algorithm },
  )

/** Signs the assertion, then the whole, as providers do. */
export const signBoth = (xml: string, with_: KeyAndCert, algorithm?: Algorithm) =>
  sign(sign(xml, 'Assertion', with_, algorithm), 'Response', with_, algorithm)

export const encoded = (xml: string) => Buffer.from(xml).toString('base64')
