import { type RawBuilder, sql } from 'kysely'
import { columnOf, type Part } from '#control-plane/db/queries.ts'

/**
 * The present role of a person in a team, for what the person has made there. An operator, and an administrator of
 * its reseller, count as owner. null: no role, also where the person is disabled or gone.
 */
export const roleCase = (tenant: Part, person: Part, reseller: Part): RawBuilder<string | null> => sql`case
  when exists (select 1 from users o where o.id = ${columnOf(person)} and o.is_super_admin) then 'owner'
  when exists (select 1 from memberships p where p.tenant_id = ${columnOf(reseller)} and p.user_id = ${columnOf(person)}
               and p.disabled_at is null and p.role in ('owner', 'admin')) then 'owner'
  else (select own.role from memberships own where own.tenant_id = ${columnOf(tenant)}
    and own.user_id = ${columnOf(person)} and own.disabled_at is null) end`

/** The reseller `r` that manages a team now, by the row `g`. */
export const resellerJoins = (tenant: Part): RawBuilder<unknown> => sql`
  left join managed_teams g on g.tenant_id = ${columnOf(tenant)} and g.deleted_at is null
  left join tenants r on r.id = g.reseller_id and r.is_reseller and r.deleted_at is null and r.suspended_at is null`

/** As `roleCase`, of itself. */
export const makerRoleSql = (tenant: Part, person: Part): RawBuilder<string | null> =>
  sql`(select ${roleCase(tenant, person, 'r.id')} from (select 1) one ${resellerJoins(tenant)})`

/** Whether the person who made an invitation, if a person did, could still make it. */
export const mayStillInviteSql = (
  invitation: string,
): RawBuilder<boolean> => sql`(${sql.ref(`${invitation}.invited_by`)} is null
  or coalesce(${makerRoleSql(`${invitation}.tenant_id`, `${invitation}.invited_by`)} = any(
    case when ${sql.ref(`${invitation}.role`)} = 'owner' then array['owner'] else array['owner', 'admin'] end), false))`

/** Whether the person who made a directory's token, if a person did, still administers the team. */
export const mayStillProvisionSql = (
  token: string,
): RawBuilder<boolean> => sql`(${sql.ref(`${token}.created_by`)} is null
  or coalesce(${makerRoleSql(`${token}.tenant_id`, `${token}.created_by`)} in ('owner', 'admin'), false))`
