import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { forbidden, unauthenticated } from '#control-plane/base/refusal.ts'
import { freshMs } from '#control-plane/http/access/fresh.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { confirmIdentity } from '#control-plane/identity/mfa/confirm-identity.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { markFresh } from './rotate.ts'

export const stepUp = endpoint({
  method: 'POST',
  path: '/auth/step-up',
  operation: 'auth.stepUp',
  summary: 'Confirm in a browser session that it is you, for what is dangerous',
  description:
    'Needs the password, and a code where there is a second factor. For ten minutes the session may then do what ' +
    'otherwise answers 403 with `reauthentication_required`; a sign-in counts too. The cookie is replaced. Other ' +
    'tokens need no such confirmation.',
  access: 'session',
  rate: 'auth',
  underImpersonation: 'refused',
  allowsMissingFactor: true,
  detached: true,
  setsCookies: true,
  body: z.object({ password: z.string().min(1).max(1_000), otp_code: z.string().max(20).optional() }),
  returns: ok({ fresh_until: z.string().meta({ format: 'date-time' }) }),

  async handle({ body, caller, services, now, ip, requestId, setCookie }) {
    const { config, platform } = services
    if (!caller.isByCookie) throw forbidden('Only the session of a browser is confirmed.', 'not_a_browser_session')
    await confirmIdentity(services, caller, body, now)
    const cookie = await markFresh(platform, config, caller)
    if (cookie === null) throw unauthenticated()
    const { tokenId, tenant, user } = caller
    const entry = { tenantId: tenant.id, action: 'session.confirmed', type: 'user' as const, id: user?.id ?? null }
    await addAudit(platform, [entry], { userId: user?.id ?? null, tokenId, ip, requestId })
    setCookie(cookie)
    return { fresh_until: stamp(new Date(now.getTime() + freshMs)) }
  },
})
