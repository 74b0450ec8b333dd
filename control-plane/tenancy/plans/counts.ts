/** Features whose number a plan limits, and how many a team has: of `tenants` known as `t`. */
export const countOf = {
  monitors: 'select count(*) from monitors x where x.tenant_id = t.id',
  agent_limit: 'select count(*) from agent_monitors x where x.tenant_id = t.id',
  team_members: 'select count(*) from memberships x join users u on u.id = x.user_id where x.tenant_id = t.id and not u.is_service',
  pending_invitations: `select count(*) from invitations x where x.tenant_id = t.id and x.status = 'pending' and x.expires_at > now()`,
  api_keys: `select count(*) from tokens x where x.tenant_id = t.id and x.kind in ('svc', 'sk') and x.rotated_at is null and (x.expires_at is null or x.expires_at > now())`,
  status_pages: 'select 0',
  subscribers: 'select 0',
  maintenance_windows: 'select 0',
  escalation_policies: 'select 0',
} as const
export type Counted = keyof typeof countOf
