import type { AuthMethod } from '#control-plane/base/caller.ts'
import { cookieNameOf } from '#control-plane/http/session-cookie.ts'
import { openSession } from '#control-plane/identity/sessions/open.ts'
import { type Answer, type Asked, app, CallerUnderTest } from './app.ts'

/** A person in a browser: calls have the cookie of a session, and come from a page of our own. */
export class BrowserUnderTest extends CallerUnderTest {
  readonly cookie: string

  constructor(tenantId: string, userId: string | null, session: string) {
    super(tenantId, userId, null)
    this.cookie = `${cookieNameOf(app.services.config)}=${session}`
  }

  override call(method: string, path: string, body?: unknown, { headers = {} }: Asked = {}): Promise<Answer> {
    const browser = { Cookie: this.cookie, 'Sec-Fetch-Site': 'same-origin' }
    return super.call(method, path, body, { headers: { ...browser, ...headers } })
  }
}

/** The same person with a session in a browser. */
export async function inBrowser(
  of: CallerUnderTest,
  options: { method?: AuthMethod; isLocked?: boolean; hours?: number } = {},
): Promise<BrowserUnderTest> {
  const { token } = await openSession(app.services.platform, {
    keys: app.services.config,
    userId: of.userId ?? '',
    tenantId: of.tenantId,
    deviceName: 'Browser',
    userAgent: '',
    ip: of.ip,
    requestId: 'test',
    method: 'password',
    isByCookie: true,
    ...options,
  })
  return new BrowserUnderTest(of.tenantId, of.userId, token)
}
