import { z } from 'zod'
import { type Plan, plans } from '#contract/plans.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { Row } from '#control-plane/db/queries.ts'

const time = z.string().meta({ format: 'date-time' })

export const TenantView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    plan: z.enum(plans),
    is_reseller: z.boolean(),
    reseller_id: z
      .uuid()
      .nullable()
      .meta({ description: 'The reseller that manages it; `null` for an independent tenant.' }),
    managed_team_id: z.uuid().nullable(),
    is_suspended: z
      .boolean()
      .meta({ description: 'Nobody of it is let in, nothing of it is checked, and its data is kept.' }),
    suspended_at: time.nullable(),
    suspended_reason: z.string().nullable(),
    is_paused: z.boolean().meta({ description: 'Not checked: paused by its reseller, or suspended.' }),
    deleted_at: time.nullable(),
    monitors_count: z.int(),
    members_count: z.int(),
    owners: z
      .array(z.object({ user_id: z.uuid(), name: z.string(), email: z.string() }))
      .meta({ description: 'Its owners, the first of them first; at most ten.' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Tenant' })
export type TenantRow = Row<
  'tenants',
  | 'id'
  | 'name'
  | 'slug'
  | 'is_reseller'
  | 'suspended_at'
  | 'suspended_reason'
  | 'deleted_at'
  | 'created_at'
  | 'updated_at'
> & {
  plan: Plan
  reseller_id: Row<'managed_teams'>['reseller_id'] | null
  managed_team_id: Row<'managed_teams'>['id'] | null
  is_suspended: boolean
  is_paused: boolean
  monitors_count: Row<'tenant_counts'>['monitors']
  members_count: Row<'tenant_counts'>['members']
  owners: (Row<'users', 'name' | 'email'> & Row<'memberships', 'user_id'>)[]
}

/** What `TenantView` shows, from `tenants` known as `t`. */
export const tenantViewColumns = `
  t.id, t.name, t.slug, t.plan, t.is_reseller, m.reseller_id, m.id as managed_team_id,
  t.suspended_at is not null as is_suspended, ${stampSql('t.suspended_at')} as suspended_at, t.suspended_reason, t.paused_at is not null as is_paused,
  ${stampSql('t.deleted_at')} as deleted_at, c.monitors as monitors_count, c.members as members_count,
  array(
    select json_build_object('user_id', u.id, 'name', u.name, 'email', u.email)
    from memberships o join users u on u.id = o.user_id and not u.is_service
    where o.tenant_id = t.id and o.role = 'owner' order by o.created_at, u.id limit 10
  ) as owners,
  ${stampSql('t.created_at')} as created_at, ${stampSql('t.updated_at')} as updated_at`

export const fromTenants =
  'tenants t join tenant_counts c on c.tenant_id = t.id left join managed_teams m on m.tenant_id = t.id'
