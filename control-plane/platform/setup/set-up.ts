import type { PoolClient } from 'pg'
import { slugOf, uniqueSlugOf } from '#contract/slug.ts'
import { rows } from '#control-plane/db/queries.ts'
import type { AuditActor } from '#control-plane/outbox/audit.ts'
import { type OpenedAccount, openAccount } from '#control-plane/reselling/tenants/open-account.ts'
import { isSetupOpen, whyRefused } from './link.ts'

/** The person who operates the installation, and the team that this person owns. */
export interface FirstOperator {
  name: string
  email: string
  /** Already found strong enough. */
  password: string
  teamName: string
  language: string
  timezone: string
}

const plan = 'pro'

interface Admission {
  /** The token of the link, which ends; null where the machine itself asks. */
  token: string | null
  actor?: AuditActor
}

/**
 * Makes the operator and the first team, which no plan binds, in the open transaction. Another that does the same
 * waits, and finds set-up done. Its caller has examined the password.
 */
export async function setUp(
  client: PoolClient,
  { name, email, password, teamName, language, timezone }: FirstOperator,
  { token, actor = {} }: Admission,
): Promise<OpenedAccount | 'already_set_up' | 'link_not_open' | 'email_taken'> {
  await rows(client)`select pg_advisory_xact_lock(hashtext('set-up'))`
  const refusal = token === null ? await whyClosed(client) : await whyRefused(client, token)
  if (refusal !== null) return refusal
  const owner = { name, email, language, password, isSuperAdmin: true }
  const team = { name: teamName, plan, isUnlimited: true, isReseller: false, owner }
  const slug = slugOf(teamName, 80) || 'team'
  const opened = await openAccount(client, { ...team, slug }, actor)
  // a team for programs may have the name
  const free =
    opened === 'slug_taken' ? await openAccount(client, { ...team, slug: uniqueSlugOf(teamName) }, actor) : opened
  if (free === 'slug_taken') throw new Error('A slug of chance is taken.')
  if (free === 'email_taken') return free
  await rows(client)`update users set timezone = ${timezone} where id = ${free.userId}`
  await rows(client)`delete from setup_links`
  return free
}

const whyClosed = async (client: PoolClient) => ((await isSetupOpen(client)) ? null : 'already_set_up')
