import { randomUUID } from 'node:crypto'
import type { Caller, TokenKind } from '#control-plane/base/caller.ts'
import { mintSecret, tailOf } from '#control-plane/base/token-secret.ts'
import { type Db, json, rows } from '#control-plane/db/queries.ts'

export interface NewToken {
  kind: TokenKind
  tenantId: string
  /** The person that it acts for. */
  userId: string | null
  name: string
  scopes: string[]
  expiresAt: Date | null
  allowedIps?: string[] | null
  createdBy?: string | null
  rotatedFrom?: string | null
  impersonator?: { userId: string; tenantId: string } | null
}

/** The person whose role limits a new token: the calling person, or the creator of the calling key. */
export const makerOf = ({ user, maker }: Pick<Caller, 'user' | 'maker'>): string | null => user?.id ?? maker

/** Stores a new token's hash and returns the plain text, which is stored nowhere. `now`: by default the database's. */
export async function createToken(db: Db, token: NewToken, now?: Date): Promise<{ id: string; plain: string }> {
  const { plain, hash } = mintSecret(token.kind)
  const id = randomUUID()
  const row = {
    id,
    tenant_id: token.tenantId,
    user_id: token.userId,
    kind: token.kind,
    name: token.name,
    hash: hash.toString('hex'),
    tail: tailOf(plain),
    scopes: token.scopes,
    allowed_ips: token.allowedIps ?? null,
    expires_at: token.expiresAt,
    rotated_from: token.rotatedFrom ?? null,
    created_by: token.createdBy ?? null,
    impersonated_by: token.impersonator?.userId ?? null,
    impersonating_tenant_id: token.impersonator?.tenantId ?? null,
  }
  await rows(db)`
    insert into tokens (id, tenant_id, user_id, kind, name, hash, tail, scopes, allowed_ips, expires_at,
      rotated_from, created_by, impersonated_by, impersonating_tenant_id, created_at, updated_at)
    select r.id, r.tenant_id, r.user_id, r.kind, r.name, decode(r.hash, 'hex'), r.tail, r.scopes, r.allowed_ips,
      r.expires_at, r.rotated_from, r.created_by, r.impersonated_by, r.impersonating_tenant_id, at, at
    from jsonb_to_record(${json(row)}) as r(
      id uuid, tenant_id uuid, user_id uuid, kind text, name text, hash text, tail text, scopes text[],
        allowed_ips text[], expires_at timestamptz,
      rotated_from uuid, created_by uuid, impersonated_by uuid, impersonating_tenant_id uuid
    ), coalesce(${now ?? null}::timestamptz, now()) at`
  return { id, plain }
}
