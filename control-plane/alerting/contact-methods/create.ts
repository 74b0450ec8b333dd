import { z } from 'zod'
import { channelTypes } from '#contract/plans.ts'
import { Sentence } from '#contract/sentence.ts'
import { insertChannel } from '#control-plane/alerting/channels/create-channel.ts'
import { Config, Name, saveLimit } from '#control-plane/alerting/channels/input.ts'
import { findChannel } from '#control-plane/alerting/channels/row.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { lockOrder, mostContactMethods, ownAccess, ownerOf, validateRecipient } from './own.ts'
import { ContactMethodView, viewContactMethod } from './view.ts'

export const createContactMethod = endpoint({
  ...ownAccess,
  method: 'POST',
  path: '/profile/contact-methods',
  operation: 'profile.contactMethods.create',
  summary: 'Add a way to reach you when you are on call',
  description:
    'Its configuration is that of a notification channel. An e-mail address has to be confirmed by a mailed link. ' +
    'It becomes the last in your order of preference.',
  body: z.object({
    name: Name,
    type: z.enum(channelTypes),
    config: Config.meta({ description: 'As of a notification channel of this type.' }),
    is_enabled: z.boolean().default(true),
  }),
  limit: saveLimit,
  returns: created({ data: ContactMethodView }),

  async handle(context) {
    const { em, tenant, caller, body, audit } = context
    const owner = ownerOf(caller, tenant)
    validateRecipient(body.type, body.config)
    const count = (await lockOrder(em, owner)).length
    if (count >= mostContactMethods)
      throw invalid(
        { type: [new Sentence('At most {n} contact methods.', { n: mostContactMethods })] },
        'too_many_contact_methods',
      )
    const id = await insertChannel(context, body, { id: owner.ownerId, position: count + 1 })
    audit('contact_method.created', { type: 'user', id: owner.ownerId }, { type: body.type })
    return { data: viewContactMethod(await findChannel(em, owner, id), tenant) }
  },
})
