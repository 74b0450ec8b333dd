import type { z } from 'zod'
import { invoiceStatuses } from '#contract/billing.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { affected, amongTexts, queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage, ok } from '#control-plane/http/reply.ts'
import { mayRead } from './access.ts'
import { InvoiceView, selectInvoices, viewInvoice } from './view.ts'

const query = offsetQuery().extend({ status: commaList(invoiceStatuses).optional() })
type Db = Parameters<typeof selectInvoices>[0]

async function pageOf(db: Db, tenantId: string, wanted: z.output<typeof query>, url: string) {
  const statuses = amongTexts<string>(wanted.status ?? invoiceStatuses)
  const count = await queries(db)
    .selectFrom('invoices')
    .where('tenant_id', '=', tenantId)
    .where('status', '=', statuses)
    .select(total)
    .executeTakeFirstOrThrow()
  const rows = await selectInvoices(db, tenantId)
    .where('i.status', '=', statuses)
    .orderBy('i.created_at', 'desc')
    .orderBy('i.id', 'desc')
    .limit(wanted.per_page)
    .offset((wanted.page - 1) * wanted.per_page)
    .execute()
  return { data: rows.map(viewInvoice), ...offsetParts(wanted, count.total, url) }
}

export const listInvoices = endpoint({
  method: 'GET',
  path: '/billing/invoices',
  summary: 'List invoices, newest first',
  access: mayRead,
  underImpersonation: 'refused',
  query,
  returns: offsetPage(InvoiceView),
  handle: ({ em, tenant, query, url }) => pageOf(em, tenant.id, query, url),
})

export const getInvoice = endpoint({
  method: 'GET',
  path: '/billing/invoices/{invoice}',
  summary: 'Get an invoice',
  access: mayRead,
  underImpersonation: 'refused',
  returns: ok({ data: InvoiceView }),

  async handle({ em, tenant, params }) {
    const row = await selectInvoices(em, tenant.id).where('i.id', '=', params.invoice).executeTakeFirst()
    if (!row) throw notFound('Invoice')
    return { data: viewInvoice(row) }
  },
})

export const listInvoicesOfTenant = endpoint({
  method: 'GET',
  path: '/tenants/{tenant}/billing/invoices',
  summary: 'List the invoices of a tenant, newest first',
  access: 'super-admin',
  mayFindNothing: true,
  query,
  returns: offsetPage(InvoiceView),

  async handle({ params, query, url, services }) {
    const rowCount = await affected(services.platform)`select 1 from tenants where id = ${params.tenant}`
    if (!rowCount) throw notFound('Tenant')
    return pageOf(services.platform, params.tenant, query, url)
  },
})
