import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { notify } from '#control-plane/identity/users/notify.ts'
import { confirmIdentity } from './confirm-identity.ts'
import { mintRecoveryCodes } from './secret.ts'

export const Owner = z.object({
  password: z.string().min(1).max(1_000),
  otp_code: z
    .string()
    .min(1)
    .max(20)
    .meta({ description: 'Six digits of the authenticator, or one of the recovery codes.' }),
})

export const storeRecoveryCodes = (em: EntityManager, userId: string, hashes: readonly Buffer[]) =>
  queries(em)
    .updateTable('second_factors')
    .set({ recovery_hashes: [...hashes] })
    .where('user_id', '=', userId)
    .execute()

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/profile/mfa/recovery-codes',
  operation: 'profile.mfa.renewRecoveryCodes',
  summary: 'Replace the recovery codes',
  access: 'session',
  needsFreshSession: true,
  allowsMissingFactor: true,
  rate: 'auth',
  underImpersonation: 'refused',
  body: Owner,
  returns: ok({ data: z.object({ recovery_codes: z.array(z.string()) }) }),

  async handle(context) {
    const { body, caller, em, services, now, audit } = context
    const user = signedIn(caller)
    const { hasFactor } = await confirmIdentity(services, caller, body, now)
    if (!hasFactor) throw invalid({ otp_code: ['There is no second factor.'] }, 'mfa_not_enabled')
    const { codes, hashes } = mintRecoveryCodes()
    await storeRecoveryCodes(em, user.id, hashes)
    notify(context, 'security_recovery_codes_regenerated', user)
    audit('mfa.recovery_codes_renewed', { type: 'user', id: user.id })
    return { data: { recovery_codes: codes } }
  },
})
