import type { PoolClient } from 'pg'
import { notFound } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { affected, rows } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { type AuditActor, addAudit } from '#control-plane/outbox/audit.ts'
import { providerOf } from './context.ts'
import { lockOpen, payInvoice } from './manual/pay.ts'
import { pricesOf } from './provider.ts'
import { lockExisting, type SubscriptionRow } from './row.ts'
import { settle } from './settle.ts'
import { BillingView, InvoiceView, readBilling, selectInvoices, viewInvoice } from './view.ts'

const dayMs = 86_400_000

export const getBillingOfTenant = endpoint({
  method: 'GET',
  path: '/tenants/{tenant}/billing',
  summary: 'Get what a tenant pays for',
  access: 'super-admin',
  returns: ok({ data: BillingView }),

  async handle({ params, services }) {
    const rowCount = await affected(services.platform)`select 1 from tenants where id = ${params.tenant}`
    if (!rowCount) throw notFound('Tenant')
    return { data: await readBilling(services.platform, params.tenant, pricesOf(services), providerOf(services).name) }
  },
})

type Operation = Pick<RequestContext, 'services' | 'caller' | 'ip' | 'requestId'>
type Act = (client: PoolClient, row: SubscriptionRow, actor: AuditActor) => Promise<unknown>

/** Changes an invoice that an operator collects, with an entry in the trails of the tenant and of the operator. */
async function operate(
  { services, caller, ip, requestId }: Operation,
  { tenant, invoice }: { tenant: string; invoice: string },
  action: string,
  act: Act,
) {
  const actor = { userId: caller.user?.id ?? null, tokenId: caller.tokenId, ip, requestId }
  await inTransaction(services.platform, async client => {
    const row = await lockExisting(client, tenant)
    if (!row) throw notFound('Invoice')
    await act(client, row, actor)
    const trails = [...new Set([tenant, caller.tenant.id])]
    await addAudit(
      client,
      trails.map(tenantId => ({ tenantId, action, type: 'invoice', id: invoice })),
      actor,
    )
  })
  const row = await selectInvoices(services.platform, tenant).where('i.id', '=', invoice).executeTakeFirstOrThrow()
  return { data: viewInvoice(row) }
}

export const markInvoicePaid = endpoint({
  method: 'POST',
  path: '/tenants/{tenant}/billing/invoices/{invoice}/mark-paid',
  summary: 'Mark an invoice as paid',
  description:
    'For invoices whose payments the operator collects; Stripe reports its own. What the invoice is for takes effect.',
  access: 'super-admin',
  returns: ok({ data: InvoiceView }),

  handle: request =>
    operate(request, request.params, 'invoice.paid', async (client, row, actor) => {
      await lockManual(client, row, request.params.invoice)
      const change = { now: request.now, dayMs, action: 'subscription.paid', actor }
      await payInvoice(client, row, request.params.invoice, change)
    }),
})

export const voidInvoice = endpoint({
  method: 'POST',
  path: '/tenants/{tenant}/billing/invoices/{invoice}/void',
  summary: 'Make an invoice void',
  description:
    'It is no longer owed, and what it was for does not happen. A period without a paid invoice ends its plan.',
  access: 'super-admin',
  returns: ok({ data: InvoiceView }),

  handle: request =>
    operate(request, request.params, 'invoice.voided', async (client, row, actor) => {
      const { id, reason } = await lockManual(client, row, request.params.invoice)
      await rows(client)`update invoices set status = 'void', updated_at = clock_timestamp() where id = ${id}`
      const change = { now: request.now, dayMs, action: 'subscription.invoice_voided', actor }
      const isWaiting = reason !== 'renewal' && row.pending_plan !== null && row.pending_at === null
      if (isWaiting) await settle(client, row, { pending_plan: null, pending_interval: null }, change)
      const isOwed = reason === 'renewal' && row.collection === 'past_due'
      if (isOwed) await settle(client, row, { collection: 'canceled', past_due_since: null }, change)
    }),
})

async function lockManual(client: PoolClient, row: SubscriptionRow, id: string) {
  const rowCount = await affected(client)`select 1 from invoices where id = ${id} and provider = 'stripe'`
  if (rowCount) throw notFound('Invoice')
  return lockOpen(client, row.tenant_id, id)
}
