import { z } from 'zod'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { invalid } from '#control-plane/kernel/refusal.ts'
import { noContent } from '#control-plane/kernel/reply.ts'
import { signedIn } from '#control-plane/people/sessions/signed-in.ts'
import { password } from '#control-plane/people/users/input.ts'
import { notify } from '#control-plane/people/users/notify.ts'
import { hashPassword, normalisePassword } from '#control-plane/people/users/password.ts'
import { refuseWeakPassword } from '#control-plane/people/users/password-policy.ts'
import { confirmPassword } from './confirm-password.ts'

export const changePassword = endpoint({
  method: 'POST',
  path: '/profile/password',
  summary: 'Change your password',
  description: 'All your other sessions and all your personal keys, in every team, end at once; the session used for this call goes on.',
  access: 'session',
  rate: 'auth',
  underImpersonation: 'refused',
  body: z.object({ current_password: z.string().min(1).max(1_000), password }),
  returns: noContent,

  async handle(facts) {
    const { body, caller, tenant, em, services, audit } = facts
    const user = signedIn(caller)
    await confirmPassword(services, user, body.current_password, 'current_password')
    if (normalisePassword(body.password) === normalisePassword(body.current_password)) throw invalid({ password: ['Must be another than the current one.'] })
    await refuseWeakPassword(services, 'password', body.password, [tenant.name, user.name, user.email])
    await em.execute('update users set password_hash = ?, password_changed_at = now(), updated_at = now() where id = ?', [
      await hashPassword(body.password),
      user.id,
    ])
    await em.execute(`delete from tokens where user_id = ? and kind in ('ss', 'sk') and id <> ?`, [user.id, caller.tokenId])
    notify(facts, 'security_password_changed', user)
    audit('password.changed', { type: 'user', id: user.id })
  },
})
