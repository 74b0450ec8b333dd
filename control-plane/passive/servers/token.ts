import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { mintSecret, tailOf } from '#control-plane/base/token-secret.ts'
import { queries } from '#control-plane/db/queries.ts'

/** Creates the token of a server. Its plain text is not stored. All earlier tokens must have an expiry. */
export async function mintServerToken(
  em: EntityManager,
  tenant: { id: string },
  monitorId: string,
  now: Date,
): Promise<string> {
  const { plain, hash } = mintSecret('am')
  await queries(em)
    .insertInto('agent_tokens')
    .values({
      id: randomUUID(),
      tenant_id: tenant.id,
      monitor_id: monitorId,
      hash: sql<Buffer>`decode(${hash.toString('hex')}, 'hex')`,
      tail: tailOf(plain),
      created_at: now.toISOString(),
    })
    .execute()
  return plain
}
