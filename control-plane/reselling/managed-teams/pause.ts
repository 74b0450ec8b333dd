import { z } from 'zod'
import { line } from '#contract/line.ts'
import { stamp } from '#contract/time.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeManagedTenant } from '#control-plane/tenancy/tenants/change-managed.ts'
import { mailAdministrators } from '#control-plane/tenancy/tenants/mail-administrators.ts'
import { lockTeam } from './load.ts'
import { noteTeam } from './note.ts'
import type { TeamRow } from './row.ts'

type PauseContext = Pick<RequestContext, 'em' | 'now' | 'emit' | 'audit' | 'mail'>

export const pauseReason = line(50, 0)
  .transform(text => text || null)
  .nullish()

export const pauseManagedTeam = endpoint({
  method: 'POST',
  path: '/reseller/managed-teams/{managed_team}/pause',
  summary: 'Pause a managed team',
  description:
    'Its checks do not run until it is unpaused. ' +
    'A team that is paused already stays paused; a new reason replaces the old one. ' +
    'Its administrators are mailed that it is paused, and why.',
  access: { reseller: 'teams:write' },
  body: z.object({ reason: pauseReason }),
  returns: ok({
    data: z.object({ message: z.string(), is_paused: z.boolean(), paused_reason: z.string().nullable() }),
  }),

  async handle(context) {
    const team = await lockTeam(context.em, context.params.managed_team)
    const { reason } = context.body
    await pauseTeam(context, team, reason)
    return { data: { message: 'The team is paused.', is_paused: true, paused_reason: reasonAfter(team, reason) } }
  },
})

const reasonAfter = (team: TeamRow, reason: string | null | undefined) =>
  team.paused_at !== null && reason === undefined ? team.paused_reason : (reason ?? null)

/**
 * Pauses a team that the transaction has locked and acts in, and mails its administrators. A paused team keeps its
 * `paused_at`, emits no second event and is not mailed again. A team that is suspended is paused once that ends.
 */
export async function pauseTeam(
  context: PauseContext,
  team: TeamRow,
  reason: string | null | undefined,
): Promise<void> {
  const { em, now, emit, audit } = context
  const after = reasonAfter(team, reason)
  const isPaused = await isPausedByReseller(em, team)
  if (isPaused && after === team.paused_reason) return
  const db = queries(em)
  const updated_at = now.toISOString()
  if (!isPaused) await changeManagedTenant(em, team.tenant_id, { paused_at: updated_at }, now)
  await db.updateTable('managed_teams').set({ paused_reason: after, updated_at }).where('id', '=', team.id).execute()
  noteTeam(audit, team, isPaused ? 'managed_tenant.updated' : 'managed_tenant.paused', {
    ...(!isPaused && { paused_at: { before: null, after: stamp(now) } }),
    ...(after !== team.paused_reason && { paused_reason: { before: team.paused_reason, after } }),
  })
  if (isPaused) return
  emit(
    'team.paused',
    { managed_team_id: team.id, tenant_id: team.tenant_id, tenant_name: team.name, reason: after },
    'reseller',
  )
  await mailAdministrators(em, team.tenant_id, 'team_paused', {
    team_name: team.name,
    paused_at: stamp(now),
    reason: after,
  })
}

/** A suspension pauses a team as well, and keeps what its reseller had paused. */
async function isPausedByReseller(em: PauseContext['em'], { tenant_id, paused_at }: TeamRow): Promise<boolean> {
  const tenant = await queries(em)
    .selectFrom('tenants')
    .where('id', '=', tenant_id)
    .select(['suspended_at', 'paused_before_suspension'])
    .executeTakeFirst()
  return (tenant?.suspended_at ? tenant.paused_before_suspension : paused_at) !== null
}
