import { z } from 'zod'
import { queries, stamp, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { flag, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { divergenceKinds, divergenceVerdicts } from './divergence.ts'
import { findMigration, mayRead } from './row.ts'

const time = z.string().meta({ format: 'date-time' })

const Side = z
  .object({
    status: z.string(),
    reason: z.string().nullable(),
    since: z.string().nullable(),
    response_ms: z.number().nullable(),
  })
  .meta({ id: 'MigrationSide' })

const DivergenceView = z
  .object({
    id: z.uuid(),
    monitor_id: z.uuid(),
    monitor_name: z.string(),
    kind: z.enum(divergenceKinds).meta({
      description: '`missed`: only the old provider says down. `extra`: only we do.',
    }),
    ours: Side,
    theirs: Side,
    from: time,
    to: time.nullable().meta({ description: 'null: it goes on.' }),
    verdict: z.enum(divergenceVerdicts).meta({ description: 'What explains it.' }),
    explanation: z.string(),
  })
  .meta({ id: 'MigrationDivergence' })

export const listDivergences = endpoint({
  method: 'GET',
  path: '/migrations/{migration}/divergences',
  operation: 'migrations.divergences',
  summary: 'List where the old provider and our checks disagree',
  description: 'Newest first.',
  access: mayRead,
  query: offsetQuery().extend({
    open: flag.optional().meta({ description: 'Only those that go on, or only those that are over.' }),
    kind: z.enum(divergenceKinds).optional(),
    verdict: z.enum(divergenceVerdicts).optional(),
  }),
  returns: offsetPage(DivergenceView),

  async handle({ em, tenant, params, query, url }) {
    const { id } = await findMigration(em, tenant, params.migration)
    let own = queries(em)
      .selectFrom('migration_divergences as d')
      .innerJoin('monitors as m', 'm.id', 'd.monitor_id')
      .where('d.tenant_id', '=', tenant.id)
      .where('d.migration_id', '=', id)
      .where('d.polls', '>=', 2)
    if (query.open !== undefined) own = own.where('d.ended_at', query.open ? 'is' : 'is not', null)
    if (query.kind) own = own.where('d.kind', '=', query.kind)
    if (query.verdict) own = own.where('d.verdict', '=', query.verdict)
    const count = await own.select(total).executeTakeFirstOrThrow()
    const rows = await own
      .orderBy('d.started_at', 'desc')
      .orderBy('d.id', 'desc')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .select(['d.id', 'd.monitor_id', 'm.name as monitor_name', 'd.kind', 'd.ours', 'd.theirs', 'd.verdict'])
      .select(['d.explanation'])
      .select(({ ref }) => [stamp(ref('d.started_at')).as('from'), stamp(ref('d.ended_at')).as('to')])
      .execute()
    return {
      data: rows.map(row => ({
        ...row,
        kind: divergenceKinds.find(kind => kind === row.kind) ?? 'state',
        verdict: divergenceVerdicts.find(verdict => verdict === row.verdict) ?? 'unexplained',
      })),
      ...offsetParts(query, count.total, url),
    }
  },
})
