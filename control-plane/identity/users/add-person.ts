import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Role } from '#contract/scopes.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries, rows } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { newProof, proofMail } from '#control-plane/identity/address-proof/link.ts'
import { accountOf, verifiedAccountOf } from '#control-plane/identity/address-proof/lock.ts'
import { takeQuestion } from '#control-plane/tenancy/plans/mail-questions.ts'
import { recipientOf } from './notify.ts'
import { hashPassword } from './password.ts'

export interface NewPerson {
  name: string
  email: string
  /** Null for a person who sets a password later, or signs in by other means. */
  password: string | null
  /** The team that the transaction acts in: the person's first and home team. */
  team: { id: string; name: string }
  role: Role
  language?: string
  /** The caller proves the address afterwards: no link is mailed. */
  isProven?: boolean
  /** The team's own directory names the address: an account elsewhere that has not proven it does not count. */
  isFromDirectory?: boolean
  /** The team has proven the domain of the address: mails to it do not count as mails to strangers. */
  isDomainProven?: boolean
}

type AddPersonContext = Pick<RequestContext, 'em' | 'services' | 'mail' | 'now'>

/**
 * Creates an unverified person with a first membership, and mails a link to prove the address. An address that has an
 * account, proven or not, is a 422 on `emailField`: existing accounts join by invitation only. Who proves an address,
 * by an invitation's link or otherwise, replaces accounts that have not. Beyond what a team may mail to strangers it is
 * a 422 as well.
 */
export async function addPerson(
  { em, services, mail, now }: AddPersonContext,
  person: NewPerson,
  emailField: string,
): Promise<string> {
  const { name, email, team } = person
  const language = person.language ?? 'en'
  // of two requests at once the second one sees the account of the first
  await rows(em)`select pg_advisory_xact_lock(hashtextextended('new account:' || lower(${email}::text), 0))`
  const inTeam = await queries(em)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', team.id)
    .where('u.email', '=', email)
    .select('u.id')
    .limit(1)
    .executeTakeFirst()
  const existing = person.isProven || person.isFromDirectory ? verifiedAccountOf : accountOf
  if (inTeam || (await existing(services.platform, email)) !== null)
    throw invalid({ [emailField]: ['This address has an account already.'] }, 'taken')
  if (!person.isProven && !person.isDomainProven) await takeQuestion({ em, services, tenant: team }, email, emailField)
  const id = randomUUID()
  const passwordHash = person.password === null ? null : await hashPassword(person.password)
  await queries(em)
    .insertInto('users')
    .values({ id, name, email, password_hash: passwordHash, language, home_tenant_id: team.id })
    .execute()
  await queries(em).insertInto('memberships').values({ user_id: id, tenant_id: team.id, role: person.role }).execute()
  if (person.isProven) return id
  const proof = newProof(services.config.baseUrl, now)
  await queries(em)
    .insertInto('email_verifications')
    .values({
      user_id: id,
      token_hash: proof.hash,
      sent_at: sql<string[]>`array[clock_timestamp()]`,
      expires_at: proof.expiresAt.toISOString(),
    })
    .execute()
  mail('email_verify', recipientOf({ id, name, email, language }), proofMail(person, team, proof), {
    tenantId: team.id,
  })
  return id
}
