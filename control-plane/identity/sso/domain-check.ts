import { sql } from 'kysely'
import type { Pool } from 'pg'
import { sqlState } from '#control-plane/base/away.ts'
import { examineTxt, openResolver, Unanswered } from '#control-plane/base/dns-records.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import type { Guard } from '#egress/guard.ts'

/** What the latest check of a domain found wrong. `taken`: another team has verified the domain. */
export const domainProblems = ['txt_missing', 'txt_wrong', 'dns_unanswered', 'taken'] as const
export type DomainProblem = (typeof domainProblems)[number]

/** With the label of its record and a dot in front of it, a name has at most 253 characters. */
export const longestDomain = 253 - '_vedette-sso.'.length

/** The TXT record that proves a domain. */
export const recordOf = (domain: string, txtToken: string) => ({
  txt_name: `_verify-sso.${domain}`,
  txt_value: `verify=${txtToken}`,
})

/** What a domain was proven by before. */
const formerRecordOf = (domain: string, txtToken: string) => ({
  txt_name: `_vedette-sso.${domain}`,
  txt_value: `vedette-sso-verify=${txtToken}`,
})

const daily = 86_400
const hourly = 3_600
const firstWaitS = 60
/** How many checks in a row must miss the record of a verified domain. */
export const graceChecks = 2
/** How long a domain waits for its record. */
export const expiryDays = 14

interface Before {
  isVerified: boolean
  /** Checks without a success since it was verified, or since the waiting began. */
  attempts: number
  /** When the waiting for its record began. */
  restartedAt: Date
}

interface After {
  isVerified: boolean
  attempts: number
  /** Seconds until the next check; null: none. */
  nextS: number | null
}

/**
 * What follows from a check. A verified domain is checked daily and lost when two checks in a row miss its record; name
 * servers that did not answer say nothing of it. Another is checked after a minute, then ever less often, for fourteen
 * days.
 */
export function afterCheck(
  { isVerified, attempts, restartedAt }: Before,
  found: DomainProblem | null,
  now: Date,
): After {
  if (found === null) return { isVerified: true, attempts: 0, nextS: daily }
  if (isVerified) {
    if (found === 'dns_unanswered' || found === 'taken') return { isVerified, attempts, nextS: hourly }
    const isLost = attempts + 1 >= graceChecks
    return { isVerified: !isLost, attempts: isLost ? 0 : attempts + 1, nextS: hourly }
  }
  if (now.getTime() - restartedAt.getTime() > expiryDays * daily * 1_000) return { isVerified, attempts, nextS: null }
  return { isVerified, attempts: attempts + 1, nextS: Math.min(firstWaitS * 2 ** Math.min(attempts, 10), hourly) }
}

/** A domain whose check has begun. */
export type CheckedDomain = Row<'sso_domains', (typeof checkedColumns)[number]>

export const checkedColumns = [
  'id',
  'tenant_id',
  'domain',
  'txt_token',
  'attempts',
  'verified_at',
  'restarted_at',
] as const

export interface CheckDeps {
  platform: Pool
  guard: Pick<Guard, 'servers'>
}

const uniqueViolation = '23505'

// one that was checked meanwhile stays as it is
const store = prepared(
  'sso-domain-checked',
  (
    id: string,
    attempts: number,
    attempts3: number,
    problem: string | null,
    isVerified: boolean,
    nextS: number | null,
    isVerified7: boolean,
  ) => sql`
    update sso_domains d set attempts = ${attempts3}, last_error = ${problem}, last_checked_at = clock_timestamp(),
      verified_at = case when ${isVerified} then coalesce(d.verified_at, clock_timestamp()) end,
      restarted_at = case when not ${isVerified}
      and d.verified_at is not null then clock_timestamp() else d.restarted_at end,
      next_check_at = case when ${nextS}::float8 is not null
        then clock_timestamp() + ${nextS}::float8 * (0.95 + 0.1 * random()) * interval '1 second' end
    where d.id = ${id} and d.attempts = ${attempts} and (d.verified_at is not null) = ${isVerified7}
    returning d.id`,
)

/** Reads the TXT record of a domain and stores what follows from it. */
export async function checkDomain(deps: CheckDeps, domain: CheckedDomain): Promise<void> {
  const problem = await examine(deps.guard, domain)
  try {
    await storeOutcome(deps, domain, problem)
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error
    // the other team may have lost its record: it is checked at once, and this domain again later
    await storeOutcome(deps, domain, 'taken')
    await rows(deps.platform)`
      update sso_domains set next_check_at = clock_timestamp()
      where domain = ${domain.domain} and id <> ${domain.id} and verified_at is not null
      and next_check_at > clock_timestamp()`
  }
}

async function examine(
  { servers }: CheckDeps['guard'],
  { domain, txt_token }: CheckedDomain,
): Promise<DomainProblem | null> {
  const former = formerRecordOf(domain, txt_token)
  try {
    return await examineTxt(openResolver(servers), recordOf(domain, txt_token), former)
  } catch (error) {
    if (error instanceof Unanswered) return 'dns_unanswered'
    throw error
  }
}

async function storeOutcome({ platform }: CheckDeps, row: CheckedDomain, problem: DomainProblem | null): Promise<void> {
  const { id, tenant_id: tenantId, domain, attempts, verified_at, restarted_at } = row
  const isVerified = verified_at !== null
  const after = afterCheck({ isVerified, attempts, restartedAt: new Date(restarted_at) }, problem, new Date())
  await inTransaction(platform, async client => {
    const found = await rows(
      client,
      store(id, attempts, after.attempts, problem, after.isVerified, after.nextS, isVerified),
    )
    if (found.length === 0 || after.isVerified === isVerified) return
    const action = after.isVerified ? 'sso_domain.verified' : 'sso_domain.lost'
    const changes = { domain, ...(problem && { error: problem }) }
    await addAudit(client, [{ tenantId, action, type: 'tenant', id: tenantId, changes }])
  })
}
