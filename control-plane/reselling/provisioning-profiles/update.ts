import { isDeepStrictEqual } from 'node:util'
import { changesOf } from '#control-plane/base/changes.ts'
import { json, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { validateBranding } from '#control-plane/tenancy/branding/validate.ts'
import { findProfile } from './find.ts'
import { fieldNames, ProfileChanges } from './input.ts'
import { validateProfile } from './validate.ts'
import { ProfileView } from './view.ts'

export const updateProfile = endpoint({
  method: 'PATCH',
  path: '/reseller/provisioning-profiles/{provisioning_profile}',
  summary: 'Update a provisioning profile',
  description: 'Teams created with it stay unchanged. Overrides and branding are sent whole.',
  access: { reseller: 'teams:write' },
  body: ProfileChanges,
  returns: ok({ data: ProfileView }),
  validate: ({ body, services }) => validateBranding(services.guard, body.branding ?? {}, 'branding.'),

  async handle(context) {
    const { body, params, tenant, em, now, audit } = context
    const before = await findProfile(em, tenant, params.provisioning_profile, 'for update')
    const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    const after = { ...before, ...sent }
    await validateProfile(context, after, before)
    const names = fieldNames.filter(name => !isDeepStrictEqual(before[name], after[name]))
    if (names.length === 0) return { data: before }
    const { name, plan, trial_days, feature_overrides, branding, monitor_template_id } = after
    await queries(em)
      .updateTable('provisioning_profiles')
      .set({
        name,
        plan,
        trial_days,
        feature_overrides: json(feature_overrides),
        branding: json(branding),
        monitor_template_id,
      })
      .set({ updated_at: now.toISOString() })
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', before.id)
      .execute()
    audit(
      'provisioning_profile.updated',
      { type: 'provisioning_profile', id: before.id },
      changesOf(names, before, after),
    )
    return { data: await findProfile(em, tenant, before.id) }
  },
})
