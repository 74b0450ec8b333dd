import { type RawBuilder, sql } from 'kysely'
import type { PlannedFeature } from '#contract/plans.ts'

/** Features whose number a plan limits. */
type Countable =
  | 'monitors'
  | 'agent_limit'
  | 'team_members'
  | 'pending_invitations'
  | 'api_keys'
  | 'status_pages'
  | 'subscribers'
  | 'maintenance_windows'
  | 'escalation_policies'
/** Those of them that the service has: a feature that stops being absent does not compile until it is counted. */
export type Counted = Exclude<Countable, PlannedFeature>

/** How many of each a team has: of `tenants` known as `t`. */
export const countOf: Record<Counted, RawBuilder<unknown>> = {
  monitors: sql`select count(*) from monitors x where x.tenant_id = t.id`,
  agent_limit: sql`select count(*) from agent_monitors x where x.tenant_id = t.id`,
  team_members: sql`select count(*) from memberships x join users u on u.id = x.user_id
    where x.tenant_id = t.id and not u.is_service`,
  pending_invitations: sql`select count(*) from invitations x
    where x.tenant_id = t.id and x.status = 'pending' and x.expires_at > now()`,
  api_keys: sql`select count(*) from tokens x where x.tenant_id = t.id and x.kind in ('svc', 'sk')
    and x.rotated_at is null and (x.expires_at is null or x.expires_at > now())`,
  // those that a team adds take a place before they confirm; visitors must not use up places of others
  subscribers: sql`select count(*) from status_page_subscribers x where x.tenant_id = t.id
    and (x.state = 'active' or x.state = 'pending' and x.source <> 'self')`,
  maintenance_windows: sql`select count(*) from maintenance_windows x
    where x.tenant_id = t.id and x.state in ('scheduled', 'active')`,
  status_pages: sql`select count(*) from status_pages x where x.tenant_id = t.id`,
  escalation_policies: sql`select count(*) from escalation_policies x where x.tenant_id = t.id`,
}

/** Whether so many are more than a limit allows; null is unlimited. */
export const isBeyond = (limit: number | null, count: number): boolean => limit !== null && count > limit

export const counted = Object.keys(countOf) as Counted[]
