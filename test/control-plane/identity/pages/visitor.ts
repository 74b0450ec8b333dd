import { request } from 'undici'
import { app, given } from '#test/support/app.ts'

export interface Seen {
  status: number
  html: string
  headers: Record<string, string | string[] | undefined>
  location: string | null
}

/** A browser without scripts: it keeps cookies, and sends the forms that it was shown. */
export class Visitor {
  readonly cookies = new Map<string, string>()
  readonly ip = given.stranger().ip
  readonly language: string
  last: Seen | undefined

  constructor(language = 'en') {
    this.language = language
  }

  async #call(method: 'GET' | 'POST', path: string, body?: string, headers: Record<string, string> = {}) {
    const {
      statusCode,
      headers: received,
      body: stream,
    } = await request(app.baseUrl + path, {
      method,
      headers: {
        'X-Forwarded-For': this.ip,
        'Accept-Language': this.language,
        Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && {
          'Content-Type': 'application/x-www-form-urlencoded',
          'Sec-Fetch-Site': 'same-origin',
        }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    })
    for (const cookie of [received['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (/Max-Age=0/i.test(cookie)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const { location } = received
    this.last = {
      status: statusCode,
      html: await stream.text(),
      headers: received,
      location: typeof location === 'string' ? location : null,
    }
    return this.last
  }

  get = (path: string, headers?: Record<string, string>) => this.#call('GET', path, undefined, headers)

  /** Sends fields with the token of the last form that was shown. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Seen> {
    const token = /name="form_token" value="([\w-]+)"/.exec(this.last?.html ?? '')?.[1]
    const form = new URLSearchParams({ ...(token !== undefined && { form_token: token }), ...fields })
    return this.#call('POST', path, form.toString(), headers)
  }

  /** Opens the sign-in page and sends it. */
  async signIn(email: string, password: string, next?: string): Promise<Seen> {
    await this.get(`/login${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`)
    const shown = /name="next" value="([^"]*)"/.exec(this.last?.html ?? '')?.[1] ?? ''
    return this.post('/login', { email, password, next: shown.replaceAll('&amp;', '&') })
  }

  get isSignedIn(): boolean {
    return this.cookies.has('vedette')
  }
}
