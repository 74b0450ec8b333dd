import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { messageOf, StartFault } from '#cli/fault.ts'

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: what an endpoint answers is in the OpenAPI document
  body: any
}

/** The API has refused a request. */
export class RefusedRequest extends StartFault {
  readonly status: number
  /** In one sentence. */
  readonly reason: string
  /** Reasons by field. */
  readonly errors: Record<string, string[]>

  constructor(asked: string, status: number, reason: string, errors: Record<string, string[]>) {
    const reasons = Object.entries(errors).map(([field, found]) => `${field}: ${found.join(' ')}`)
    super(
      'failed',
      `${asked} was refused with status ${status}`,
      [reason, ...reasons].filter(Boolean).map(printable).join('\n          '),
    )
    this.status = status
    this.reason = reason
    this.errors = errors
  }
}

/** The public API with the token of a team. An answer that is no success is a `RefusedRequest` with its reasons. */
export interface Api {
  readonly url: string
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /** Sends a file as it is. */
  upload(path: string, content: Buffer): Promise<Answer>
}

/** The value of an option, of a variable, or of the file that either names. */
export function secretFrom(env: NodeJS.ProcessEnv, name: string, file: string | undefined): string | undefined {
  const path = file ?? env[`${name}_FILE`]
  if (path === undefined) return env[name]?.trim() || undefined
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch (error) {
    throw new StartFault('config', `the file ${path} cannot be read`, messageOf(error))
  }
}

/** Where the API is, and the token, of options or the environment. */
export function apiFrom(env: NodeJS.ProcessEnv, given: { url?: string; tokenFile?: string }): Api {
  const url = given.url ?? env.VEDETTE_URL
  const token = secretFrom(env, 'VEDETTE_TOKEN', given.tokenFile)
  if (!url || !/^https?:\/\/[^/\s]/.test(url))
    throw new StartFault('config', 'no address is named', 'Say where Vedette is.', 'VEDETTE_URL=https://… vedette …')
  if (!token)
    throw new StartFault(
      'config',
      'no token is named',
      'The API is called with a token of the team, which the app creates under Settings.',
      'VEDETTE_TOKEN_FILE=token vedette …',
    )
  return openApi(url, token)
}

const mostWaits = 30

export function openApi(address: string, token: string): Api {
  const url = address.replace(/\/+$/, '')
  async function ask(method: string, path: string, type: string | null, content: string | Buffer | null) {
    for (let waits = 0; ; waits++) {
      let response: Response
      try {
        response = await fetch(`${url}/api/v1${path}`, {
          method,
          headers: {
            Authorization: `Bearer ${token}`,
            'User-Agent': 'Vedette-CLI/1',
            ...(type !== null && { 'Content-Type': type }),
          },
          body: typeof content === 'string' || content === null ? content : new Uint8Array(content),
          redirect: 'error',
        })
      } catch (error) {
        const cause = error instanceof Error && error.cause ? messageOf(error.cause) : messageOf(error)
        throw new StartFault('dependency', `${url} cannot be reached`, cause)
      }
      if (response.status === 429 && waits < mostWaits) {
        await response.body?.cancel()
        await pause(1_000 * Math.min(60, Number(response.headers.get('retry-after')) || 1))
        continue
      }
      return answerOf(response, `${method} ${path}`)
    }
  }
  return {
    url,
    call: (method, path, body) =>
      body === undefined ? ask(method, path, null, null) : ask(method, path, 'application/json', JSON.stringify(body)),
    upload: (path, content) => ask('PUT', path, 'application/octet-stream', content),
  }
}

async function answerOf(response: Response, asked: string): Promise<Answer> {
  const text = await response.text()
  let body: Answer['body']
  try {
    body = text === '' ? null : JSON.parse(text)
  } catch {
    throw new StartFault('dependency', `${asked} was answered with no JSON`, `Status ${response.status}.`)
  }
  if (response.ok) return { status: response.status, body }
  throw new RefusedRequest(asked, response.status, String(body?.message ?? ''), body?.errors ?? {})
}

/** All records of a list. */
export async function listAll(api: Api, path: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = []
  for (let page = 1; ; page++) {
    const { body } = await api.call('GET', `${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=100`)
    all.push(...body.data)
    // a short list has no pages
    if (!body.meta || body.data.length === 0 || all.length >= body.meta.total) return all
  }
}

/** Text of others as a terminal may show it: without control characters. */
export const printable = (text: string) => text.replace(/\p{Cc}+/gu, ' ')
