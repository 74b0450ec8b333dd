import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { notify } from '#control-plane/identity/users/notify.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { Owner } from './recovery-codes.ts'

export const disableMfa = endpoint({
  method: 'DELETE',
  path: '/profile/mfa',
  operation: 'profile.mfa.disable',
  summary: 'Disable the second factor',
  access: 'session',
  needsFreshSession: true,
  allowsMissingFactor: true,
  rate: 'auth',
  underImpersonation: 'refused',
  body: Owner,
  returns: noContent,

  async handle(context) {
    const { body, caller, em, services, now, audit } = context
    const user = signedIn(caller)
    const { hasFactor } = await confirmIdentity(services, caller, body, now)
    if (!hasFactor) throw invalid({ otp_code: ['There is no second factor.'] }, 'mfa_not_enabled')
    await queries(em).deleteFrom('second_factors').where('user_id', '=', user.id).execute()
    notify(context, 'security_mfa_disabled', user)
    audit('mfa.disabled', { type: 'user', id: user.id })
  },
})
