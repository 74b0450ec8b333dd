import { makeChannel } from '#control-plane/alerting/channels/create-channel.ts'
import { secretWarning, warnOfShortSecret } from '#control-plane/alerting/channels/kinds/webhook-secret.ts'
import { ensureSigningSecret } from '#control-plane/alerting/channels/signing-secret.ts'
import { makeRule } from '#control-plane/alerting/rules/create-rule.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { NewWebhook, underOwnNames } from './input.ts'
import { findWebhook, viewWebhook, WebhookView } from './row.ts'

export const createWebhook = endpoint({
  method: 'POST',
  path: '/reseller/webhooks',
  summary: 'Create a webhook with its channel and rule',
  description:
    'Receives events of all managed teams, or of those in the filter. With a secret every request is ' + 'signed.',
  access: { reseller: 'webhooks:write' },
  body: NewWebhook,
  returns: created({ data: WebhookView }),
  responseHeaders: secretWarning,

  async handle(context) {
    const { body, em, tenant } = context
    const { name, url, secret, events, tenant_filter, is_enabled } = body
    const config = secret === null ? { url } : { url, secret }
    const channel = await underOwnNames(makeChannel(context, { name, type: 'webhook', config, is_enabled }))
    await makeRule(
      context,
      { channel_id: channel.id, event_types: events, monitor_filter: null, tenant_filter },
      { isWebhook: true },
    )
    await ensureSigningSecret(context)
    warnOfShortSecret(context, 'secret', secret)
    return { data: viewWebhook(await findWebhook(em, tenant, channel.id)) }
  },
})
