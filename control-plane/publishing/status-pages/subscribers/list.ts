import { z } from 'zod'
import { amongTexts, queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage, ok } from '#control-plane/http/reply.ts'
import { findPage, mayRead, SubscriberView, selectSubscribers, subscriberStates, viewSubscriber } from './row.ts'

export const listSubscribers = endpoint({
  method: 'GET',
  path: '/status-pages/{status_page}/subscribers',
  summary: 'List the subscribers of a status page, newest first',
  description: 'Needs the right to change the page, as the addresses are of persons outside of the team.',
  access: mayRead,
  query: offsetQuery().extend({ state: commaList(subscriberStates).optional() }),
  returns: offsetPage(SubscriberView),

  async handle({ em, tenant, params, query, url, services }) {
    const page = await findPage(em, tenant, params.status_page)
    const wanted = amongTexts(query.state ?? subscriberStates)
    const count = await queries(em)
      .selectFrom('status_page_subscribers')
      .where('tenant_id', '=', tenant.id)
      .where('page_id', '=', page.id)
      .where('state', '=', wanted)
      .select(total)
      .executeTakeFirstOrThrow()
    const rows = await selectSubscribers(em, tenant, page.id)
      .where('s.state', '=', wanted)
      .orderBy('s.created_at', 'desc')
      .orderBy('s.id', 'desc')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data: rows.map(row => viewSubscriber(row, services.config)), ...offsetParts(query, count.total, url) }
  },
})

const count = z.int().min(0)

export const countSubscribers = endpoint({
  method: 'GET',
  path: '/status-pages/{status_page}/subscribers/counts',
  operation: 'statusPageSubscribers.count',
  summary: 'Count the subscribers of a status page by state',
  access: { tenant: 'status-pages:read', reseller: 'status-pages:read' },
  returns: ok({
    data: z.object({ pending: count, active: count, unsubscribed: count }).meta({ id: 'StatusPageSubscriberCounts' }),
  }),

  async handle({ em, tenant, params }) {
    const page = await findPage(em, tenant, params.status_page)
    const rows = await queries(em)
      .selectFrom('status_page_subscribers')
      .where('tenant_id', '=', tenant.id)
      .where('page_id', '=', page.id)
      .groupBy('state')
      .select(['state', total])
      .execute()
    const of = (state: string) => rows.find(row => row.state === state)?.total ?? 0
    return { data: { pending: of('pending'), active: of('active'), unsubscribed: of('unsubscribed') } }
  },
})
