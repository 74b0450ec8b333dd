import { z } from 'zod'
import { queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { findMigration, mayRead } from './row.ts'

const kinds = ['monitor', 'channel', 'status_page', 'maintenance', 'other'] as const
const actions = ['create', 'update', 'skip'] as const
const states = ['pending', 'done', 'failed', 'left_out'] as const

const MigrationItemView = z
  .object({
    source_id: z.string(),
    kind: z.enum(kinds),
    source_kind: z.string().meta({ description: 'The kind as the provider calls it.' }),
    name: z.string(),
    target: z.string().nullable(),
    action: z.enum(actions).meta({ description: 'What an import does with it.' }),
    reason: z.string(),
    exceeds: z.string().nullable().meta({ description: 'The limit of the plan that it exceeds.' }),
    stand_ins: z.array(z.string()).meta({ description: 'What cannot be carried over of it, and what stands in.' }),
    is_enabled: z.boolean().meta({ description: 'Whether it is active at the provider.' }),
    state: z.enum(states),
    failure: z.string().nullable(),
    monitor_id: z.uuid().nullable(),
    keeps_ping_address: z
      .boolean()
      .nullable()
      .meta({
        description:
          'Whether pings to the address that the job has at the provider count here, once its host name leads here. ' +
          'Null: it is no job of a provider whose addresses can be kept.',
      }),
    past_incidents: z
      .int()
      .nullable()
      .meta({ description: 'Its incidents of the last 90 days that an import brings with it; null: none are read.' }),
    status_page_id: z.uuid().nullable().meta({ description: 'The status page that it became; it may be gone.' }),
  })
  .meta({ id: 'MigrationItem' })

export const listMigrationItems = endpoint({
  method: 'GET',
  path: '/migrations/{migration}/items',
  summary: 'List what a migration found, and what becomes of it',
  access: mayRead,
  query: offsetQuery().extend({
    action: z.enum(actions).optional(),
    state: z.enum(states).optional(),
    kind: z.enum(kinds).optional(),
  }),
  returns: offsetPage(MigrationItemView),

  async handle({ em, tenant, params, query, url }) {
    const { id } = await findMigration(em, tenant, params.migration)
    let own = queries(em)
      .selectFrom('migration_items')
      .where('tenant_id', '=', tenant.id)
      .where('migration_id', '=', id)
    for (const column of ['action', 'state', 'kind'] as const) {
      const wanted = query[column]
      if (wanted !== undefined) own = own.where(column, '=', wanted)
    }
    const count = await own.select(total).executeTakeFirstOrThrow()
    const rows = await own
      .orderBy('ordinal')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .select(['source_id', 'kind', 'source_kind', 'name', 'target', 'action', 'reason', 'exceeds', 'stand_ins'])
      .select([
        'is_enabled',
        'state',
        'failure',
        'monitor_id',
        'status_page_id',
        'keeps_ping_address',
        'past_incidents',
      ])
      .execute()
    return {
      data: rows.map(row => ({
        ...row,
        kind: kinds.find(kind => kind === row.kind) ?? 'other',
        action: actions.find(action => action === row.action) ?? 'skip',
        state: states.find(state => state === row.state) ?? 'pending',
      })),
      ...offsetParts(query, count.total, url),
    }
  },
})
