import { sql } from 'kysely'
import { type Role, roles } from '#contract/scopes.ts'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { type Db, type Row, rows } from '#control-plane/db/queries.ts'
import { mayStillInviteSql } from '#control-plane/identity/users/maker-role.ts'
import { type TenantRow, tenantColumns, tenantContext } from '#control-plane/tenancy/tenants/context.ts'

export interface OpenInvitation {
  id: string
  email: string
  role: Role
  expiresAt: Date
  invitedBy: string | null
  /** Whether the token is that of the mail, which proves the address. */
  isProven: boolean
  tenant: TenantContext
}

/**
 * The invitation of a token, in any tenant. Unknown, expired, accepted and revoked invitations give the same refusal,
 * and so do those that their inviter could not make any more.
 * `isLocked` locks it until the transaction ends.
 */
export async function openInvitation(db: Db, token: string, isLocked = false): Promise<OpenInvitation> {
  const [row] = await rows(db)<
    TenantRow &
      Row<'invitations', 'id' | 'email' | 'role' | 'invited_by'> & {
        expires_at: string
        is_proven: boolean
      }
  >`
    select i.id, i.email, i.role, i.expires_at, i.invited_by, coalesce(i.mail_hash = ${hashSecret(token)}, false) as
    is_proven, ${tenantColumns('t')}
     from invitations i join tenants t on t.id = i.tenant_id and t.deleted_at is null and t.suspended_at is null
     where (i.token_hash = ${hashSecret(token)} or i.mail_hash = ${hashSecret(token)}) and i.status = 'pending'
       and i.expires_at > clock_timestamp() and ${mayStillInviteSql('i')}
       ${isLocked ? sql`for update of i` : sql``}`
  if (!row) throw invalid({ token: ['This invitation is not open, or not any more.'] }, 'invitation_not_open')
  return {
    id: row.id,
    email: row.email,
    role: roles.find(role => role === row.role) ?? 'viewer',
    expiresAt: new Date(row.expires_at),
    invitedBy: row.invited_by,
    isProven: row.is_proven,
    tenant: tenantContext(row),
  }
}
