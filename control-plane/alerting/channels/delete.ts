import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { noContent } from '#control-plane/kernel/reply.ts'
import { mayWrite } from './input.ts'
import { findChannel } from './row.ts'

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: '/notification-channels/{notification_channel}',
  summary: 'Delete a notification channel with its rules and its log',
  access: mayWrite,
  returns: noContent,

  async handle({ em, tenant, params, audit }) {
    const { id, name, type } = await findChannel(em, tenant, params.notification_channel, 'for update')
    await em.execute('delete from notification_channels where tenant_id = ? and id = ?', [tenant.id, id])
    audit('notification_channel.deleted', { type: 'notification_channel', id }, { name, type })
  },
})
