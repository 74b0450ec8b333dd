import { phases } from '#contract/status-page.ts'
import { amongTexts, queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage, ok } from '#control-plane/http/reply.ts'
import { mayRead } from '#control-plane/publishing/status-pages/access.ts'
import { findPage } from '#control-plane/publishing/status-pages/row.ts'
import { findPost, selectPosts } from './row.ts'
import { PostView } from './view.ts'

export const listPosts = endpoint({
  method: 'GET',
  path: '/status-pages/{status_page}/posts',
  summary: 'List the incidents of a status page, the latest start first',
  access: mayRead,
  query: offsetQuery().extend({ phase: commaList(phases).optional() }),
  returns: offsetPage(PostView),

  async handle({ em, tenant, params, query, url }) {
    const page = await findPage(em, tenant, params.status_page)
    const wanted = amongTexts(query.phase ?? phases)
    const count = await queries(em)
      .selectFrom('status_page_posts')
      .where('tenant_id', '=', tenant.id)
      .where('page_id', '=', page.id)
      .where('phase', '=', wanted)
      .select(total)
      .executeTakeFirstOrThrow()
    const data = await selectPosts(em, tenant, page.id)
      .where('p.phase', '=', wanted)
      .orderBy('p.started_at', 'desc')
      .orderBy('p.id', 'desc')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data, ...offsetParts(query, count.total, url) }
  },
})

export const getPost = endpoint({
  method: 'GET',
  path: '/status-pages/{status_page}/posts/{post}',
  summary: 'Get an incident of a status page',
  access: mayRead,
  returns: ok({ data: PostView }),

  async handle({ em, tenant, params }) {
    const page = await findPage(em, tenant, params.status_page)
    return { data: await findPost(em, tenant, page, params.post) }
  },
})
