import { sql } from 'kysely'
import type { Pool } from 'pg'
import { sqlState } from '#control-plane/base/away.ts'
import { openResolver } from '#control-plane/base/dns-records.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import type { Config } from '#control-plane/config.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { type DomainState, domainStates, servedSql } from '#control-plane/tenancy/portal-hosts/states.ts'
import type { Guard } from '#egress/guard.ts'
import { examineRecords, formerRecordOf, recordsOf } from './records.ts'
import { afterCheck, type DnsProblem } from './states.ts'

export interface CheckDeps {
  platform: Pool
  config: Pick<Config, 'baseUrl'>
  guard: Pick<Guard, 'servers'>
}

/** A domain whose check has begun. */
export type CheckedDomain = Row<'custom_domains', (typeof checkedColumns)[number]>

export const checkedColumns = [
  'id',
  'tenant_id',
  'hostname',
  'txt_token',
  'state',
  'attempts',
  'state_changed_at',
] as const

const uniqueViolation = '23505'
// one that was changed or checked meanwhile stays as it is
const store = prepared(
  'custom-domain-checked',
  (
    id: string,
    formerState: string,
    formerAttempts: number,
    state: string,
    attempts: number,
    nextS: number | null,
    lastError: string | null,
  ) => sql`
    update custom_domains d set state = ${state}::text, attempts = ${attempts},
      last_error = ${lastError}::text, last_checked_at = clock_timestamp(),
      -- the next checks of domains that were checked together are not all due together
      next_check_at = clock_timestamp() + ${nextS}::float8 * (0.95 + 0.1 * random()) * interval '1 second',
      state_changed_at = case when d.state <> ${state}::text then clock_timestamp() else d.state_changed_at end,
      verified_at = case when ${lastError}::text is null then clock_timestamp() else d.verified_at end,
      updated_at = case when d.state <> ${state}::text then clock_timestamp() else d.updated_at end
    where d.id = ${id} and d.state = ${formerState} and d.attempts = ${formerAttempts}
    returning d.id`,
)

/** Examines the DNS records of a domain and stores what follows from it. */
export async function checkDomain(deps: CheckDeps, domain: CheckedDomain): Promise<void> {
  const { hostname, txt_token } = domain
  const records = recordsOf(hostname, txt_token, deps.config.baseUrl)
  const former = formerRecordOf(hostname, txt_token)
  const problem = await examineRecords(openResolver(deps.guard.servers), hostname, records, former)
  try {
    await storeOutcome(deps, domain, problem)
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error
    // the other team may have lost its records: it is checked at once, and this domain again later
    await storeOutcome(deps, domain, 'taken')
    await rows(deps.platform)`
      update custom_domains set next_check_at = clock_timestamp()
      where hostname = ${hostname} and id <> ${domain.id} and state in ${servedSql}
      and next_check_at > clock_timestamp()`
  }
}

async function storeOutcome({ platform }: CheckDeps, domain: CheckedDomain, problem: DnsProblem | null): Promise<void> {
  const { id, tenant_id: tenantId, hostname, attempts, state_changed_at } = domain
  const state = stateOf(domain.state)
  const after = afterCheck({ state, attempts, state_changed_at: new Date(state_changed_at) }, problem, new Date())
  await inTransaction(platform, async client => {
    const found = await rows(
      client,
      store(id, state, attempts, after.state, after.attempts, after.nextS, after.last_error),
    )
    if (found.length === 0 || after.state === state) return
    await addAudit(client, [
      {
        tenantId,
        action: `custom_domain.${after.state}`,
        type: 'custom_domain',
        id,
        changes: { hostname, ...(problem && { error: problem }) },
      },
    ])
  })
}

/** Throws for a state that this version does not know. */
function stateOf(stored: string): DomainState {
  const state = domainStates.find(known => known === stored)
  if (!state) throw new Error('The state of a custom domain is not known here.')
  return state
}
