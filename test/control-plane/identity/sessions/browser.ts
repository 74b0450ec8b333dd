import { cookieNameOf } from '#control-plane/http/session-cookie.ts'
import { type Answer, app, CallerUnderTest } from '#test/support/app.ts'
import { password } from '../people.ts'

const { config } = app.services

/** A browser that keeps the cookies it is given, and whose pages are our own. */
export class CookieJar extends CallerUnderTest {
  readonly cookies = new Map<string, string>()
  readonly userAgent: string

  constructor(userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0') {
    super('', null, null)
    this.userAgent = userAgent
  }

  get session(): string | undefined {
    return this.cookies.get(cookieNameOf(config))
  }

  override async call(
    method: string,
    path: string,
    body?: unknown,
    { headers = {} }: { headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const sent = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await super.call(method, path, body, {
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        'User-Agent': this.userAgent,
        ...(sent && { Cookie: sent }),
        ...headers,
      },
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';', 1)[0]!.split('=')
      if (/Max-Age=0/.test(cookie)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  logIn = (email: string, more: Record<string, unknown> = {}) => this.post('/auth/login', { email, password, ...more })
}
