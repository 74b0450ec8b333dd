import { changeChannel } from '#control-plane/alerting/channels/change-channel.ts'
import { secretWarning, warnOfShortSecret } from '#control-plane/alerting/channels/kinds/webhook-secret.ts'
import { changeRule } from '#control-plane/alerting/rules/change-rule.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { underOwnNames, WebhookChanges } from './input.ts'
import { findWebhook, viewWebhook, WebhookView } from './row.ts'

export const updateWebhook = endpoint({
  method: 'PATCH',
  path: '/reseller/webhooks/{webhook}',
  summary: 'Update a webhook',
  description: 'Only what is sent changes. A secret sent as eight asterisks is kept.',
  access: { reseller: 'webhooks:write' },
  body: WebhookChanges,
  returns: ok({ data: WebhookView }),
  responseHeaders: secretWarning,

  async handle(context) {
    const { body, em, tenant, params } = context
    const { id, rule_id } = await findWebhook(em, tenant, params.webhook)
    const { name, is_enabled, url, secret, events, tenant_filter } = body
    const config = { ...(url !== undefined && { url }), ...(secret !== undefined && { secret }) }
    await underOwnNames(
      changeChannel(context, id, { name, is_enabled, ...(Object.keys(config).length > 0 && { config }) }),
    )
    await underOwnNames(changeRule(context, rule_id, { event_types: events, tenant_filter }))
    warnOfShortSecret(context, 'secret', secret)
    return { data: viewWebhook(await findWebhook(em, tenant, id)) }
  },
})
