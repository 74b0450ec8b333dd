import { lockChannel } from '#control-plane/alerting/channels/row.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { lockOrder, ownAccess, ownerOf, storeOrder } from './own.ts'

export const deleteContactMethod = endpoint({
  ...ownAccess,
  method: 'DELETE',
  path: '/profile/contact-methods/{contact_method}',
  operation: 'profile.contactMethods.delete',
  summary: 'Delete a contact method with its notification log',
  returns: noContent,

  async handle({ em, tenant, caller, params, audit }) {
    const owner = ownerOf(caller, tenant)
    const order = await lockOrder(em, owner)
    const { id, type, is_account } = await lockChannel(em, owner, params.contact_method)
    if (is_account)
      throw invalid({ contact_method: ['The address of the account stays: disable it instead.'] }, 'account_address')
    await queries(em)
      .deleteFrom('notification_channels')
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', id)
      .execute()
    await storeOrder(
      em,
      tenant,
      order.filter(each => each !== id),
    )
    audit('contact_method.deleted', { type: 'user', id: owner.ownerId }, { type })
  },
})
