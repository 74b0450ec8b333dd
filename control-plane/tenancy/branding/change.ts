import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Caller, TenantContext } from '#control-plane/base/caller.ts'
import { changesOf } from '#control-plane/base/changes.ts'
import { forbidden, notInPlan } from '#control-plane/base/refusal.ts'
import { json, queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'
import { type Branding, type BrandingChanges, brandingFields, jsonFields, upsellFields } from './fields.ts'
import { lockBranding } from './row.ts'

type BrandingContext = Pick<RequestContext, 'em' | 'now' | 'audit'>

/**
 * Updates the branding of the tenant that the transaction acts in. Its URLs are validated. Changes alone are audited.
 */
export async function changeBranding(
  { em, now, audit }: BrandingContext,
  tenant: { id: string },
  changes: BrandingChanges,
): Promise<Branding> {
  if (changes.hide_powered_by === true) {
    const { plan, limits } = await planNow(em, tenant.id)
    if (!limits.white_label_branding) throw withoutWhiteLabel(plan)
  }
  const before = await lockBranding(em, tenant)
  const after: Branding = {
    ...before,
    ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
  }
  const names = brandingFields.filter(name => !isDeepStrictEqual(before[name], after[name]))
  if (names.length === 0) return before
  const changed = names.map(name => [
    name,
    jsonFields.includes(name) && after[name] !== null ? json(after[name]) : after[name],
  ])
  await queries(em)
    .updateTable('brandings')
    .set({ ...Object.fromEntries(changed), updated_at: now })
    .where('tenant_id', '=', tenant.id)
    .execute()
  audit('branding.updated', { type: 'tenant', id: tenant.id }, changesOf(names, before, after), 'both')
  return after
}

export const withoutWhiteLabel = (plan: string, field = 'hide_powered_by') =>
  notInPlan('white_label_branding', plan, 'The plan does not include white-label branding.', field)

/** The reseller of a team, and not its own people, decides on its upgrade offers. */
export async function refuseOwnUpsell(
  em: EntityManager,
  caller: Caller,
  tenant: TenantContext,
  changes: BrandingChanges,
): Promise<void> {
  const isOwn = caller.tenant.id === tenant.id && !caller.impersonator && !caller.user?.isSuperAdmin
  if (!isOwn || upsellFields.every(name => changes[name] === undefined)) return
  const managed = queries(em)
    .selectFrom('managed_teams')
    .where('tenant_id', '=', tenant.id)
    .where('deleted_at', 'is', null)
  if (await managed.select('id').executeTakeFirst())
    throw forbidden('What is offered to this team is for its reseller to say.', 'upsell_of_reseller')
}
