import type { EntityManager } from '@mikro-orm/postgresql'
import { Refusal } from '#control-plane/base/refusal.ts'
import { isCurrent } from './etag.ts'

interface Guarded {
  /** What names the record: its tenant and path, whichever door led to it. */
  record: string
  ifMatch: string | undefined
  /** The entity tag of what a GET would answer now. */
  currentEtag(): Promise<string>
}

/**
 * `If-Match`: 412 unless the caller has seen the record as it is. Whoever asks for this has the record alone until the transaction ends;
 * writers who do not ask only keep out of the way of those who do.
 */
export async function lockPrecondition(em: EntityManager, { record, ifMatch, currentEtag }: Guarded): Promise<void> {
  await em.execute(`select pg_advisory_xact_lock${ifMatch === undefined ? '_shared' : ''}(hashtextextended(?, 412))`, [
    record,
  ])
  if (ifMatch === undefined || isCurrent(ifMatch, await currentEtag())) return
  throw new Refusal(412, 'changed_meanwhile', 'This has been changed since you read it. Read it again and decide anew.')
}
