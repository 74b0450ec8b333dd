import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { makeChannel } from './create-channel.ts'
import { mayWrite, NewChannel } from './input.ts'
import { ChannelView, viewChannel } from './view.ts'

export const createChannel = endpoint({
  method: 'POST',
  path: '/notification-channels',
  summary: 'Create a notification channel',
  description: 'Rules say which events it is sent.',
  access: mayWrite,
  body: NewChannel,
  returns: created({ data: ChannelView }),
  handle: async facts => ({ data: viewChannel(await makeChannel(facts, facts.body), facts.tenant) }),
})
