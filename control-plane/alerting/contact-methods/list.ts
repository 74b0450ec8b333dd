import { z } from 'zod'
import { selectChannels } from '#control-plane/alerting/channels/row.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mostContactMethods, ownAccess, ownerOf } from './own.ts'
import { ContactMethodView, viewContactMethod } from './view.ts'

export const listContactMethods = endpoint({
  ...ownAccess,
  method: 'GET',
  path: '/profile/contact-methods',
  operation: 'profile.contactMethods.list',
  summary: 'List how you are reached when you are on call',
  description:
    'In your order of preference. ' +
    'They are yours in the team of your session: administrators see only their types and whether they are verified. ' +
    `At most ${mostContactMethods}.`,
  returns: ok({ data: z.array(ContactMethodView) }),

  async handle({ em, tenant, caller }) {
    const rows = await selectChannels(em, ownerOf(caller, tenant)).orderBy('c.position').orderBy('c.id').execute()
    return { data: rows.map(row => viewContactMethod(row, tenant)) }
  },
})
