import { namesOf } from '#control-plane/db/by-name.ts'
import { queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { selectProfiles } from './find.ts'
import { ProfileView } from './view.ts'

export const listProfiles = endpoint({
  method: 'GET',
  path: '/reseller/provisioning-profiles',
  summary: 'List the provisioning profiles by name',
  access: { reseller: 'teams:read' },
  query: offsetQuery(),
  returns: offsetPage(ProfileView),

  async handle({ em, tenant, query, url }) {
    const count = await queries(em)
      .selectFrom('provisioning_profiles')
      .where('tenant_id', '=', tenant.id)
      .select(total)
      .executeTakeFirstOrThrow()
    const data = await selectProfiles(em, tenant)
      .orderBy(namesOf('p.name'))
      .orderBy('p.id')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data, ...offsetParts(query, count.total, url) }
  },
})
