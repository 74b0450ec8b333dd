import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { noContent } from '#control-plane/kernel/reply.ts'
import { signedIn } from '#control-plane/people/sessions/signed-in.ts'
import { confirmOwner, Owner } from './confirm-owner.ts'

export const disableMfa = endpoint({
  method: 'DELETE',
  path: '/profile/mfa',
  summary: 'Switch the second factor off, with the password and a code',
  access: 'session',
  rate: 'auth',
  underImpersonation: 'refused',
  body: Owner,
  returns: noContent,

  async handle(facts) {
    const user = signedIn(facts.caller)
    await confirmOwner(facts, user)
    await facts.em.execute('delete from second_factors where user_id = ?', [user.id])
    facts.audit('mfa.disabled', { type: 'user', id: user.id })
  },
})
