import { sql } from 'kysely'
import { type Role, roles } from '#contract/scopes.ts'
import { type Db, queries, type Row, rows } from '#control-plane/db/queries.ts'

export interface Tie {
  tenantId: string
  role: Role
  isReseller: boolean
  isDeleted: boolean
  /** The reseller that manages the team; null without one. */
  resellerId: string | null
  label: string | null
  externalRef: string | null
  /** Other people in the team: all, owners, and owners or admins. */
  others: number
  otherOwners: number
  otherAdministrators: number
}

type TieRow = Row<'memberships', 'tenant_id' | 'role'> &
  Row<'tenants', 'is_reseller'> & {
    is_deleted: boolean
    others: number
    other_owners: number
    other_administrators: number
  } & { [Column in 'reseller_id' | 'label' | 'external_ref']: Row<'managed_teams'>[Column] | null }

const statement = (userId: string) => sql<TieRow>`
  select m.tenant_id, m.role, t.is_reseller, t.deleted_at is not null as is_deleted, g.reseller_id, g.label,
    g.external_ref,
         o.others, o.other_owners, o.other_administrators
  from memberships m
  join users s on s.id = m.user_id and not s.is_service
  join tenants t on t.id = m.tenant_id
  left join managed_teams g on g.tenant_id = m.tenant_id
  cross join lateral (
    select count(*)::int as others,
           (count(*) filter (where p.role = 'owner'))::int as other_owners,
           (count(*) filter (where p.role in ('owner', 'admin')))::int as other_administrators
    from memberships p join users u on u.id = p.user_id and not u.is_service
    where p.tenant_id = m.tenant_id and p.user_id <> m.user_id
  ) o
  where m.user_id = ${userId}
  order by m.created_at, m.tenant_id`

/** All teams of a person in all tenants, to decide what may be done to the person; none for a service user. */
export async function tiesOf(platform: Db, userId: string): Promise<{ isSuperAdmin: boolean; teams: Tie[] }> {
  const people = queries(platform).selectFrom('users').where('id', '=', userId)
  const person = await people.select('is_super_admin').executeTakeFirst()
  const found = await rows(platform, statement(userId))
  return { isSuperAdmin: person?.is_super_admin ?? false, teams: found.map(tieOf) }
}

const tieOf = (row: TieRow): Tie => ({
  tenantId: row.tenant_id,
  role: roles.find(role => role === row.role) ?? 'viewer',
  isReseller: row.is_reseller,
  isDeleted: row.is_deleted,
  resellerId: row.reseller_id,
  label: row.label,
  externalRef: row.external_ref,
  others: row.others,
  otherOwners: row.other_owners,
  otherAdministrators: row.other_administrators,
})
