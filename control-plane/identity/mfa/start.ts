import { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import { encryptSecret } from '#control-plane/base/secrets.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { brandOfTenant } from '#control-plane/identity/pages/brand.ts'
import { confirmPassword, sessionOrigin } from '#control-plane/identity/profile/confirm-password.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { authenticatorUrl, newSecret, secretPurpose } from './secret.ts'

export const startMfa = endpoint({
  method: 'POST',
  path: '/profile/mfa',
  operation: 'profile.mfa.start',
  summary: 'Create a second factor',
  description:
    'A secret for an authenticator app. ' +
    'Takes effect once a code is confirmed with POST /profile/mfa/confirm. A second call creates another secret.',
  access: 'session',
  needsFreshSession: true,
  allowsMissingFactor: true,
  rate: 'auth',
  underImpersonation: 'refused',
  body: z.object({ password: z.string().min(1).max(1_000) }),
  returns: created({ data: z.object({ secret: z.string(), otpauth_url: z.string() }) }),

  async handle({ body, caller, tenant, em, services, audit }) {
    const user = signedIn(caller)
    await confirmPassword(services, user, body, sessionOrigin(caller))
    const secret = newSecret()
    const encrypted = encryptSecret(services.config, secretPurpose, user.id, secret)
    const { numInsertedOrUpdatedRows: stored } = await queries(em)
      .insertInto('second_factors')
      .values({ user_id: user.id, secret: encrypted })
      .onConflict(conflict =>
        conflict
          .column('user_id')
          .doUpdateSet({ secret: encrypted, last_step: '0' })
          .where('second_factors.confirmed_at', 'is', null),
      )
      .executeTakeFirstOrThrow()
    if (stored === 0n) throw invalid({ mfa: ['Is on already: switch it off first.'] }, 'mfa_enabled')
    audit('mfa.started', { type: 'user', id: user.id })
    const { name } = await brandOfTenant(services, tenant.id)
    return { data: { secret, otpauth_url: authenticatorUrl(secret, user.email, name) } }
  },
})
