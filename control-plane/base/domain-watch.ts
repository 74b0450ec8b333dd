import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { ConcurrencyLimit } from './concurrency-limit.ts'
import { eachIsolated } from './each-isolated.ts'
import { Loop } from './loop.ts'
import { type BadRow, putOffS, Quarantine } from './quarantine/quarantine.ts'

interface Dependencies {
  platform: Pool
  log: Pick<Logger, 'warn' | 'error'>
}

/** Domains of teams whose DNS records are checked again and again. `Deps`: what a check needs. */
export interface WatchedDomains<Deps, Row> {
  /** Has the columns `id`, `tenant_id` and `next_check_at` (null: no check is due). */
  table: 'custom_domains' | 'sso_domains'
  kind: 'custom_domain' | 'sso_domain'
  /** What a check reads of a row: `id`, `tenant_id` and others. */
  columns: readonly string[]
  /** Checks one domain and stores when the next check is due. Throws if it cannot. */
  check(dependencies: Deps, row: Row): Promise<void>
}

const everyMs = 5_000
const atOnce = 20
/** Domains of one team at once: one whose name servers do not answer must leave places for others. */
const ofTenant = 5
const roundSize = 100
/** Longer than a check takes. The claims of a killed process expire. */
const claimS = 60

const claimSql = (table: string, columns: readonly string[]) => `
  with due as materialized (
    select d.id from (
      select id, row_number() over (partition by tenant_id order by next_check_at, id) as nth
      from (select id, tenant_id, next_check_at from ${table} where next_check_at <= clock_timestamp()
        order by next_check_at limit 1000) soonest
    ) first join ${table} d on d.id = first.id
    where first.nth <= ${ofTenant} and d.next_check_at <= clock_timestamp()
    order by d.next_check_at limit ${roundSize} for update of d skip locked
  )
  update ${table} d set next_check_at = clock_timestamp() + interval '${claimS} seconds'
  from due where d.id = due.id returning ${columns.map(column => `d.${column}`).join(', ')}`

const nextCheckSql = (table: string, afterS: number) => `
  update ${table} set next_check_at = clock_timestamp() + interval '${afterS} seconds'
  where id = any($1::uuid[])`

/** Checks the domains that are due, some side by side. One that cannot be checked is put off into quarantine. */
export async function checkDue<Deps, Row extends { id: string; tenant_id: string }>(
  { table, kind, columns, check }: WatchedDomains<Deps, Row>,
  dependencies: Deps & Dependencies,
): Promise<void> {
  const quarantine = new Quarantine(dependencies)
  const claim = { name: `${table}-claim`, text: claimSql(table, columns) }
  const putOff = nextCheckSql(table, putOffS)
  for (let claimed = roundSize; claimed > 0; ) {
    const { rows } = await dependencies.platform.query<Row>(claim)
    claimed = rows.length
    const limit = new ConcurrencyLimit({ atOnce, waiting: roundSize })
    const bad: BadRow[] = []
    const checkOne = (row: Row) =>
      eachIsolated(
        [row],
        domain => check(dependencies, domain),
        ({ id, tenant_id }, error) => bad.push({ key: id, tenant: tenant_id, error }),
      )
    await Promise.all(rows.map(row => limit.run(() => checkOne(row))))
    await quarantine.putOff(kind, bad, client => client.query(putOff, [bad.map(({ key }) => key)]))
    const isBad = new Set(bad.map(({ key }) => key))
    await quarantine.release(
      kind,
      rows.flatMap(({ id }) => (isBad.has(id) ? [] : [id])),
    )
  }
}

interface DomainWatch {
  /** Checks domains again that were put into quarantine. */
  retry(domains: readonly string[]): Promise<void>
  stop(): Promise<void>
}

/** Checks domains when they are due. Any number of processes may do so. */
export function watchDue<Deps, Row extends { id: string; tenant_id: string }>(
  watched: WatchedDomains<Deps, Row>,
  dependencies: Deps & Dependencies,
): DomainWatch {
  const { platform, log } = dependencies
  const failure = `${watched.kind.replace('_', ' ')} check failure`
  const loop = new Loop({ everyMs, round: () => checkDue(watched, dependencies), log, failure }).start()
  return {
    async retry(domains) {
      await platform.query(nextCheckSql(watched.table, 0), [domains])
      loop.wake()
    },
    stop: () => loop.stop(),
  }
}
