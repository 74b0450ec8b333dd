import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { makeChannel } from './create-channel.ts'
import { mayWrite, NewChannel, saveLimit } from './input.ts'
import { secretWarning, warnOfShortSecret } from './kinds/webhook-secret.ts'
import { ChannelView, viewChannel } from './view.ts'

export const createChannel = endpoint({
  method: 'POST',
  path: '/notification-channels',
  summary: 'Create a notification channel',
  description: 'Rules decide which events are sent to it.',
  access: mayWrite,
  limit: saveLimit,
  body: NewChannel,
  returns: created({ data: ChannelView }),
  responseHeaders: secretWarning,

  async handle(context) {
    const channel = await makeChannel(context, context.body)
    warnOfShortSecret(context, 'config.secret', context.body.config.secret)
    return { data: viewChannel(channel, context.tenant) }
  },
})
