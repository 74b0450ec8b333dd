import { request } from 'undici'
import { app } from '#test/support/app.ts'

/** A browser without a script: it keeps cookies, opens a link and presses the button of the page. */
export class Browser {
  readonly cookies = new Map<string, string>()
  readonly #ip: string
  readonly #baseUrl: string

  constructor(ip: string, baseUrl = app.baseUrl) {
    this.#ip = ip
    this.#baseUrl = baseUrl
  }

  async call(method: 'GET' | 'HEAD' | 'POST', path: string, form?: Record<string, string>, headers = {}) {
    const response = await request(this.#baseUrl + path, {
      method,
      headers: {
        'X-Forwarded-For': this.#ip,
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
        ...(this.cookies.size > 0 && {
          Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
        ...(form && { 'Content-Type': 'application/x-www-form-urlencoded', 'Sec-Fetch-Site': 'same-origin' }),
        ...headers,
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    })
    for (const cookie of [response.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.cookies.set(name, value)
    }
    return { status: response.statusCode, headers: response.headers, html: await response.body.text() }
  }

  /** GETs a link, at any origin, and returns the page. */
  show(link: string, headers = {}) {
    const { pathname, search } = new URL(link)
    return this.call('GET', pathname + search, undefined, headers)
  }

  /** GETs a link and sends the form of the page that it shows; a page without a form is the answer. */
  async open(link: string) {
    const page = await this.show(link)
    const form = formOf(page.html)
    return form === undefined ? page : this.call('POST', '/sso/partner', form)
  }

  /** An API call by the cookie of the session. */
  async api(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown) {
    const response = await request(`${this.#baseUrl}/api/v1${path}`, {
      method,
      headers: {
        'X-Forwarded-For': this.#ip,
        'Sec-Fetch-Site': 'same-origin',
        Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.body.text()
    // biome-ignore lint/suspicious/noExplicitAny: of any endpoint
    return { status: response.statusCode, body: (text ? JSON.parse(text) : undefined) as any }
  }
}

/** The hidden fields of the form of a page, or undefined without one. */
export function formOf(html: string): Record<string, string> | undefined {
  if (!html.includes('<form')) return undefined
  return Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
    ]),
  )
}
