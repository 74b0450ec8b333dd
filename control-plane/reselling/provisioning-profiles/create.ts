import { randomUUID } from 'node:crypto'
import { json, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { validateBranding } from '#control-plane/tenancy/branding/validate.ts'
import { findProfile } from './find.ts'
import { NewProfile } from './input.ts'
import { validateProfile } from './validate.ts'
import { ProfileView } from './view.ts'

export const createProfile = endpoint({
  method: 'POST',
  path: '/reseller/provisioning-profiles',
  summary: 'Create a provisioning profile',
  access: { reseller: 'teams:write' },
  body: NewProfile,
  returns: created({ data: ProfileView }),
  validate: ({ body, services }) => validateBranding(services.guard, body.branding ?? {}, 'branding.'),

  async handle(context) {
    const { body, tenant, em, now, audit } = context
    await validateProfile(context, body)
    const id = randomUUID()
    const { name, plan, trial_days, feature_overrides, branding, monitor_template_id } = body
    const at = now.toISOString()
    await queries(em)
      .insertInto('provisioning_profiles')
      .values({
        id,
        tenant_id: tenant.id,
        name,
        plan,
        trial_days,
        feature_overrides: json(feature_overrides),
        branding: json(branding),
        monitor_template_id,
        created_at: at,
        updated_at: at,
      })
      .execute()
    audit('provisioning_profile.created', { type: 'provisioning_profile', id }, { name: body.name, plan: body.plan })
    return { data: await findProfile(em, tenant, id) }
  },
})
