import type { Facts } from '#control-plane/kernel/endpoint.ts'
import { Refusal } from '#control-plane/kernel/refusal.ts'
import { takePlaces } from '#control-plane/tenancy/plans/enforce.ts'

/** Who may do what with agent monitors, by both doors. */
export const agentAccess = {
  read: { tenant: 'monitors:read', reseller: 'monitors:read' },
  write: { tenant: 'monitors:write', reseller: 'monitors:write' },
} as const

/** Takes a place among monitors and among servers, for one that this transaction goes on to insert. */
export async function takeServerPlace(known: Pick<Facts, 'em' | 'tenant' | 'now' | 'emit'>): Promise<void> {
  const limits = await takePlaces(known, 'monitors', 1)
  if (!limits.server_monitoring) {
    const reason = 'The plan does not include the monitoring of servers.'
    throw new Refusal(422, 'plan_feature', reason, { errors: { server_monitoring: [reason] } })
  }
  await takePlaces(known, 'agent_limit', 1)
}
