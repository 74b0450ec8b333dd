import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { forbidden, invalid, unauthenticated } from '#control-plane/base/refusal.ts'
import { freshMs } from '#control-plane/http/access/proofs.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { confirmIdentity } from '#control-plane/identity/mfa/confirm-identity.ts'
import { SignInAnswer } from '#control-plane/identity/passkeys/answers.ts'
import { confirmPasskey } from '#control-plane/identity/passkeys/pass.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { markFresh } from './rotate.ts'

export const stepUp = endpoint({
  method: 'POST',
  path: '/auth/step-up',
  operation: 'auth.stepUp',
  summary: 'Confirm in a browser session that it is you',
  description:
    'For what is dangerous. ' +
    'Needs the password, and a code where there is a second factor, or a passkey. For ten minutes the session may ' +
    'then do what otherwise answers 403 with `reauthentication_required`; a sign-in counts too. The cookie is ' +
    'replaced. Other tokens need no such confirmation.',
  access: 'session',
  rate: 'auth',
  underImpersonation: 'refused',
  allowsMissingFactor: true,
  detached: true,
  setsCookies: true,
  body: z.object({
    password: z.string().min(1).max(1_000).optional().meta({ description: 'Needed without `passkey`.' }),
    otp_code: z.string().max(20).optional(),
    passkey: SignInAnswer.optional().meta({
      description: 'In place of password and code: the answer to the options of POST /auth/passkeys/options.',
    }),
  }),
  returns: ok({ fresh_until: z.string().meta({ format: 'date-time' }) }),

  async handle({ body, caller, services, now, ip, requestId, host, setCookie }) {
    const { config, platform } = services
    if (!caller.isByCookie) throw forbidden('Only the session of a browser is confirmed.', 'not_a_browser_session')
    const { password, otp_code, passkey } = body
    if (passkey) await confirmPasskey(services, caller, passkey, { host, ip, requestId })
    else if (password === undefined) throw invalid({ password: ['Is needed.'] })
    else await confirmIdentity(services, caller, { password, otp_code }, now)
    const cookie = await markFresh(platform, config, caller, passkey ? 'passkey' : null)
    if (cookie === null) throw unauthenticated()
    const { tokenId, tenant, user } = caller
    const entry = { tenantId: tenant.id, action: 'session.confirmed', type: 'user' as const, id: user?.id ?? null }
    await addAudit(platform, [entry], { userId: user?.id ?? null, tokenId, ip, requestId })
    setCookie(cookie)
    return { fresh_until: stamp(new Date(now.getTime() + freshMs)) }
  },
})
