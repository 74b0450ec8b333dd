import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayRead } from './input.ts'
import { findChannel } from './row.ts'
import { ChannelView, viewChannel } from './view.ts'

export const getChannel = endpoint({
  method: 'GET',
  path: '/notification-channels/{notification_channel}',
  summary: 'Get a notification channel',
  access: mayRead,
  returns: ok({ data: ChannelView }),
  handle: async ({ em, tenant, params }) => ({
    data: viewChannel(await findChannel(em, tenant, params.notification_channel), tenant),
  }),
})
