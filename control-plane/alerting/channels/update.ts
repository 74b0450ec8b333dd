import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeChannel } from './change-channel.ts'
import { ChannelChanges, mayWrite } from './input.ts'
import { ChannelView, viewChannel } from './view.ts'

export const updateChannel = endpoint({
  method: 'PATCH',
  path: '/notification-channels/{notification_channel}',
  summary: 'Change a notification channel; what is not sent stays',
  description:
    'A secret sent as eight asterisks is kept. A new secret of a webhook takes over at once; for a day the former one signs beside it.',
  access: mayWrite,
  body: ChannelChanges,
  returns: ok({ data: ChannelView }),
  handle: async facts => ({
    data: viewChannel(await changeChannel(facts, facts.params.notification_channel, facts.body), facts.tenant),
  }),
})
