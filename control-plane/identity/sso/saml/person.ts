import { join } from 'node:path'
import { ProgramError, RunExceeded } from '#bounded/errors.ts'
import { boundedProgram } from '#bounded/program.ts'
import type { Services } from '#control-plane/http/services.ts'
import { type Failure, SsoFailure } from '#control-plane/identity/sso/outcome.ts'
import { type ProviderPerson, personNamed } from '#control-plane/identity/sso/person.ts'
import type { ConfigRow } from '#control-plane/identity/sso/row.ts'
import type { SsoTeam } from '#control-plane/identity/sso/team.ts'
import type { run } from './answer-program.ts'
import { SamlFault, type SamlReason } from './fault.ts'
import { answerPath, requestIdOf } from './request.ts'
import { decodeResponse, type SamlStatement } from './response.ts'
import { scanXml } from './scan.ts'

/** An answer that cannot be read is no sign that the provider fails: any visitor can post one. */
const outcomes: Record<SamlReason, Failure> = {
  bad_xml: 'token_invalid',
  bad_structure: 'token_invalid',
  bad_signature: 'token_invalid',
  bad_algorithm: 'token_invalid',
  wrong_issuer: 'issuer_mismatch',
  wrong_audience: 'token_invalid',
  wrong_recipient: 'token_invalid',
  wrong_request: 'state_invalid',
  wrong_time: 'token_invalid',
  refused: 'provider_refused',
}

interface Answer {
  /** In Base64, as the form has it. */
  response: string
  state: string
  now: Date
  /** Where the browser brought it. */
  origin: string
}

const reading = boundedProgram<typeof run>({
  name: 'saml_answer',
  file: join(import.meta.dirname, 'answer-program.ts'),
  queue: 'short',
  cpuMs: 2_000,
  wallMs: 20_000,
})

/** The person whom the answer of a provider states. Throws a `SsoFailure`. */
export async function samlPersonOf(
  { bounded }: Pick<Services, 'bounded'>,
  { id, config }: Pick<SsoTeam, 'id' | 'config'>,
  { response, state, now, origin }: Answer,
): Promise<ProviderPerson> {
  const { issuer, certificates, client_id: audience } = config
  try {
    // what is no answer at all takes no turn
    scanXml(decodeResponse(response))
    const expected = { audience, recipient: origin + answerPath, requestId: requestIdOf(state), now }
    const statement = await bounded.run(reading, { response, provider: { issuer, certificates }, expected }, id)
    return personIn(statement, config)
  } catch (error) {
    if (error instanceof RunExceeded)
      throw new SsoFailure('token_invalid', 'The answer takes too long to be read.', { cause: error })
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    throw new SsoFailure(outcomes[reason], (error as Error).message, { cause: error })
  }
}

function reasonOf(error: unknown): SamlReason | undefined {
  if (error instanceof SamlFault) return error.reason
  return error instanceof ProgramError && error.thrown === 'SamlFault' ? (error.fields.reason as SamlReason) : undefined
}

const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
const nameAttributes = ['displayName', 'http://schemas.microsoft.com/identity/claims/displayname', 'cn', 'name']
const partAttributes: [string, string][] = [
  ['givenName', 'surname'],
  ['firstName', 'lastName'],
  ['given_name', 'family_name'],
  [`${claims}/givenname`, `${claims}/surname`],
]
const transient = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'

/** A name id that changes with each sign-in names no person: then the address does. */
function personIn(statement: SamlStatement, config: ConfigRow): ProviderPerson {
  const { nameId, nameIdFormat, attributes } = statement
  const { email_attribute: attribute, groups_claim: groups } = config
  const email = attribute === null ? nameId : attributes.get(attribute)?.[0]
  if (!email)
    throw new SsoFailure('email_missing', `The provider sent no attribute ${JSON.stringify(attribute)} with a value.`)
  return personNamed({
    subject: nameIdFormat === transient ? email.toLowerCase() : nameId,
    email,
    name: nameIn(attributes),
    groups: groups === null ? null : (attributes.get(groups) ?? null),
  })
}

function nameIn(attributes: SamlStatement['attributes']): string | undefined {
  const first = (name: string) => attributes.get(name)?.[0]
  for (const name of nameAttributes) if (first(name)) return first(name)
  for (const [given, family] of partAttributes)
    if (first(given) || first(family)) return [first(given), first(family)].filter(Boolean).join(' ')
  return undefined
}
