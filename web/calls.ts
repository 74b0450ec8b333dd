import type { Middleware } from 'openapi-fetch'

/** A call that the app has made, as a program would make it. */
export interface Call {
  method: string
  url: string
  body?: string
  /** The media type of a file that is sent in place of a JSON body. */
  file?: string
  /** The managed team that it acts in. */
  tenant?: string
}

/** Read on every page, for its frame. */
const ofFrame = new Set(['/api/v1/user', '/api/v1/profile', '/api/v1/branding'])
const mostPages = 30
const mostOfPage = 20
const secret = /password|secret|token|code|otp|credential|api_key|ping_key/i

const byPage = new Map<string, Map<string, Call>>()

/** The calls of the page at hand, in the order of the first of each. */
export const callsOfPage = (): readonly Call[] => [...(byPage.get(location.pathname)?.values() ?? [])]

/** Remembers the calls of each page, so that a person can make them without the app. Secrets are left out. */
export const recordCalls: Middleware = {
  async onRequest({ request }) {
    const page = location.pathname
    const { pathname } = new URL(request.url)
    if (ofFrame.has(pathname) && !page.startsWith('/app/settings')) return
    const type = request.headers.get('Content-Type')
    const isFile = request.method !== 'GET' && type !== null && !type.startsWith('application/json')
    const text = request.method === 'GET' || isFile ? '' : await request.clone().text()
    const tenant = request.headers.get('X-Tenant-Id')
    keep(page, {
      method: request.method,
      url: request.url,
      ...(text !== '' && { body: withoutSecrets(text) }),
      ...(isFile && { file: type }),
      ...(tenant !== null && { tenant }),
    })
  },
}

function keep(page: string, call: Call): void {
  const calls = byPage.get(page) ?? new Map<string, Call>()
  if (!byPage.has(page) && byPage.size >= mostPages) byPage.delete([...byPage.keys()][0] ?? '')
  byPage.set(page, calls)
  const { pathname } = new URL(call.url)
  // another page of a list, another filter or another text of a form takes the place of the former
  if (calls.size < mostOfPage) calls.set(`${call.method} ${pathname}`, call)
}

const withoutSecrets = (text: string) =>
  JSON.stringify(JSON.parse(text), (name, value: unknown) =>
    typeof value === 'string' && secret.test(name) ? '…' : value,
  )
