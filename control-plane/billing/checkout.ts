import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { mayWrite } from './access.ts'
import { chosenPlan } from './change-plan.ts'
import { changing, providerOf } from './context.ts'

/** A path of ours, never another host: `//host` and `/\host` are hosts to a browser. */
const return_path = z
  .string()
  .max(500)
  .regex(/^\/(?![/\\])[\w\-./?=&%~]*$/, 'Must be a path of this service, such as /app/billing.')
  .default('/app/billing')
  .meta({ description: 'Where the page leads back to.' })

const returns = created({
  data: z.object({ url: z.string() }).meta({ id: 'PaymentPage', description: 'A page of the payment provider.' }),
})

export const createCheckout = endpoint({
  method: 'POST',
  path: '/billing/checkout',
  summary: 'Create a page for the first payment of a plan',
  description: 'Where Stripe collects payments. The plan applies once Stripe reports the payment.',
  access: mayWrite,
  underImpersonation: 'refused',
  detached: true,
  body: z.object({ ...chosenPlan, return_path }),
  returns,

  async handle(request) {
    const { body, services } = request
    const context = await changing(request)
    return {
      data: { url: await providerOf(services).checkout(context, body, services.config.baseUrl + body.return_path) },
    }
  },
})

export const createPortal = endpoint({
  method: 'POST',
  path: '/billing/portal',
  summary: 'Create a page with invoices and means of payment',
  description: 'Where Stripe collects payments.',
  access: mayWrite,
  underImpersonation: 'refused',
  detached: true,
  body: z.object({ return_path }),
  returns,

  async handle(request) {
    const { body, services } = request
    const context = await changing(request)
    return { data: { url: await providerOf(services).portal(context, services.config.baseUrl + body.return_path) } }
  },
})
