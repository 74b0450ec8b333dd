import { z } from 'zod'
import { forbidden } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'

export const deleteSession = endpoint({
  method: 'DELETE',
  path: '/auth/token',
  operation: 'auth.signOut',
  summary: 'Sign out of this session',
  description: 'Revokes the session token of this call.',
  access: 'session',
  allowsMissingFactor: true,
  returns: ok({ message: z.string() }),

  async handle({ caller, em, audit }) {
    if (caller.kind !== 'ss')
      throw forbidden('Only a session can sign out; other tokens are deleted where they were made.', 'not_a_session')
    await queries(em).deleteFrom('tokens').where('id', '=', caller.tokenId).execute()
    audit('session.deleted', { type: 'user', id: caller.user?.id ?? null })
    return { message: 'Signed out.' }
  },
})
