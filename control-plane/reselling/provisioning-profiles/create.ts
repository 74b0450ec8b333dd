import { randomUUID } from 'node:crypto'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { vetBranding } from '#control-plane/tenancy/branding/vet.ts'
import { findProfile } from './find.ts'
import { fieldNames, NewProfile } from './input.ts'
import { vetProfile } from './vet.ts'
import { ProfileView } from './view.ts'

export const createProfile = endpoint({
  method: 'POST',
  path: '/reseller/provisioning-profiles',
  summary: 'Create a profile to provision teams by',
  access: { reseller: 'teams:write' },
  body: NewProfile,
  returns: created({ data: ProfileView }),
  vet: ({ body, services }) => vetBranding(services.guard, body.branding ?? {}, 'branding.'),

  async handle(facts) {
    const { body, tenant, em, now, audit } = facts
    await vetProfile(facts, body)
    const id = randomUUID()
    await em.execute(
      `insert into provisioning_profiles (id, tenant_id, ${fieldNames.join(', ')}, created_at, updated_at) values (?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?, ?, ?)`,
      [
        id,
        tenant.id,
        body.name,
        body.plan,
        body.trial_days,
        JSON.stringify(body.feature_overrides),
        JSON.stringify(body.branding),
        body.monitor_template_id,
        now,
        now,
      ],
    )
    audit('provisioning_profile.created', { type: 'provisioning_profile', id }, { name: body.name, plan: body.plan })
    return { data: await findProfile(em, tenant, id) }
  },
})
