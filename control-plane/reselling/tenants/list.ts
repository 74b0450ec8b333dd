import { sql } from 'kysely'
import { z } from 'zod'
import { plans } from '#contract/plans.ts'
import { namesOf } from '#control-plane/db/by-name.ts'
import { total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, flag, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { sorting } from '#control-plane/http/sort.ts'
import { selectTenants, TenantView } from './view.ts'

const orders = { created_at: sql.ref('t.created_at'), name: namesOf('t.name') } as const
const order = sorting(['created_at', 'name'], ['created_at'])

export const listTenants = endpoint({
  method: 'GET',
  path: '/tenants',
  summary: 'List the tenants of this installation',
  description: 'By default newest first. For operators: teams, resellers and the teams these manage.',
  access: 'super-admin',
  query: offsetQuery().extend({
    search: z.string().trim().max(200).optional().meta({ description: 'Part of the name or slug, case-insensitive.' }),
    slug: z.string().max(100).optional().meta({ description: 'The very slug.' }),
    plan: commaList(plans).optional(),
    is_reseller: flag.optional(),
    reseller_id: z.uuid().optional().meta({ description: 'Teams that this reseller manages.' }),
    status: commaList(['active', 'suspended', 'deleted'] as const)
      .default(['active', 'suspended'])
      .meta({ description: 'By default all that are not deleted.' }),
    ...order.query,
  }),
  returns: offsetPage(TenantView),

  async handle({ services, query, url }) {
    let tenants = selectTenants(services.platform).where(({ eb, and, or }) => {
      const isKept = eb('t.deleted_at', 'is', null)
      const states = {
        active: and([isKept, eb('t.suspended_at', 'is', null)]),
        suspended: and([isKept, eb('t.suspended_at', 'is not', null)]),
        deleted: eb('t.deleted_at', 'is not', null),
      }
      return or(query.status.map(state => states[state]))
    })
    if (query.search) {
      const pattern = `%${query.search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
      tenants = tenants.where(({ eb, fn, or }) =>
        or([eb(fn<string>('lower', ['t.name']), 'like', pattern), eb('t.slug', 'like', pattern)]),
      )
    }
    if (query.slug !== undefined) tenants = tenants.where('t.slug', '=', query.slug)
    if (query.plan) tenants = tenants.where('t.plan', '=', sql<string>`any(${query.plan}::varchar[])`)
    if (query.is_reseller !== undefined) tenants = tenants.where('t.is_reseller', '=', query.is_reseller)
    if (query.reseller_id) tenants = tenants.where('m.reseller_id', '=', query.reseller_id)
    const count = await tenants.clearSelect().select(total).executeTakeFirstOrThrow()
    const { name, direction } = order.orderOf(query)
    // first which ones, as owners are read of every row that is skipped too
    const page = tenants
      .clearSelect()
      .select('t.id')
      .orderBy(orders[name], direction)
      .orderBy('t.id', direction)
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
    const rows = await selectTenants(services.platform)
      .where('t.id', 'in', page)
      .orderBy(orders[name], direction)
      .orderBy('t.id', direction)
      .execute()
    return { data: rows, ...offsetParts(query, count.total, url) }
  },
})
