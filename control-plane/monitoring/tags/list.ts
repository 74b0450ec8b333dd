import { sql } from 'kysely'
import { z } from 'zod'
import { namesOf } from '#control-plane/db/by-name.ts'
import { rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'

const TagView = z.object({ name: z.string(), monitors_count: z.int() }).meta({ id: 'Tag' })

export const listTags = endpoint({
  method: 'GET',
  path: '/tags',
  summary: 'List the tags in use, and how many monitors have each',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: offsetQuery().extend({
    search: z.string().trim().max(100).optional().meta({ description: 'What the name begins with.' }),
  }),
  returns: offsetPage(TagView),

  async handle({ query, em, tenant, url }) {
    const begins = query.search ? sql`and starts_with(lower(t.tag), lower(${query.search}))` : sql``
    const counted = sql`from monitors m, unnest(m.tags) as t(tag) where m.tenant_id = ${tenant.id} ${begins}`
    const [count] = await rows(em)<{ total: number }>`select count(distinct t.tag)::int as total ${counted}`
    const data = await rows(em)<z.input<typeof TagView>>`
      select t.tag as name, count(*)::int as monitors_count ${counted}
      group by t.tag order by ${namesOf('t.tag')}
      limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`
    return { data, ...offsetParts(query, count?.total ?? 0, url) }
  },
})
