import { findChannel } from '#control-plane/alerting/channels/row.ts'
import { sendTest, testFields } from '#control-plane/alerting/channels/test.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ownAccess, ownerOf } from './own.ts'

export const testContactMethod = endpoint({
  ...ownAccess,
  method: 'POST',
  path: '/profile/contact-methods/{contact_method}/test',
  operation: 'profile.contactMethods.test',
  summary: 'Send an example to a contact method and return the outcome',
  description: 'A success verifies it until its configuration changes; an e-mail address is confirmed by its link.',
  ...testFields,

  async handle(context) {
    const { tenant, caller, params, services, now } = context
    const owner = ownerOf(caller, tenant)
    const { channel, shown } = await sendTest(context, (em, sideEffects) => {
      sideEffects.audits.push({
        whose: 'tenant',
        action: 'contact_method.tested',
        type: 'user',
        id: owner.ownerId,
        changes: undefined,
      })
      return findChannel(em, owner, params.contact_method)
    })
    if (shown.success)
      await queries(services.platform)
        .updateTable('notification_channels')
        .set({ verified_at: now.toISOString() })
        .where('id', '=', channel.id)
        // not if it was changed meanwhile
        .where('updated_at', '=', channel.updated_at)
        .execute()
    return { data: shown }
  },
})
