import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { mayWrite } from './input.ts'
import { removeChannel } from './remove-channel.ts'

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/notification-channels/{notification_channel}',
  summary: 'Delete a notification channel',
  description:
    'With its rules and its notification log. ' +
    'A channel that an escalation policy calls is refused with the names of the policies.',
  access: mayWrite,
  returns: noContent,
  handle: context => removeChannel(context, context.params.notification_channel),
})
