import { z } from 'zod'
import { plans } from '#contract/plans.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, flag, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { sorting } from '#control-plane/http/sort.ts'
import { fromTenants, type TenantRow, TenantView, tenantViewColumns } from './view.ts'

const states = {
  active: 't.deleted_at is null and t.suspended_at is null',
  suspended: 't.deleted_at is null and t.suspended_at is not null',
  deleted: 't.deleted_at is not null',
} as const

const orders = { created_at: 't.created_at', name: 't.name' } as const
const order = sorting(['created_at', 'name'], ['created_at'])

export const listTenants = endpoint({
  method: 'GET',
  path: '/tenants',
  summary: 'List the tenants of this installation, newest first unless sorted otherwise',
  description: 'For operators: teams, resellers and the teams these manage.',
  access: 'super-admin',
  query: offsetQuery().extend({
    search: z
      .string()
      .trim()
      .max(200)
      .optional()
      .meta({ description: 'Part of the name or of the slug, letter case aside.' }),
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
    const values: unknown[] = []
    const given = (value: unknown) => `$${values.push(value)}`
    const wanted = [`(${query.status.map(state => states[state]).join(' or ') || 'false'})`]
    if (query.search) {
      const pattern = given(`%${query.search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`)
      wanted.push(`(lower(t.name) like ${pattern} or t.slug like ${pattern})`)
    }
    if (query.slug !== undefined) wanted.push(`t.slug = ${given(query.slug)}`)
    if (query.plan) wanted.push(`t.plan = any(${given(query.plan)})`)
    if (query.is_reseller !== undefined) wanted.push(`t.is_reseller = ${given(query.is_reseller)}`)
    if (query.reseller_id) wanted.push(`m.reseller_id = ${given(query.reseller_id)}`)
    const from = `${fromTenants} where ${wanted.join(' and ')}`
    const { rows: counted } = await services.platform.query<{ total: number }>(
      `select count(*)::int as total from ${from}`,
      values,
    )
    const { name, direction } = order.orderOf(query)
    const page = `limit ${given(query.per_page)} offset ${given((query.page - 1) * query.per_page)}`
    const { rows } = await services.platform.query<TenantRow>(
      `select ${tenantViewColumns} from ${from} order by ${orders[name]} ${direction}, t.id ${direction} ${page}`,
      values,
    )
    return { data: rows, ...offsetParts(query, counted[0]?.total ?? 0, url) }
  },
})
