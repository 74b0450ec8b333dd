import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { SamlFault } from '#control-plane/identity/sso/saml/fault.ts'
import { readResponse } from '#control-plane/identity/sso/saml/response.ts'
import type { KeyAndCert } from '#test/checks/certificates.ts'
import {
  acsUrl,
  encoded,
  entityId,
  issuer,
  newCertificate,
  responseXml,
  sign,
  signBoth,
  type Wish,
} from './test-provider.ts'

let provider: KeyAndCert
let attacker: KeyAndCert
beforeAll(async () => {
  provider = await newCertificate()
  attacker = await newCertificate()
})

const now = new Date()
const read = (xml: string, certificates = [provider.cert]) =>
  readResponse(
    encoded(xml),
    { issuer, certificates },
    { audience: entityId, recipient: acsUrl, requestId: '_request', now },
  )
const made = (wish: Wish = {}) => signBoth(responseXml({ now, ...wish }), provider)

/** Why an answer is refused; `accepted as` whom if it is not. */
async function reasonOf(xml: string): Promise<string> {
  try {
    const { nameId } = await read(xml)
    return `accepted as ${nameId}`
  } catch (error) {
    if (!(error instanceof SamlFault)) throw error
    return error.reason
  }
}

/** An assertion, with what stands before and after it. */
function assertionIn(xml: string) {
  const begin = xml.indexOf('<saml:Assertion')
  const end = xml.indexOf('</saml:Assertion>') + '</saml:Assertion>'.length
  return { before: xml.slice(0, begin), assertion: xml.slice(begin, end), after: xml.slice(end) }
}
const signature = /<(?:ds:)?Signature[ >][\s\S]*?<\/(?:ds:)?Signature>/g
const unsigned = (xml: string) => xml.replace(signature, '')
const signaturesIn = (xml: string) => xml.match(signature) ?? []
const evil = (xml: string) => xml.replaceAll('pat@corp.test', 'boss@corp.test')
const withId = (xml: string, id: string) => xml.replace(/ ID="[^"]*"/, ` ID="${id}"`)

describe('an answer of a SAML provider', () => {
  test('states name id and attributes, if both signatures are those of the provider', async () => {
    const attributes = { email: ['Pat@corp.test'], groups: ['a & b', 'c'], none: [] }
    const statement = await read(made({ attributes }))
    expect(statement).toEqual({
      nameId: 'pat@corp.test',
      nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      attributes: new Map(Object.entries(attributes)),
    })
    expect((await read(`<?xml version="1.0" encoding="UTF-8"?>\n${made()}`)).nameId).toBe('pat@corp.test')
    expect((await read(signBoth(responseXml({ now }), provider, 'sha512'))).nameId).toBe('pat@corp.test')
  })

  test('is accepted by any of the certificates of the provider, while it rotates its keys', async () => {
    expect((await read(made(), [attacker.cert, provider.cert])).nameId).toBe('pat@corp.test')
  })

  test.each<[string, string, Wish]>([
    ['wrong_issuer', 'another issuer of the assertion', { issuer: 'https://evil.example.com' }],
    ['wrong_issuer', 'another issuer of the response', { responseIssuer: 'https://evil.example.com' }],
    ['wrong_audience', 'another audience', { audience: 'https://other.example.com' }],
    ['wrong_audience', 'no audience', { audienceXml: '' }],
    [
      'wrong_audience',
      'a second restriction to another audience',
      {
        audienceXml: [entityId, 'https://other.example.com']
          .map(each => `<saml:AudienceRestriction><saml:Audience>${each}</saml:Audience></saml:AudienceRestriction>`)
          .join(''),
      },
    ],
    ['wrong_recipient', 'another recipient', { recipient: 'https://other.example.com/acs' }],
    ['wrong_recipient', 'another destination', { destination: 'https://other.example.com/acs' }],
    ['wrong_recipient', 'no destination', { destination: '' }],
    ['wrong_request', 'another request', { requestId: '_other' }],
    ['wrong_request', 'another request of the response alone', { responseRequestId: '_other' }],
    ['wrong_request', 'another request of the subject alone', { requestId: '_other', responseRequestId: '_request' }],
    ['wrong_request', 'no request: a sign-in that the provider began', { requestId: '' }],
    ['wrong_time', 'its end long past', { notOnOrAfter: new Date(now.getTime() - 61_000).toISOString() }],
    ['wrong_time', 'a beginning to come', { notBefore: new Date(now.getTime() + 90_000).toISOString() }],
    ['wrong_time', 'a making to come', { issueInstant: new Date(now.getTime() + 90_000).toISOString() }],
    [
      'wrong_time',
      'a making more than five minutes ago',
      { issueInstant: new Date(now.getTime() - 400_000).toISOString() },
    ],
    ['wrong_time', 'a time that is none', { notOnOrAfter: 'tomorrow' }],
    ['wrong_time', 'no end', { notOnOrAfter: '' }],
    ['bad_structure', 'no conditions', { conditionsXml: '<saml:Advice/>' }],
    ['bad_structure', 'no confirmation', { confirmationXml: '' }],
    ['bad_structure', 'a confirmation of another method', { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }],
    ['bad_structure', 'no statement that anyone signed in', { authnStatement: '' }],
    ['bad_structure', 'an empty name id', { nameId: '' }],
    ['bad_structure', 'an element in the name id', { nameIdXml: 'pat@corp.test<x/>.evil.com' }],
    ['bad_structure', 'another version', { version: '1.1' }],
    [
      'bad_structure',
      'an attribute twice',
      {
        attributesXml: `<saml:AttributeStatement>${'<saml:Attribute Name="email"/>'.repeat(2)}</saml:AttributeStatement>`,
      },
    ],
    ['refused', 'a refusal', { status: 'Responder' }],
  ])('is refused as %s, although signed, with %s', async (reason, _, wish) => {
    expect(await reasonOf(made(wish))).toBe(reason)
  })
})

describe('an answer that an attacker made', () => {
  test('is refused without one of the signatures, or with those of another', async () => {
    const xml = responseXml({ now })
    expect(await reasonOf(xml)).toBe('bad_signature')
    expect(await reasonOf(sign(xml, 'Assertion', provider))).toBe('bad_signature')
    expect(await reasonOf(sign(xml, 'Response', provider))).toBe('bad_signature')
    expect(await reasonOf(unsigned(made()))).toBe('bad_signature')
    // the certificate of the attacker stands in the signature itself
    expect(await reasonOf(signBoth(xml, attacker))).toBe('bad_signature')
    expect(await reasonOf(sign(sign(xml, 'Assertion', provider), 'Response', attacker))).toBe('bad_signature')
    expect(await reasonOf(sign(sign(xml, 'Assertion', attacker), 'Response', provider))).toBe('bad_signature')
  })

  test('is refused with any change of what is signed', async () => {
    for (const [from, to] of [
      ['pat@corp.test', 'boss@corp.test'],
      ['InResponseTo="_request"', 'InResponseTo="_other"'],
      [entityId, `${entityId}2`],
      ['<saml:Subject>', '<saml:Subject> '],
    ] as const) {
      const changed = made().replace(from, to)
      expect(await reasonOf(changed), from).toMatch(/^(?:bad_signature|wrong_audience)$/)
    }
  })

  test('is refused with SHA-1, with HMAC by the public certificate, and with algorithms of no security', async () => {
    expect(await reasonOf(signBoth(responseXml({ now }), provider, 'sha1'))).toBe('bad_algorithm')
    const hmac = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'
    const rsa = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
    const forged = evil(made()).replaceAll(rsa, hmac)
    const value = createHmac('sha1', provider.cert).update('SignedInfo').digest('base64')
    expect(await reasonOf(forged.replace(/(SignatureValue>)[^<]*/g, `$1${value}`))).toBe('bad_algorithm')
    for (const [from, to] of [
      [rsa, 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256'],
      [rsa, ''],
      ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2000/09/xmldsig#sha1'],
      ['http://www.w3.org/2001/10/xml-exc-c14n#', 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'],
      ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/TR/1999/REC-xslt-19991116'],
    ] as const)
      expect(await reasonOf(made().replaceAll(`"${from}"`, `"${to}"`)), to).toBe('bad_algorithm')
  })

  test('is refused with a document type, an entity, a comment, CDATA or an instruction, before it is parsed', async () => {
    const bomb =
      '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">' +
      '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>'
    const external = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    for (const xml of [
      bomb + made(),
      external + made().replace('pat@corp.test', '&x;'),
      `<!DOCTYPE r SYSTEM "http://169.254.169.254/">${made()}`,
      made({ nameId: 'pat@corp.test.evil.com' }).replace('pat@corp.test.evil.com', 'pat@corp.test<!---->.evil.com'),
      made({ nameIdXml: 'boss@corp.test<!---->.evil.com' }),
      made({ nameIdXml: '<![CDATA[boss@corp.test]]>' }),
      made().replace('pat@corp.test', 'pat@corp.test<?x?>.evil.com'),
      `<?xml version="1.0"?><?xml-stylesheet href="x"?>${made()}`,
    ])
      expect(await reasonOf(xml), xml.slice(0, 60)).toBe('bad_xml')
  })

  test('is refused where it is no XML, no Base64, no UTF-8, too large, too deep or too long', async () => {
    for (const xml of ['', 'x', '<a', '<a></b>', '<a/><b/>', `${'<a>'.repeat(60)}${'</a>'.repeat(60)}`])
      expect(['bad_xml', 'bad_structure', 'refused'], xml.slice(0, 20)).toContain(await reasonOf(xml))
    expect(await reasonOf(`<a>${'<b/>'.repeat(6_000)}</a>`)).toBe('bad_xml')
    expect(await reasonOf(`<a>${' '.repeat(300_000)}</a>`)).toBe('bad_xml')
    const expected = { audience: entityId, recipient: acsUrl, requestId: '_request', now }
    for (const text of ['*', 'PGE+', Buffer.from([0xff, 0xfe, 0x3c]).toString('base64')])
      await expect(readResponse(text, { issuer, certificates: [provider.cert] }, expected)).rejects.toThrow(SamlFault)
  })

  test('is refused in each of the eight ways to wrap what is signed', async () => {
    const xml = made()
    const [ofResponse = '', ofAssertion = ''] = signaturesIn(xml)
    const { before, assertion, after } = assertionIn(xml)
    const bare = unsigned(assertion)
    const inSignature = (signature: string, inner: string) =>
      signature.replace(/<\/((?:ds:)?)Signature>$/, `<$1Object>${inner}</$1Object></$1Signature>`)
    const evilResponse = withId(evil(unsigned(xml)), '_evil')
    const afterIssuer = (document: string, inserted: string) =>
      document.replace('</saml:Issuer>', `</saml:Issuer>${inserted}`)
    const wrapped: Record<string, string> = {
      'XSW1: the response within its signature': afterIssuer(evilResponse, inSignature(ofResponse, unsigned(xml))),
      'XSW2: the response beside its signature': afterIssuer(evilResponse, unsigned(xml) + ofResponse),
      'XSW3: another assertion before': before + withId(evil(bare), '_evil') + assertion + after,
      'XSW4: the assertion within another':
        before + withId(evil(bare), '_evil').replace('</saml:Assertion>', `${assertion}</saml:Assertion>`) + after,
      'XSW5: another assertion with the signature, the signed one behind':
        before + withId(evil(assertion), '_evil') + bare + after,
      'XSW6: the assertion within the signature of another':
        before + afterIssuer(withId(evil(bare), '_evil'), inSignature(ofAssertion, bare)) + after,
      'XSW7: another assertion within extensions':
        before.replace('<samlp:Status>', `<samlp:Extensions>${evil(bare)}</samlp:Extensions><samlp:Status>`) +
        assertion +
        after,
      'XSW8: the assertion within an object of a signature':
        before + afterIssuer(evil(bare), inSignature(ofAssertion, bare)) + after,
      'the assertion of the signed document twice': before + assertion + assertion + after,
      'another assertion behind': before + assertion + withId(evil(bare), '_evil') + after,
      'another assertion in front of the response': xml.replace(
        '<samlp:Status>',
        `${withId(evil(bare), '_evil')}<samlp:Status>`,
      ),
      'an assertion of another namespace':
        before +
        evil(bare).replaceAll('saml:', 'x:').replace('<x:Assertion', '<x:Assertion xmlns:x="urn:x"') +
        assertion +
        after,
      'an encrypted assertion beside': `${before}${assertion}<saml:EncryptedAssertion/>${after}`,
    }
    expect(Object.keys(wrapped).length).toBeGreaterThanOrEqual(13)
    for (const [name, document] of Object.entries(wrapped)) {
      expect(document, name).not.toBe(xml)
      expect(await reasonOf(document), name).toMatch(/^bad_(?:structure|signature|xml|algorithm)$/)
    }
  })

  test('is refused with an assertion wrapped into a response that is signed as a whole', async () => {
    // a provider that signs responses around assertions that others gave it: both signatures alone are right
    const signed = sign(responseXml({ now }), 'Assertion', provider)
    const { before, assertion, after } = assertionIn(signed)
    for (const inner of [
      withId(evil(unsigned(assertion)), '_evil') + assertion,
      assertion + withId(evil(unsigned(assertion)), '_evil'),
      withId(evil(unsigned(assertion)), '_evil').replace('</saml:Assertion>', `${assertion}</saml:Assertion>`),
    ])
      expect(await reasonOf(sign(before + inner + after, 'Response', provider))).toBe('bad_structure')
  })

  test('is refused where a signature refers to nothing, to two elements or to the other one', async () => {
    const xml = made()
    const [, responseId = ''] = /<samlp:Response[^>]* ID="([^"]*)"/.exec(xml) ?? []
    const [, assertionId = ''] = /<saml:Assertion[^>]* ID="([^"]*)"/.exec(xml) ?? []
    for (const uri of ['', '#', '#_nothing', `#${responseId}`, '#xpointer(/)', `#${assertionId}' or '1'='1`])
      expect(await reasonOf(xml.replace(`URI="#${assertionId}"`, `URI="${uri}"`)), uri).toBe('bad_structure')
    const twice = xml.replace('<samlp:Status>', `<samlp:Status ID="${assertionId}">`)
    expect(await reasonOf(twice)).toBe('bad_structure')
    expect(await reasonOf(made({ responseId: '_same', assertionId: '_same' }))).toBe('bad_structure')
  })

  test('of one provider is no answer of another, whose certificate did not sign it', async () => {
    await expect(read(made(), [attacker.cert])).rejects.toThrow('The signature is not that')
  })
})
