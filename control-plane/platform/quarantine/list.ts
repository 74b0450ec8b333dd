import { sql } from 'kysely'
import { z } from 'zod'
import { kindNames } from '#control-plane/base/quarantine/kinds.ts'
import { queries, rows, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { type QuarantinedRow, QuarantinedRowView, quarantineColumns, viewQuarantined } from './view.ts'

export const listQuarantined = endpoint({
  method: 'GET',
  path: '/platform/quarantine',
  summary: 'List quarantined rows, oldest first',
  description:
    'Rows that could not be handled. Each is retried after an hour, when its owner changes it, or by request. ' +
    'A row that was handled leaves the list.',
  access: 'super-admin',
  query: offsetQuery().extend({ kind: z.enum(kindNames).optional() }),
  returns: offsetPage(QuarantinedRowView),

  async handle({ services, query, url }) {
    const { platform } = services
    const kinds = query.kind === undefined ? kindNames : [query.kind]
    const [counted, page] = await Promise.all([
      queries(platform)
        .selectFrom('quarantined_rows')
        .where('kind', '=', sql<string>`any(${kinds}::text[])`)
        .select(total)
        .executeTakeFirstOrThrow(),
      rows(platform)<QuarantinedRow>`
        select ${quarantineColumns} from quarantined_rows q where q.kind = any(${kinds}::text[])
        order by q.since, q.id limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`,
    ])
    return { data: page.map(viewQuarantined), ...offsetParts(query, counted.total, url) }
  },
})
