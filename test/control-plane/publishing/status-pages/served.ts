import { request } from 'undici'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { aPage } from './pages.ts'

/** A published page, made through the API. */
export const aPublished = (
  owner: CallerUnderTest,
  fields: Record<string, unknown> = {},
): Promise<{ id: string; slug: string }> => aPage(owner, { name: 'Acme', state: 'published', ...fields })

export interface Visited {
  status: number
  text: string
  headers: Record<string, string | string[] | undefined>
}

/** Asks for a page as a visitor of its own address does. */
export async function visit(
  path: string,
  {
    base = app.baseUrl,
    method = 'GET',
    headers = {},
    form,
    ip = given.stranger().ip,
  }: {
    base?: string
    method?: 'GET' | 'POST' | 'HEAD'
    headers?: Record<string, string>
    form?: Record<string, string>
    ip?: string
  } = {},
): Promise<Visited> {
  const response = await request(base + path, {
    method: form ? 'POST' : method,
    headers: {
      'X-Forwarded-For': ip,
      ...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(form && { body: new URLSearchParams(form).toString() }),
  })
  return { status: response.statusCode, text: await response.body.text(), headers: response.headers }
}
