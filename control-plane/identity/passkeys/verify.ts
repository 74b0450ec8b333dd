import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { line } from '#control-plane/base/line.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { sessionCookie } from '#control-plane/http/session-cookie.ts'
import { deviceOf } from '#control-plane/identity/sessions/device.ts'
import { openSession } from '#control-plane/identity/sessions/open.ts'
import { badCredentials } from '#control-plane/identity/sessions/recognise.ts'
import { LoginUser } from '#control-plane/identity/sessions/view.ts'
import { SignInAnswer } from './answers.ts'
import { personOfPasskey } from './recognise.ts'
import { platformParty } from './relying-party.ts'

export const signInByPasskey = endpoint({
  method: 'POST',
  path: '/auth/passkeys/verify',
  operation: 'auth.passkeys.signIn',
  summary: 'Sign in with a passkey',
  description:
    'Begins with POST /auth/passkeys/options. The session is set as a cookie, or, with `as: token`, answered as a ' +
    'token, which is shown once. A second factor is not asked for: the device of the passkey has verified the person. ' +
    'An unknown passkey, a wrong answer and one given before are the same 401.',
  access: 'public',
  rate: 'auth',
  detached: true,
  setsCookies: true,
  body: z.object({
    credential: SignInAnswer,
    as: z.enum(['cookie', 'token']).default('cookie'),
    device_name: line(255).optional().meta({ description: 'By default browser and system.' }),
    tenant_id: z
      .uuid()
      .optional()
      .meta({ description: 'Which of the person’s teams to sign in to; by default the first one.' }),
  }),
  returns: created({
    user: LoginUser,
    expires_at: z.string().meta({ format: 'date-time', description: 'When the session ends at the latest.' }),
    token: z.string().optional().meta({ description: 'With `as: token`.' }),
  }),

  async handle({ body, services, ip, userAgent, requestId, setCookie }) {
    const party = platformParty(services.config)
    const userId = await personOfPasskey(services, body.credential, party, { ip, requestId })
    if (userId === null) throw badCredentials()
    const isByCookie = body.as === 'cookie'
    const { token, user, expiresAt } = await openSession(services.platform, {
      keys: services.config,
      userId,
      tenantId: body.tenant_id,
      deviceName: body.device_name ?? deviceOf(userAgent, 'Browser'),
      userAgent,
      ip,
      requestId,
      method: 'passkey',
      isByCookie,
    })
    if (isByCookie) setCookie(sessionCookie(services.config, token, expiresAt))
    return { user, expires_at: stamp(expiresAt), ...(!isByCookie && { token }) }
  },
})
