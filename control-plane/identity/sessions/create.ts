import { z } from 'zod'
import { line } from '#contract/line.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { entranceOf, openSession } from './open.ts'
import { refusePasswordLogin } from './password-login.ts'
import { recognise } from './recognise.ts'
import { LoginUser } from './view.ts'

export const createSession = endpoint({
  method: 'POST',
  path: '/auth/token',
  operation: 'auth.signIn',
  summary: 'Sign in with e-mail and password, and get a session token',
  description:
    'The token is shown once. It expires thirty days after its last use, at most ninety days after sign-in; ' +
    'beyond a hundred sessions the least recently used one ends. After a right password, an account with a ' +
    'second factor needs its code (422, `otp_required`) and a suspended team is refused (422, ' +
    '`tenant_suspended`). An unknown address, a wrong password and a wrong code give the same 401. Ten wrong ' +
    'passwords a minute from one network (IPv4 /24, IPv6 /64), or ten wrong codes in 15 minutes, block that ' +
    'network; after thirty from unknown networks each of these has one try a minute. Networks that the person ' +
    'has signed in from keep their tries.',
  access: 'public',
  rate: 'auth',
  detached: true,
  body: z.object({
    email: z.email().max(255),
    password: z.string().min(1).max(1_000),
    device_name: line(255),
    otp_code: z
      .string()
      .max(20)
      .optional()
      .meta({ description: 'Six digits of the authenticator, or one of the recovery codes.' }),
    tenant_id: z
      .uuid()
      .optional()
      .meta({ description: 'Which of the person’s teams to sign in to; by default the first one.' }),
  }),
  returns: created({ token: z.string(), user: LoginUser }),

  async handle({ body, services, now, ip, userAgent, requestId }) {
    const { email, password, otp_code: otpCode, tenant_id: tenantId } = body
    const device = { deviceName: body.device_name, userAgent, ip }
    const userId = await recognise(services, { email, password, otpCode, tenantId, from: device }, now)
    await refusePasswordLogin(services.platform, (await entranceOf(services.platform, userId, tenantId)).tenant_id)
    const session = { keys: services.config, userId, tenantId, requestId, method: 'password', ...device } as const
    return openSession(services.platform, session)
  },
})
