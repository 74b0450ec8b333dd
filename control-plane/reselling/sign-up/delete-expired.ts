import { sql } from 'kysely'
import type { Pool } from 'pg'
import { Loop } from '#control-plane/base/loop.ts'
import { affected } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'

const everyMs = 60_000
const batch = 1_000

// the hour in which sign-ups of an address are counted is over by then
const statements = [
  sql`delete from sign_ups where id in (select id from sign_ups
    where expires_at < clock_timestamp() limit ${sql.lit(batch)} for update skip locked)`,
  sql`delete from used_challenges where signature in (select signature from used_challenges
    where ends_at < clock_timestamp() - interval '1 minute' limit ${sql.lit(batch)} for update skip locked)`,
]

/** Deletes sign-ups that were not completed in time, and used proofs that have ended. */
export async function deleteExpiredSignUps(platform: Pool): Promise<void> {
  for (const statement of statements)
    for (let deleted = batch; deleted === batch; ) deleted = await affected(platform, statement)
}

/** Any number of processes may do so. */
export const startDeletingSignUps = ({ platform, log }: Pick<Services, 'platform' | 'log'>): Loop =>
  new Loop({ everyMs, round: () => deleteExpiredSignUps(platform), log, failure: 'sign-up deletion failure' }).start()
