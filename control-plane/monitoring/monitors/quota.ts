import type { Limits } from '#contract/plans.ts'
import { notInPlan } from '#control-plane/base/refusal.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { reserveQuota } from '#control-plane/tenancy/plans/enforce.ts'

/** Takes places for monitors that this transaction goes on to insert, and what their types need of the plan besides. */
export async function reserveMonitorQuota(
  known: Pick<RequestContext, 'em' | 'tenant' | 'now' | 'emit'>,
  wanted: readonly { type: string }[],
): Promise<Limits> {
  const limits = await reserveQuota(known, 'monitors', wanted.length)
  if (!limits.cron_heartbeats && wanted.some(({ type }) => type === 'cron'))
    throw notInPlan('cron_heartbeats', known.tenant.plan, 'The plan does not include cron heartbeats.')
  const servers = wanted.filter(({ type }) => type === 'agent').length
  if (servers === 0) return limits
  if (!limits.server_monitoring) throw withoutServers(known.tenant.plan)
  return reserveQuota(known, 'agent_limit', servers)
}

export const withoutServers = (plan: string) =>
  notInPlan('server_monitoring', plan, 'The plan does not include the monitoring of servers.')
