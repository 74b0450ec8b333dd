import type { Limits } from '#contract/plans.ts'
import type { Facts } from '#control-plane/kernel/endpoint.ts'
import { forbidden, Refusal } from '#control-plane/kernel/refusal.ts'
import { takePlaces } from '#control-plane/tenancy/plans/enforce.ts'

/** Takes places for monitors that this transaction goes on to insert, and what their types need of the plan besides. */
export async function takeMonitorPlaces(known: Pick<Facts, 'em' | 'tenant' | 'now' | 'emit'>, wanted: readonly { type: string }[]): Promise<Limits> {
  const limits = await takePlaces(known, 'monitors', wanted.length)
  if (!limits.cron_heartbeats && wanted.some(({ type }) => type === 'cron'))
    throw forbidden('The plan does not include cron heartbeats.', 'cron_heartbeats_needed')
  const servers = wanted.filter(({ type }) => type === 'agent').length
  if (servers === 0) return limits
  if (!limits.server_monitoring) {
    const reason = 'The plan does not include the monitoring of servers.'
    throw new Refusal(422, 'plan_feature', reason, { errors: { server_monitoring: [reason] } })
  }
  return takePlaces(known, 'agent_limit', servers)
}
