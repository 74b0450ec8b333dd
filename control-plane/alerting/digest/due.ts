import { type RawBuilder, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { isQuarantinedSql, putOffS, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { type Row, rows, withDates } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import type { Person } from '#control-plane/identity/users/notify.ts'

export type DigestDeps = Pick<Services, 'platform' | 'config' | 'log'>

export type Reader = Person &
  Row<'users', 'timezone' | 'digest'> & {
    digest: 'daily' | 'weekly'
    now: Date
    is_quarantined: boolean
  }

/** A mail that people subscribe to. `write` writes one and sets the date of the next. */
export interface Subscribed {
  kind: 'digest' | 'monthly_report'
  wanted: RawBuilder<unknown>
  at: 'digest_at' | 'monthly_report_at'
  write(client: PoolClient, deps: DigestDeps, reader: Reader): Promise<void>
}

// the claim of a killed process expires after ten minutes; others are not blocked by it
const claimOf = ({ wanted, at, kind }: Subscribed, now?: Date) => sql<Omit<Reader, 'now'> & { now: string }>`
  with clock as (select coalesce(${now}::timestamptz, clock_timestamp()) as now), due as materialized (
    select id from users where ${wanted} and email_verified_at is not null and ${sql.ref(at)} <= (select now
    from clock) order by ${sql.ref(at)} limit 1 for update skip locked
  )
  update users u set ${sql.ref(at)} = clock.now + interval '10 minutes'
  from due, clock where u.id = due.id
  returning u.id, u.name, u.email, u.language, u.timezone, u.digest, clock.now,
    ${isQuarantinedSql(kind, 'u.id')} as is_quarantined`

interface Options {
  isStopped?: () => boolean
  /** For tests: what time it is. */
  now?: Date
}

/**
 * Writes the mails that are due, one person after the other, each in one transaction with the date of the next. Several
 * processes may run at once. Mails missed during an outage are not made up for, except the last.
 */
export async function sendDue(
  deps: DigestDeps,
  of: Subscribed,
  { isStopped = () => false, now }: Options = {},
): Promise<void> {
  const quarantine = new Quarantine(deps)
  while (!isStopped()) {
    const [claimed] = await rows(deps.platform, claimOf(of, now))
    if (!claimed) return
    const reader = withDates(claimed, 'now')
    const write = async () => {
      await inTransaction(deps.platform, client => of.write(client, deps, reader))
      if (reader.is_quarantined) await quarantine.release(of.kind, [reader.id])
    }
    await eachIsolated([reader], write, (_, error) =>
      quarantine.putOff(
        of.kind,
        [{ key: reader.id, tenant: null, error }],
        client =>
          rows(client)`
          update users set ${sql.ref(of.at)} = coalesce(${now}::timestamptz, clock_timestamp()) + interval
          '${sql.lit(putOffS)} seconds' where id = ${reader.id} and ${of.wanted}`,
      ),
    )
  }
}

/** Makes mails due that were put off. */
export const retryDue = async (
  { platform }: Pick<DigestDeps, 'platform'>,
  of: Subscribed,
  people: readonly string[],
): Promise<void> =>
  void (await rows(platform)`update users set ${sql.ref(of.at)} = clock_timestamp()
    where id = any(${people}::uuid[]) and ${of.wanted}`)
