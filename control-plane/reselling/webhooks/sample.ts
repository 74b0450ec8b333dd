import { z } from 'zod'
import { subscribable } from '#contract/events.ts'
import { findChannel } from '#control-plane/alerting/channels/row.ts'
import { sendTest, testFields } from '#control-plane/alerting/channels/test.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { findWebhook } from './row.ts'

export const sendWebhookSample = endpoint({
  method: 'POST',
  path: '/reseller/webhooks/{webhook}/sample',
  operation: 'reseller.webhooks.sample',
  summary: 'Send a sample event to a webhook',
  description:
    'Answers with the outcome. ' +
    'Any event, also one that the webhook is not subscribed to. The sample has `test: true`, is signed as usual and ' +
    'is sent once. A disabled webhook gets it as well.',
  access: { reseller: 'webhooks:write' },
  ...testFields,
  body: z.object({ event: z.enum(subscribable, 'Is not the name of an event.') }),

  async handle(context) {
    const { tenant, params } = context
    const { shown } = await sendTest(context, async (em, sideEffects) => {
      const { id } = await findWebhook(em, tenant, params.webhook)
      sideEffects.audits.push({
        whose: 'tenant',
        action: 'notification_channel.tested',
        type: 'notification_channel',
        id,
        changes: undefined,
      })
      return findChannel(em, tenant, id)
    })
    return { data: shown }
  },
})
