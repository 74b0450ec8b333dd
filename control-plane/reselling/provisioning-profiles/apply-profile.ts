import type { TenantContext } from '#control-plane/base/caller.ts'
import { invalid, Refusal } from '#control-plane/base/refusal.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { isPassiveType } from '#control-plane/monitoring/checks/input.ts'
import { createMonitors } from '#control-plane/monitoring/monitors/create-monitors.ts'
import { byIndex } from '#control-plane/monitoring/monitors/validate.ts'
import { connect } from '#control-plane/passive/connections.ts'
import { fillTemplate } from '#control-plane/reselling/monitor-templates/fill.ts'
import { loadTemplate, type TemplateRow } from '#control-plane/reselling/monitor-templates/find.ts'
import { decryptMonitors } from '#control-plane/reselling/monitor-templates/secrets.ts'
import { changeBranding } from '#control-plane/tenancy/branding/change.ts'
import { type ProfileRow, selectProfiles } from './find.ts'

type ProfileContext = Pick<RequestContext, 'em' | 'now' | 'services' | 'emit' | 'audit'>

export interface Provision extends ProfileRow {
  template: Pick<TemplateRow, 'id' | 'name' | 'monitors' | 'variables'> | null
}

/** The profile for a new team, with its template; 422 on `profile_id` if the reseller has no such profile. */
export async function readProfile(
  { em }: Pick<RequestContext, 'em'>,
  reseller: { id: string },
  id: string,
): Promise<Provision> {
  const profile = await selectProfiles(em, reseller).where('p.id', '=', id).executeTakeFirst()
  if (!profile) throw invalid({ profile_id: ['There is no such profile.'] })
  const template =
    profile.monitor_template_id === null ? undefined : await loadTemplate(em, reseller, profile.monitor_template_id)
  return { ...profile, template: template ?? null }
}

/**
 * Applies branding and monitors of a profile to a new team. Returns the number of monitors, and the connections of
 * jobs and servers. The caller sets plan, trial and overrides. The transaction must act in the team, which gets the
 * events and audit entries.
 */
export async function applyProfile(
  context: ProfileContext,
  team: TenantContext,
  { branding, template }: Provision,
  variables: Record<string, string>,
) {
  const inTeam: ProfileContext & { tenant: TenantContext } = {
    ...context,
    tenant: team,
    emit: (event, payload) => context.emit(event, payload, { tenantId: team.id }),
    audit: (action, entity, changes) => context.audit(action, entity, changes, { tenantId: team.id }),
  }
  if (Object.keys(branding).length > 0) await changeBranding(inTeam, team, branding)
  if (template) {
    const monitors = decryptMonitors(context.services.config, template.id, template.monitors)
    const wanted = fillTemplate({ ...template, monitors }, variables)
    const ids = await createMonitors(inTeam, wanted, byIndex).catch(leaveNothing)
    const passive = ids.filter((_, index) => isPassiveType(wanted[index]!.type))
    return { monitors_count: ids.length, connections: await connect(inTeam, passive) }
  }
  if (Object.keys(variables).length > 0) throw invalid({ variables: ['The profile has no template to fill.'] })
  return noMonitors
}

export const noMonitors = { monitors_count: 0, connections: [] }

/** Drops the quota event of a refusal, because the team is not created. */
function leaveNothing(error: unknown): never {
  if (error instanceof Refusal && error.errors)
    throw new Refusal(error.status, error.code, error.text, { errors: error.errors, details: error.details })
  throw error
}
