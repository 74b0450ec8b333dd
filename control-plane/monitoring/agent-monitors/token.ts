import { randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { mintSecret, tailOf } from '#control-plane/base/token-secret.ts'

/** Gives a server its token, whose plain text exists nowhere else. Of those before it none may still be without an end. */
export async function mintServerToken(
  em: EntityManager,
  tenant: { id: string },
  monitorId: string,
  now: Date,
): Promise<string> {
  const { plain, hash } = mintSecret('am')
  await em.execute(
    `insert into agent_tokens (id, tenant_id, monitor_id, hash, tail, created_at) values (?, ?, ?, decode(?, 'hex'), ?, ?)`,
    [randomUUID(), tenant.id, monitorId, hash.toString('hex'), tailOf(plain), now],
  )
  return plain
}
