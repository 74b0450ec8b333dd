import { z } from 'zod'
import { storeChanges } from '#control-plane/alerting/channels/change-channel.ts'
import { Config, Name, saveLimit } from '#control-plane/alerting/channels/input.ts'
import { findChannel } from '#control-plane/alerting/channels/row.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { lockOrder, mostContactMethods, ownAccess, ownerOf, storeOrder, validateRecipient } from './own.ts'
import { ContactMethodView, viewContactMethod } from './view.ts'

export const updateContactMethod = endpoint({
  ...ownAccess,
  method: 'PATCH',
  path: '/profile/contact-methods/{contact_method}',
  operation: 'profile.contactMethods.update',
  summary: 'Update a contact method',
  description:
    'Also its place in your order of preference. ' +
    'Fields that are not sent stay. The configuration of the address of the account cannot be changed.',
  body: z
    .object({
      name: Name,
      config: Config.meta({ description: 'As of a notification channel of this type.' }),
      is_enabled: z.boolean(),
      position: z.int().min(1).max(mostContactMethods),
    })
    .partial(),
  limit: saveLimit,
  returns: ok({ data: ContactMethodView }),

  async handle(context) {
    const { em, tenant, caller, params, body, audit } = context
    const owner = ownerOf(caller, tenant)
    const found = await findChannel(em, owner, params.contact_method)
    if (found.is_account && body.config !== undefined)
      throw invalid({ config: ['Is the address of your account: change it in your profile.'] })
    validateRecipient(found.type, body.config)
    const order = await lockOrder(em, owner)
    const { position, ...fields } = body
    const { names, changed } = await storeChanges(context, owner, found.id, fields)
    const isMoved = position !== undefined && order.indexOf(found.id) !== Math.min(position, order.length) - 1
    if (isMoved) {
      const others = order.filter(id => id !== found.id)
      await storeOrder(em, tenant, others.toSpliced(position - 1, 0, found.id))
    }
    // names and addresses are personal: the entry lists the fields only
    const all = [...names, ...changed.map(name => `config.${name}`), ...(isMoved ? ['position'] : [])]
    if (all.length > 0)
      audit('contact_method.updated', { type: 'user', id: owner.ownerId }, { type: found.type, fields: all })
    return { data: viewContactMethod(await findChannel(em, owner, found.id), tenant) }
  },
})
