import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeChannel } from './change-channel.ts'
import { ChannelChanges, mayWrite, saveLimit } from './input.ts'
import { secretWarning, warnOfShortSecret } from './kinds/webhook-secret.ts'
import { ChannelView, viewChannel } from './view.ts'

export const updateChannel = endpoint({
  method: 'PATCH',
  path: '/notification-channels/{notification_channel}',
  summary: 'Update a notification channel',
  description:
    'Fields that are not sent stay. A secret sent as eight asterisks is kept. A new secret of a webhook signs at ' +
    'once; for a day the former one signs as well.',
  access: mayWrite,
  limit: saveLimit,
  body: ChannelChanges,
  returns: ok({ data: ChannelView }),
  responseHeaders: secretWarning,

  async handle(context) {
    const { body, params, tenant } = context
    const channel = await changeChannel(context, params.notification_channel, body)
    warnOfShortSecret(context, 'config.secret', body.config?.secret)
    return { data: viewChannel(channel, tenant) }
  },
})
