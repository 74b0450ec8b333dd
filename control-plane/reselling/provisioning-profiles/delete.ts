import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { findProfile } from './find.ts'

export const deleteProfile = endpoint({
  method: 'DELETE',
  path: '/reseller/provisioning-profiles/{provisioning_profile}',
  summary: 'Delete a provisioning profile',
  description: 'Teams created with it stay unchanged.',
  access: { reseller: 'teams:write' },
  returns: noContent,

  async handle({ params, tenant, em, audit }) {
    const { id, name } = await findProfile(em, tenant, params.provisioning_profile, 'for update')
    await queries(em)
      .deleteFrom('provisioning_profiles')
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', id)
      .execute()
    audit('provisioning_profile.deleted', { type: 'provisioning_profile', id }, { name })
  },
})
