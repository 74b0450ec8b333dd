import { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { markFresh } from '#control-plane/identity/sessions/rotate.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { password } from '#control-plane/identity/users/input.ts'
import { hashPassword, normalisePassword } from '#control-plane/identity/users/password.ts'
import { refuseWeakPassword } from '#control-plane/identity/users/password-policy.ts'
import { setPassword } from '#control-plane/identity/users/set-password.ts'
import { confirmPassword, sessionOrigin } from './confirm-password.ts'

export const changePassword = endpoint({
  method: 'POST',
  path: '/profile/password',
  operation: 'profile.changePassword',
  summary: 'Change your password',
  description:
    'All your other sessions and all your personal tokens, in every team, end at once, as do password reset links ' +
    'and a pending change of address. The session of this call stays; a browser gets another cookie.',
  access: 'session',
  needsFreshSession: true,
  rate: 'auth',
  underImpersonation: 'refused',
  detached: true,
  body: z.object({ current_password: z.string().min(1).max(1_000), password }),
  returns: noContent,

  async handle({ body, caller, tenant, services, ip, requestId, now, setCookie }) {
    const user = signedIn(caller)
    await confirmPassword(
      services,
      user,
      { password: body.current_password, field: 'current_password' },
      sessionOrigin(caller),
    )
    if (normalisePassword(body.password) === normalisePassword(body.current_password))
      throw invalid({ password: ['Must be another than the current one.'] })
    await refuseWeakPassword(services, 'password', body.password, [tenant.name, user.name, user.email])
    const hash = await hashPassword(body.password)
    const { id, name, email, language } = user
    const change = {
      person: { id, name, email, language },
      hash,
      action: 'password.changed',
      tenantId: tenant.id,
      tokenId: caller.tokenId,
    } as const
    const cookie = await inTransaction(services.platform, async client => {
      await setPassword(client, services.config, { ...change, ip, requestId, now })
      return markFresh(client, services.config, caller)
    })
    if (cookie) setCookie(cookie)
  },
})
