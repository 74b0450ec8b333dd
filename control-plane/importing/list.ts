import { total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { mayRead, selectMigrations } from './row.ts'
import { MigrationView, viewMigration } from './view.ts'

export const listMigrations = endpoint({
  method: 'GET',
  path: '/migrations',
  summary: 'List migrations, newest first',
  access: mayRead,
  query: offsetQuery(),
  returns: offsetPage(MigrationView),

  async handle({ em, tenant, query, url }) {
    const own = selectMigrations(em).where('p.tenant_id', '=', tenant.id)
    const count = await own.clearSelect().select(total).executeTakeFirstOrThrow()
    const rows = await own
      .orderBy('p.created_at', 'desc')
      .orderBy('p.id', 'desc')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data: rows.map(viewMigration), ...offsetParts(query, count.total, url) }
  },
})
