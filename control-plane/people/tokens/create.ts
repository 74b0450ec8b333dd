import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import type { TokenKind } from '#control-plane/kernel/caller.ts'
import { mintSecret } from './secret.ts'

export interface NewToken {
  kind: TokenKind
  tenantId: string
  userId: string | null
  name: string
  scopes: string[]
  expiresAt: Date | null
}

/** Stores a new token's hash and answers the plain text, which exists nowhere else. */
export async function createToken(db: Pool | PoolClient, token: NewToken): Promise<{ id: string; plain: string }> {
  const { plain, hash } = mintSecret(token.kind)
  const id = randomUUID()
  await db.query('insert into tokens (id, tenant_id, user_id, kind, name, hash, scopes, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8)', [
    id,
    token.tenantId,
    token.userId,
    token.kind,
    token.name,
    hash,
    token.scopes,
    token.expiresAt,
  ])
  return { id, plain }
}
