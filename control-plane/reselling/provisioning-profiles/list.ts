import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { type ProfileRow, selectProfiles } from './find.ts'
import { ProfileView } from './view.ts'

export const listProfiles = endpoint({
  method: 'GET',
  path: '/reseller/provisioning-profiles',
  summary: 'List the profiles to provision teams by, by name',
  access: { reseller: 'teams:read' },
  query: offsetQuery(),
  returns: offsetPage(ProfileView),

  async handle({ em, tenant, query, url }) {
    const [{ total } = { total: 0 }] = await em.execute<{ total: number }[]>(
      'select count(*)::int as total from provisioning_profiles where tenant_id = ?',
      [tenant.id],
    )
    const data = await em.execute<ProfileRow[]>(
      `select ${selectProfiles} from provisioning_profiles where tenant_id = ? order by name, id limit ? offset ?`,
      [tenant.id, query.per_page, (query.page - 1) * query.per_page],
    )
    return { data, ...offsetParts(query, total, url) }
  },
})
