import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { LinkToken } from '#control-plane/base/mail-link.ts'
import { invalid, Refusal } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { sessionCookie } from '#control-plane/http/session-cookie.ts'
import { deviceOf } from '#control-plane/identity/sessions/device.ts'
import { openSession } from '#control-plane/identity/sessions/open.ts'
import { LoginUser } from '#control-plane/identity/sessions/view.ts'
import { email, language, password, personName, timezone } from '#control-plane/identity/users/input.ts'
import { refuseWeakPassword } from '#control-plane/identity/users/password-policy.ts'
import { tenantFields } from '#control-plane/reselling/tenants/input.ts'
import { setupLinkMinutes, whyRefused } from './link.ts'
import { setUp } from './set-up.ts'

const refusals = {
  already_set_up: () => new Refusal(409, 'already_set_up', 'This installation is set up already. Sign in at /login.'),
  link_not_open: () => invalid({ token: ['This link is not valid, or not any more.'] }, 'link_not_open'),
  email_taken: () => invalid({ email: ['This address has an account already.'] }, 'taken'),
}

export const createSetup = endpoint({
  method: 'POST',
  path: '/setup',
  operation: 'setup.create',
  summary: 'Create the operator and the first team',
  description:
    'With the token of the set-up link. ' +
    `The token is behind \`#t=\` in the link that a first start prints; it works once, for ${setupLinkMinutes} ` +
    'minutes. The person operates this installation and owns the team. Opens a session of the browser. Once there ' +
    'is an operator the answer is 409, `already_set_up`.',
  access: 'public',
  rate: 'auth',
  detached: true,
  setsCookies: true,
  happensOnce: true,
  body: z.object({
    token: LinkToken,
    name: personName,
    email,
    password,
    team_name: tenantFields.name,
    language: language.default('en'),
    timezone: timezone.default('UTC'),
  }),
  returns: created({ user: LoginUser, expires_at: z.string().meta({ format: 'date-time' }) }),

  async handle({ body, services, ip, userAgent, requestId, setCookie }) {
    const { platform, config } = services
    const { token, team_name: teamName, ...person } = body
    const refusal = await whyRefused(platform, token)
    if (refusal !== null) throw refusals[refusal]()
    await refuseWeakPassword(services, 'password', person.password, [teamName, person.name, person.email])
    const session = await inTransaction(platform, async client => {
      const opened = await setUp(client, { ...person, teamName }, { token, actor: { ip, requestId } })
      if (typeof opened === 'string') throw refusals[opened]()
      const { userId, tenantId } = opened
      const device = { deviceName: deviceOf(userAgent, 'Browser'), userAgent, ip, requestId }
      return openSession(client, { keys: config, userId, tenantId, ...device, method: 'password', isByCookie: true })
    })
    setCookie(sessionCookie(config, session.token, session.expiresAt))
    return { user: session.user, expires_at: stamp(session.expiresAt) }
  },
})
