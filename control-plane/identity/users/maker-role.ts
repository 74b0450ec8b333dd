/**
 * SQL: the present role of a person in a team, for what the person has made there. An operator, and an administrator of
 * its reseller, count as owner. null: no role, also where the person is disabled or gone.
 */
export const roleCase = (tenant: string, person: string, reseller: string) => `case
  when exists (select 1 from users o where o.id = ${person} and o.is_super_admin) then 'owner'
  when exists (select 1 from memberships p where p.tenant_id = ${reseller} and p.user_id = ${person}
               and p.disabled_at is null and p.role in ('owner', 'admin')) then 'owner'
  else (select own.role from memberships own where own.tenant_id = ${tenant}
    and own.user_id = ${person} and own.disabled_at is null) end`

/** SQL: the reseller `r` that manages a team now, by the row `g`. */
export const resellerJoins = (tenant: string) => `
  left join managed_teams g on g.tenant_id = ${tenant} and g.deleted_at is null
  left join tenants r on r.id = g.reseller_id and r.is_reseller and r.deleted_at is null and r.suspended_at is null`

/** SQL: as `roleCase`, of itself. */
export const makerRoleSql = (tenant: string, person: string) =>
  `(select ${roleCase(tenant, person, 'r.id')} from (select 1) one ${resellerJoins(tenant)})`

/** SQL: whether the person who made an invitation, if a person did, could still make it. */
export const mayStillInviteSql = (invitation: string) => `(${invitation}.invited_by is null
  or coalesce(${makerRoleSql(`${invitation}.tenant_id`, `${invitation}.invited_by`)} = any(
    case when ${invitation}.role = 'owner' then array['owner'] else array['owner', 'admin'] end), false))`

/** SQL: whether the person who made a directory's token, if a person did, still administers the team. */
export const mayStillProvisionSql = (token: string) => `(${token}.created_by is null
  or coalesce(${makerRoleSql(`${token}.tenant_id`, `${token}.created_by`)} in ('owner', 'admin'), false))`
