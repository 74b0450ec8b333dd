import type { Facts } from '#control-plane/kernel/endpoint.ts'

/** The process that reminds of a trial's end and ends it, named by the team and that very moment. */
export function startTrial({ start }: Pick<Facts, 'start'>, team: { id: string; tenant_id: string }, endsAt: Date): void {
  const endsAtMs = endsAt.getTime()
  start('trial', `trial:${team.id}:${endsAtMs}`, { teamId: team.id, tenantId: team.tenant_id, endsAtMs })
}
