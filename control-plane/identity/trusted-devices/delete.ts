import { z } from 'zod'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent, ok } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'

export const deleteTrustedDevice = endpoint({
  method: 'DELETE',
  path: '/profile/trusted-devices/{trusted_device}',
  operation: 'profile.trustedDevices.delete',
  summary: 'Delete one of your trusted browsers',
  description: 'Its next sign-in asks for the second factor.',
  access: 'session',
  underImpersonation: 'refused',
  returns: noContent,

  async handle({ params, caller, em, audit }) {
    const { id } = signedIn(caller)
    const { numDeletedRows: deleted } = await queries(em)
      .deleteFrom('trusted_devices')
      .where('user_id', '=', id)
      .where('id', '=', params.trusted_device)
      .executeTakeFirstOrThrow()
    if (deleted === 0n) throw notFound('Trusted device')
    audit('trusted_device.deleted', { type: 'user', id })
  },
})

export const deleteTrustedDevices = endpoint({
  method: 'DELETE',
  path: '/profile/trusted-devices',
  operation: 'profile.trustedDevices.deleteAll',
  summary: 'Delete all your trusted browsers',
  access: 'session',
  underImpersonation: 'refused',
  returns: ok({ data: z.object({ deleted: z.int() }) }),

  async handle({ caller, em, audit }) {
    const { id } = signedIn(caller)
    const devices = queries(em).deleteFrom('trusted_devices').where('user_id', '=', id)
    const deleted = Number((await devices.executeTakeFirstOrThrow()).numDeletedRows)
    if (deleted > 0) audit('trusted_device.deleted', { type: 'user', id }, { deleted })
    return { data: { deleted } }
  },
})
