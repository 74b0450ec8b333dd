import { sql } from 'kysely'
import { z } from 'zod'
import { queries, rows, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { deadKinds } from '#control-plane/outbox/dispatcher.ts'
import { type DeadEventRow, DeadEventView, deadEventColumns } from './view.ts'

export const listDeadEvents = endpoint({
  method: 'GET',
  path: '/platform/dead-events',
  summary: 'List dead events, newest first',
  description:
    'Events that failed eight times and are no longer retried. Attempts while a store or Temporal was unavailable ' +
    'are not counted. Kept for 90 days.',
  access: 'super-admin',
  query: offsetQuery().extend({ kind: z.enum(deadKinds).optional() }),
  returns: offsetPage(DeadEventView),

  async handle({ services, query, url }) {
    const { platform } = services
    const kinds = query.kind === undefined ? deadKinds : [query.kind]
    const [counted, page] = await Promise.all([
      queries(platform)
        .selectFrom('outbox')
        .where('dead_at', 'is not', null)
        .where('kind', '=', sql<string>`any(${kinds}::text[])`)
        .select(total)
        .executeTakeFirstOrThrow(),
      rows(platform)<DeadEventRow>`
        select ${deadEventColumns} from outbox o
        where o.dead_at is not null and o.kind = any(${kinds}::text[]) order by o.dead_at desc, o.id desc
        limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`,
    ])
    return { data: page, ...offsetParts(query, counted.total, url) }
  },
})
