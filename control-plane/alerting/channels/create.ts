import { makeRule } from '#control-plane/alerting/rules/create-rule.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { makeChannel } from './create-channel.ts'
import { mayWrite, NewChannel, saveLimit } from './input.ts'
import { secretWarning, warnOfShortSecret } from './kinds/webhook-secret.ts'
import { ChannelView, viewChannel } from './view.ts'

/**
 * What “all incidents” means to rules. By them the channels of people also get flapping and storms in place of single
 * incidents, and PagerDuty gets acknowledgements.
 */
const allIncidents = ['incident.created', 'incident.resolved']

export const createChannel = endpoint({
  method: 'POST',
  path: '/notification-channels',
  summary: 'Create a notification channel',
  description:
    'A rule is created with it that sends it every incident, unless `notify_all` is false. Rules decide what else is ' +
    'sent to it.',
  access: mayWrite,
  limit: saveLimit,
  body: NewChannel,
  returns: created({ data: ChannelView }),
  responseHeaders: secretWarning,

  async handle(context) {
    const { tenant, body } = context
    const channel = await makeChannel(context, body)
    if (body.notify_all) {
      const rule = { channel_id: channel.id, event_types: allIncidents, monitor_filter: null, tenant_filter: null }
      await makeRule(context, rule)
    }
    warnOfShortSecret(context, 'config.secret', body.config.secret)
    return { data: viewChannel(channel, tenant) }
  },
})
