import { sql } from 'kysely'
import { z } from 'zod'
import { type Plan, plans, unlimited } from '#contract/plans.ts'
import { type Db, queries, stamp } from '#control-plane/db/queries.ts'

const time = z.string().meta({ format: 'date-time' })

export const TenantView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    plan: z.enum(plans).meta({ id: 'PlanName' }),
    is_unlimited: z.boolean().meta({ description: 'No plan binds it; `plan` would apply otherwise.' }),
    is_reseller: z.boolean(),
    reseller_id: z
      .uuid()
      .nullable()
      .meta({ description: 'The reseller that manages it; `null` for an independent tenant.' }),
    managed_team_id: z.uuid().nullable(),
    is_suspended: z
      .boolean()
      .meta({ description: 'Its people cannot sign in, its checks do not run, its data is kept.' }),
    suspended_at: time.nullable(),
    suspended_reason: z.string().nullable(),
    is_paused: z.boolean().meta({ description: 'Not checked: paused by its reseller, or suspended.' }),
    deleted_at: time.nullable(),
    monitors_count: z.int(),
    members_count: z.int(),
    owners: z
      .array(z.object({ user_id: z.uuid(), name: z.string(), email: z.string() }))
      .meta({ description: 'Its first owners, at most ten, oldest first.' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Tenant' })

/** A query for tenants as `TenantView` shows them. */
export const selectTenants = (db: Db) =>
  queries(db)
    .selectFrom('tenants as t')
    .innerJoin('tenant_counts as c', 'c.tenant_id', 't.id')
    .leftJoin('managed_teams as m', 'm.tenant_id', 't.id')
    .select(['t.id', 't.name', 't.slug', 't.is_reseller', 't.suspended_reason'])
    .select(['m.reseller_id', 'm.id as managed_team_id', 'c.monitors as monitors_count', 'c.members as members_count'])
    .select(({ ref, selectFrom }) => [
      ref('t.plan').$castTo<Plan>().as('plan'),
      sql<boolean>`coalesce(${ref('t.feature_overrides')} @> ${JSON.stringify(unlimited)}::jsonb, false)`.as(
        'is_unlimited',
      ),
      sql<boolean>`${ref('t.suspended_at')} is not null`.as('is_suspended'),
      stamp(ref('t.suspended_at')).as('suspended_at'),
      sql<boolean>`${ref('t.paused_at')} is not null`.as('is_paused'),
      stamp(ref('t.deleted_at')).as('deleted_at'),
      sql<z.input<typeof TenantView>['owners']>`array(${selectFrom('memberships as o')
        .innerJoin('users as u', 'u.id', 'o.user_id')
        .where('u.is_service', '=', false)
        .whereRef('o.tenant_id', '=', 't.id')
        .where('o.role', '=', 'owner')
        .orderBy('o.created_at')
        .orderBy('u.id')
        .limit(10)
        .select(own =>
          sql`json_build_object('user_id', ${own.ref('u.id')}, 'name', ${own.ref('u.name')}, 'email',
            ${own.ref('u.email')})`.as('owner'),
        )})`.as('owners'),
      stamp(ref('t.created_at')).as('created_at'),
      stamp(ref('t.updated_at')).as('updated_at'),
    ])
