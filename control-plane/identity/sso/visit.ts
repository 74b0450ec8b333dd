import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { hashSecret, linkTokenShape } from '#control-plane/base/token-secret.ts'
import { rows } from '#control-plane/db/queries.ts'
import { requireDomain } from './admit.ts'
import type { Failure } from './outcome.ts'
import type { ProviderPerson } from './person.ts'
import type { SsoTeam } from './team.ts'
import { visitRefusalOf } from './visit-refusal.ts'

/** What a sign-in leads to in place of the app. */
export interface PageVisit {
  pageId: string
  /** The address of the page that takes the ticket, on the host at which the visitor began. */
  returnTo: string
}

/** Where a visitor who was refused reads why. */
export const refusedAddress = (returnTo: string, failure: Failure): string =>
  addressWith(returnTo, 'refused', visitRefusalOf(failure))

function addressWith(address: string, name: string, value: string): string {
  const url = new URL(address)
  url.searchParams.set(name, value)
  return url.href
}

const ticketS = 60

/**
 * A ticket to a page for a person whom the provider has proven, of a verified domain of the team: the person becomes no
 * member, and nothing of them is kept. Returns the address that takes it. Throws a `SsoFailure`.
 */
export async function giveTicket(
  client: PoolClient,
  team: SsoTeam,
  { email }: Pick<ProviderPerson, 'email'>,
  { pageId, returnTo }: PageVisit,
): Promise<string> {
  await requireDomain(client, team, email)
  const ticket = randomBytes(32).toString('base64url')
  // no browser has the secret of the second hash: a ticket ends no sign-in
  const [hash, other] = [hashSecret(ticket), hashSecret(randomBytes(32).toString('base64url'))]
  await rows(client)`insert into sso_logins
      (state_hash, browser_hash, tenant_id, issuer, status_page_id, return_to, admitted_at, expires_at)
    values (${hash}, ${other}, ${team.id}, ${team.config.issuer}, ${pageId}, ${returnTo}, clock_timestamp(),
      clock_timestamp() + interval '${sql.lit(ticketS)} seconds')`
  return addressWith(returnTo, 'ticket', ticket)
}

/** Whether a ticket opens a page. It does so once, within a minute. */
export async function takeTicket(platform: Pool, pageId: string, ticket: string): Promise<boolean> {
  if (!linkTokenShape.test(ticket)) return false
  const [row] = await rows(platform)<{ is_open: boolean }>`
    delete from sso_logins where state_hash = ${hashSecret(ticket)} and status_page_id = ${pageId}
    and admitted_at is not null returning expires_at > clock_timestamp() as is_open`
  return row?.is_open === true
}
