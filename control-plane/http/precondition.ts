import type { EntityManager } from '@mikro-orm/postgresql'
import { Refusal } from '#control-plane/base/refusal.ts'
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
  await em.execute(`select pg_advisory_xact_lock${ifMatch === undefined ? '_shared' : ''}(hashtextextended(?, 412))`, [
    record,
  ])
  if (ifMatch === undefined || isCurrent(ifMatch, await currentEtag())) return
  throw new Refusal(412, 'changed_meanwhile', 'This has been changed since you read it. Read it again and decide anew.')
}
