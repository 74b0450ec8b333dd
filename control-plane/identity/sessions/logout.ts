import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { endedCookie, sessionOf } from '#control-plane/http/session-cookie.ts'
import { endBrowserSession } from './log-in.ts'

export const logout = endpoint({
  method: 'POST',
  path: '/auth/logout',
  operation: 'auth.logout',
  summary: 'Sign out in a browser',
  description:
    'Ends the session of its cookie, and takes the cookie away. ' +
    'The answer is the same where the session has ended already, and without a cookie.',
  access: 'public',
  detached: true,
  setsCookies: true,
  returns: noContent,

  async handle({ services, cookies, ip, requestId, setCookie }) {
    await endBrowserSession(services.platform, sessionOf(cookies, services.config), { ip, requestId })
    setCookie(endedCookie(services.config))
  },
})
