import { findMember, isLastOwner } from '#control-plane/access/members/find.ts'
import { forbidden } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { scimRefusal } from '#control-plane/http/scim-error.ts'
import { type Tie, tiesOf } from '#control-plane/identity/users/ties.ts'
import type { PersonRow } from './row.ts'

type Acting = Pick<RequestContext, 'em' | 'tenant' | 'caller' | 'services'>

/** Refuses to change operators, and people of resellers in teams of others. Returns all teams of the person. */
export async function requireUnprotected({ tenant, services }: Acting, userId: string): Promise<readonly Tie[]> {
  const { isSuperAdmin, teams } = await tiesOf(services.platform, userId)
  if (isSuperAdmin || teams.some(team => team.isReseller && team.tenantId !== tenant.id))
    throw forbidden('This person is protected: a directory of another team may not change them.', 'person_protected')
  return teams
}

/**
 * Refuses to change the role of an owner, to deactivate or to remove one, unless an owner of the team created the
 * token; the last active owner stays in any case. Call it under `lockMembers`.
 */
export async function requireMayActOnOwner({ em, tenant, caller }: Acting, row: PersonRow): Promise<void> {
  if (row.role !== 'owner') return
  const byOwner = await queries(em)
    .selectFrom('scim_tokens as k')
    .innerJoin('memberships as m', join =>
      join.onRef('m.user_id', '=', 'k.created_by').onRef('m.tenant_id', '=', 'k.tenant_id'),
    )
    .where('k.id', '=', caller.tokenId)
    .where('m.role', '=', 'owner')
    .where('m.disabled_at', 'is', null)
    .select('k.id')
    .executeTakeFirst()
  if (!byOwner) throw forbidden('Only a token that an owner created may act on an owner.', 'role_too_high')
  if (await isLastOwner(em, tenant, await findMember(em, tenant, row.id)))
    throw scimRefusal('mutability', 'A team keeps its last owner: make another member owner first.')
}
