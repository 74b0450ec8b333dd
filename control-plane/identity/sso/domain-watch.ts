import type { Logger } from 'pino'
import { ConcurrencyLimit } from '#control-plane/base/bounded.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { type BadRow, putOffS, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { type CheckDeps, type CheckedDomain, checkDomain, checkedColumns } from './domain-check.ts'

type Dependencies = CheckDeps & { log: Pick<Logger, 'warn' | 'error'> }

const everyMs = 5_000
const atOnce = 20
/** Domains of one team at once: one whose name servers do not answer must leave places for others. */
const ofTenant = 5
const roundSize = 100
/** Longer than a check takes. The claims of a killed process expire. */
const claimS = 60

const claim = `
  with due as materialized (
    select d.id from (
      select id, row_number() over (partition by tenant_id order by next_check_at, id) as nth
      from (select id, tenant_id, next_check_at from sso_domains where next_check_at <= clock_timestamp()
        order by next_check_at limit 1000) soonest
    ) first join sso_domains d on d.id = first.id
    where first.nth <= ${ofTenant} and d.next_check_at <= clock_timestamp()
    order by d.next_check_at limit ${roundSize} for update of d skip locked
  )
  update sso_domains d set next_check_at = clock_timestamp() + interval '${claimS} seconds'
  from due where d.id = due.id returning ${checkedColumns
    .split(', ')
    .map(column => `d.${column}`)
    .join(', ')}`

const putOff = `
  update sso_domains set next_check_at = clock_timestamp() + interval '${putOffS} seconds'
  where id = any($1::uuid[])`

/** Checks the domains that are due, some side by side. One that cannot be checked is put off into quarantine. */
export async function checkDueSsoDomains(dependencies: Dependencies): Promise<void> {
  const { platform } = dependencies
  const quarantine = new Quarantine(dependencies)
  for (let claimed = roundSize; claimed > 0; ) {
    const { rows } = await platform.query<CheckedDomain>({ name: 'sso-domains-claim', text: claim })
    claimed = rows.length
    const limit = new ConcurrencyLimit({ atOnce, waiting: roundSize })
    const bad: BadRow[] = []
    const check = (row: CheckedDomain) =>
      eachIsolated(
        [row],
        domain => checkDomain(dependencies, domain),
        ({ id, tenant_id }, error) => bad.push({ key: id, tenant: tenant_id, error }),
      )
    await Promise.all(rows.map(row => limit.run(() => check(row))))
    await quarantine.putOff('sso_domain', bad, client => client.query(putOff, [bad.map(({ key }) => key)]))
    const isBad = new Set(bad.map(({ key }) => key))
    await quarantine.release(
      'sso_domain',
      rows.flatMap(({ id }) => (isBad.has(id) ? [] : [id])),
    )
  }
}

interface DomainWatch {
  /** Checks domains again that were put into quarantine. */
  retry(domains: readonly string[]): Promise<void>
  stop(): Promise<void>
}

/** Checks the e-mail domains of teams when they are due. Any number of processes may do so. */
export function watchSsoDomains(dependencies: Dependencies): DomainWatch {
  const round = () => checkDueSsoDomains(dependencies)
  const failure = 'sso domain check failure'
  const loop = new Loop({ everyMs, round, log: dependencies.log, failure }).start()
  return {
    async retry(domains) {
      await dependencies.platform.query(
        'update sso_domains set next_check_at = clock_timestamp() where id = any($1::uuid[])',
        [domains],
      )
      loop.wake()
    },
    stop: () => loop.stop(),
  }
}
