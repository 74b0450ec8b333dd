import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { mintSecret } from '#control-plane/base/token-secret.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

const validFor = '7 days'

/**
 * A token with which one agent may enrol once, within a week; for the named region only, if one is named. Shown once,
 * stored as a hash.
 */
export async function createEnrolment(
  db: Pool | PoolClient,
  region: string | null,
): Promise<{ id: string; plain: string; expiresAt: string }> {
  const { plain, hash } = mintSecret('ag')
  const id = randomUUID()
  const { expires_at } = await queries(db)
    .insertInto('agent_enrolments')
    .values({ id, hash, region, expires_at: sql<string>`now() + ${validFor}::interval` })
    .returning(({ ref }) => stamp(ref('expires_at')).as('expires_at'))
    .executeTakeFirstOrThrow()
  return { id, plain, expiresAt: expires_at }
}
