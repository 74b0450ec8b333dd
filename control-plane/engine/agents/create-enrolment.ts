import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { mintSecret } from '#control-plane/base/token-secret.ts'

const validFor = '7 days'

/** A token with which one agent may enrol once, within a week; for the named region only, if one is named. Shown once, stored as a hash. */
export async function createEnrolment(
  db: Pool | PoolClient,
  region: string | null,
): Promise<{ id: string; plain: string; expiresAt: Date }> {
  const { plain, hash } = mintSecret('ag')
  const id = randomUUID()
  const { rows } = await db.query<{ expires_at: Date }>(
    `insert into agent_enrolments (id, hash, region, expires_at) values ($1, $2, $3, now() + interval '${validFor}') returning expires_at`,
    [id, hash, region],
  )
  return { id, plain, expiresAt: rows[0]!.expires_at }
}
