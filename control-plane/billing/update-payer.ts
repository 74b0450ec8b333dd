import { z } from 'zod'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayWrite } from './access.ts'
import { changing, providerOf } from './context.ts'
import { payerFields } from './payer.ts'
import { pricesOf } from './provider.ts'
import { lockSubscription } from './row.ts'
import { BillingView, readBilling } from './view.ts'

export const updatePayer = endpoint({
  method: 'PATCH',
  path: '/billing/payer',
  summary: 'Update who pays',
  description: 'Later invoices name the payer so. Fields that are left out stay.',
  access: mayWrite,
  underImpersonation: 'refused',
  detached: true,
  body: z.object(payerFields).partial(),
  returns: ok({ data: BillingView }),

  async handle(request) {
    const { body, tenant, services } = request
    const context = await changing(request)
    const provider = providerOf(services)
    const { payer } = await inTransaction(services.platform, client =>
      lockSubscription(client, tenant.id, provider.name),
    )
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    await provider.updatePayer(context, { ...payer, ...given })
    return { data: await readBilling(services.platform, tenant.id, pricesOf(services), provider.name) }
  },
})
