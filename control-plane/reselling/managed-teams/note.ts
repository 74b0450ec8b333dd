import type { RequestContext } from '#control-plane/http/endpoint.ts'
import type { TeamRow } from './row.ts'

interface Change {
  before: unknown
  after: unknown
}

/** Fields that only the reseller sees. */
const resellersOwn = new Set(['label', 'external_ref', 'metadata'])

/** Audits a change of a team in the reseller's log, and, without the reseller's own fields, in the team's log. */
export function noteTeam(
  audit: RequestContext['audit'],
  team: Pick<TeamRow, 'id' | 'tenant_id'>,
  action: string,
  changes: Record<string, Change>,
): void {
  const entity = { type: 'managed_tenant' as const, id: team.id }
  audit(action, entity, changes, 'reseller')
  const seen = Object.entries(changes).filter(([name]) => !resellersOwn.has(name))
  if (seen.length > 0) audit(action, entity, Object.fromEntries(seen), { tenantId: team.tenant_id })
}
