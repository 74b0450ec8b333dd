import { z } from 'zod'
import { line } from '#contract/line.ts'
import { stamp } from '#contract/time.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { sessionCookie, sessionOf } from '#control-plane/http/session-cookie.ts'
import { deviceOf } from '#control-plane/identity/sessions/device.ts'
import { endBrowserSession } from '#control-plane/identity/sessions/log-in.ts'
import { openSession } from '#control-plane/identity/sessions/open.ts'
import { badCredentials } from '#control-plane/identity/sessions/recognise.ts'
import { LoginUser } from '#control-plane/identity/sessions/view.ts'
import { SignInAnswer } from './answers.ts'
import { personOfPasskey } from './recognise.ts'
import { relyingPartyOf } from './relying-party.ts'

export const signInByPasskey = endpoint({
  method: 'POST',
  path: '/auth/passkeys/verify',
  operation: 'auth.passkeys.signIn',
  summary: 'Sign in with a passkey',
  description:
    'Begins with POST /auth/passkeys/options. The session is set as a cookie, and ends the one that the browser had; ' +
    'with `as: token` it is answered as a token, which is shown once. A second factor is not asked for: the device ' +
    'has verified the person. An unknown passkey, a wrong answer and one given before are the same 401.',
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

  async handle({ body, services, ip, userAgent, requestId, host, cookies, setCookie }) {
    const party = relyingPartyOf(services, host)
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
    if (isByCookie) {
      await endBrowserSession(services.platform, sessionOf(cookies, services.config), { ip, requestId })
      setCookie(sessionCookie(services.config, token, expiresAt))
    }
    return { user, expires_at: stamp(expiresAt), ...(!isByCookie && { token }) }
  },
})
