import type { PoolClient } from 'pg'
import type { Services } from '#control-plane/kernel/services.ts'
import { inTransaction } from '#control-plane/kernel/transaction.ts'
import type { Person } from '#control-plane/people/users/notify.ts'

export type Means = Pick<Services, 'platform' | 'config' | 'log'>

export interface Reader extends Person {
  timezone: string
  digest: 'daily' | 'weekly'
  now: Date
}

/** A mail that people get time and again: whose is due, and the writing of one, with the date of the next. */
export interface Subscribed {
  what: string
  wanted: string
  at: 'digest_at' | 'monthly_report_at'
  write(client: PoolClient, means: Means, reader: Reader): Promise<void>
}

// who dies with a claim, or fails at it, gives it back in ten minutes; meanwhile the others get theirs
const claimOf = ({ wanted, at }: Subscribed) => `
  with clock as (select coalesce($1, clock_timestamp()) as now), due as materialized (
    select id from users where ${wanted} and email_verified_at is not null and ${at} <= (select now from clock) order by ${at} limit 1 for update skip locked
  )
  update users u set ${at} = clock.now + interval '10 minutes'
  from due, clock where u.id = due.id
  returning u.id, u.name, u.email, u.language, u.timezone, u.digest, clock.now`

interface Options {
  isStopped?: () => boolean
  /** For tests: what time it is. */
  now?: Date
}

/**
 * Asks for the mails that are due, one person after the other, each in one transaction with the date of the next: any number of
 * processes may do so at once. After a time away only the last is made up for.
 */
export async function sendDue(means: Means, of: Subscribed, { isStopped = () => false, now }: Options = {}): Promise<void> {
  while (!isStopped()) {
    const { rows } = await means.platform.query<Reader>(claimOf(of), [now])
    const [reader] = rows
    if (!reader) return
    await inTransaction(means.platform, client => of.write(client, means, reader)).catch(error =>
      means.log.warn({ err: error, user_id: reader.id }, `${of.what} could not be written; trying again`),
    )
  }
}
