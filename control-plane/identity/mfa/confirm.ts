import { sql } from 'kysely'
import { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { notify } from '#control-plane/identity/users/notify.ts'
import { storeRecoveryCodes } from './recovery-codes.ts'
import { decryptFactor, mintRecoveryCodes, stepOf } from './secret.ts'

export const confirmMfa = endpoint({
  method: 'POST',
  path: '/profile/mfa/confirm',
  summary: 'Enable the second factor with a first code',
  description:
    'Answers with recovery codes. ' + 'The recovery codes are shown only once. Each replaces a code at one sign-in.',
  access: 'session',
  needsFreshSession: true,
  allowsMissingFactor: true,
  rate: 'auth',
  underImpersonation: 'refused',
  body: z.object({ code: z.string().regex(/^\d{6}$/, 'Must be six digits.') }),
  returns: ok({ data: z.object({ mfa_enabled: z.boolean(), recovery_codes: z.array(z.string()) }) }),

  async handle(context) {
    const { body, caller, em, services, now, audit } = context
    const user = signedIn(caller)
    const factors = queries(em).selectFrom('second_factors').where('user_id', '=', user.id)
    const factor = await factors.select(['secret', 'confirmed_at']).forUpdate().executeTakeFirst()
    if (!factor) throw invalid({ code: ['Begin with POST /profile/mfa.'] }, 'mfa_not_started')
    if (factor.confirmed_at !== null) throw invalid({ code: ['The second factor is on already.'] }, 'mfa_enabled')
    const step = await stepOf(decryptFactor(services.config, user.id, factor.secret, 'code'), body.code, 0, now)
    if (step === null) throw invalid({ code: ['Is not the code of this moment.'] }, 'wrong_code')
    await queries(em)
      .updateTable('second_factors')
      .set({ confirmed_at: sql<string>`now()`, last_step: String(step) })
      .where('user_id', '=', user.id)
      .execute()
    const { codes, hashes } = mintRecoveryCodes()
    await storeRecoveryCodes(em, user.id, hashes)
    notify(context, 'security_mfa_enabled', user)
    audit('mfa.enabled', { type: 'user', id: user.id })
    return { data: { mfa_enabled: true, recovery_codes: codes } }
  },
})
