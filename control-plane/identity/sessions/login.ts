import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { sessionCookie } from '#control-plane/http/session-cookie.ts'
import { SignInAnswer } from '#control-plane/identity/passkeys/answers.ts'
import { logIn } from './log-in.ts'
import { LoginUser } from './view.ts'

export const login = endpoint({
  method: 'POST',
  path: '/auth/login',
  operation: 'auth.login',
  summary: 'Sign in with e-mail and password in a browser',
  description:
    'The session is a cookie. ' +
    'For pages of this service alone (`Sec-Fetch-Site: same-origin`, or its `Origin`). The cookie is not readable by ' +
    'scripts. A session that the browser already had ends. Accounts, second factors and wrong guesses are handled as ' +
    'by POST /auth/token. With `remember_device` and a code, a second cookie lets this browser sign in without ' +
    'a code for thirty days.',
  access: 'public',
  rate: 'auth',
  detached: true,
  setsCookies: true,
  body: z.object({
    email: z.email().max(255),
    password: z.string().min(1).max(1_000),
    otp_code: z
      .string()
      .max(20)
      .optional()
      .meta({ description: 'Six digits of the authenticator, or one of the recovery codes.' }),
    passkey: SignInAnswer.optional().meta({
      description: 'In place of a code: the answer to the options of POST /auth/passkeys/options.',
    }),
    tenant_id: z
      .uuid()
      .optional()
      .meta({ description: 'Which of the person’s teams to sign in to; by default the first one.' }),
    remember_device: z
      .boolean()
      .default(false)
      .meta({ description: 'Ask for no code in this browser for thirty days. Needs `otp_code`.' }),
  }),
  returns: ok({ user: LoginUser, expires_at: z.string().meta({ format: 'date-time' }) }),

  async handle({ body, services, now, ip, userAgent, requestId, cookies, host, setCookie }) {
    const { email, password, otp_code: otpCode, passkey, tenant_id: tenantId, remember_device: remembers } = body
    const from = { ip, userAgent, requestId, cookies, host }
    const { user, token, expiresAt, deviceCookie } = await logIn(
      services,
      { email, password, otpCode, passkey, tenantId, remembers },
      from,
      now,
    )
    setCookie(sessionCookie(services.config, token, expiresAt))
    if (deviceCookie) setCookie(deviceCookie)
    return { user, expires_at: stamp(expiresAt) }
  },
})
