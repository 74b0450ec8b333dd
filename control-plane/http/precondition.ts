import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { Refusal } from '#control-plane/base/refusal.ts'
import { rows } from '#control-plane/db/queries.ts'
import { isCurrent } from './etag.ts'

interface Precondition {
  /** Names the record by its tenant and path, whatever route led to it. */
  record: string
  ifMatch: string | undefined
  /** The entity tag that a GET would return now. */
  currentEtag(): Promise<string>
}

/**
 * `If-Match`: 412 unless the caller has read the current version. A request with the header locks the record
 * exclusively until its transaction ends; requests without it take a shared lock.
 */
export async function lockPrecondition(
  em: EntityManager,
  { record, ifMatch, currentEtag }: Precondition,
): Promise<void> {
  const lock = sql.ref(ifMatch === undefined ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock')
  await rows(em, sql`select ${lock}(hashtextextended(${record}, 412))`)
  if (ifMatch === undefined || isCurrent(ifMatch, await currentEtag())) return
  throw new Refusal(
    412,
    'changed_meanwhile',
    'This has been changed since you read it. Read it again before you change it.',
  )
}
