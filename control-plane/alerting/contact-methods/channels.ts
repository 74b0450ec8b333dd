import { sql } from 'kysely'
import { effectiveLimits } from '#contract/plans.ts'
import { isVerifiedSql } from '#control-plane/access/members/contact-state.ts'
import type { Channel } from '#control-plane/alerting/deliveries/delivery.ts'
import { type Db, type Row, rows } from '#control-plane/db/queries.ts'

/** A person in a team. */
export interface Contact {
  tenantId: string
  userId: string
}

/** A contact method of a person, as deliveries use it. */
export interface ContactChannel extends Contact {
  name: string
  channel: Channel
  /** Whether it is known to work; one that was never tested is used as well. */
  works: boolean
}

/**
 * Whether a contact method `c` is known to work: it is enabled, verified and not failing. The plan must have its
 * type besides.
 */
export const worksSql = sql<boolean>`c.is_enabled and c.failing_since is null and (${isVerifiedSql})`

type ContactRow = Row<'notification_channels', 'id' | 'tenant_id' | 'name' | 'type' | 'config' | 'secrets'> &
  Row<'tenants', 'plan' | 'feature_overrides'> & { user_id: string; works: boolean }

/**
 * The enabled contact methods of people that the plan of their team allows, each person's in their order of preference.
 * One statement, however many people. It needs the role of the platform.
 */
export async function contactChannels(db: Db, people: readonly Contact[]): Promise<ContactChannel[]> {
  if (people.length === 0) return []
  const found = await rows(db)<ContactRow>`
    select c.id, c.tenant_id, c.owner_user_id as user_id, c.name, c.type, c.config, c.secrets,
      t.plan, t.feature_overrides, ${worksSql} as works
    from (
      select distinct p.tenant_id, p.user_id from unnest(${people.map(({ tenantId }) => tenantId)}::uuid[],
      ${people.map(({ userId }) => userId)}::uuid[]) as p(tenant_id, user_id)
    ) p
    join notification_channels c on c.tenant_id = p.tenant_id and c.owner_user_id = p.user_id and c.is_enabled
    join tenants t on t.id = c.tenant_id and t.deleted_at is null
    order by c.tenant_id, c.owner_user_id, c.position, c.id`
  return found.flatMap(({ id, tenant_id, user_id, name, works, type, config, secrets, plan, feature_overrides }) =>
    effectiveLimits(plan, feature_overrides).notification_channels.includes(type)
      ? [
          {
            tenantId: tenant_id,
            userId: user_id,
            name,
            works,
            channel: { id, tenantId: tenant_id, type, config, secrets },
          },
        ]
      : [],
  )
}
