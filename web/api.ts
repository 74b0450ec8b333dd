import createClient from 'openapi-fetch'
import type { components, paths } from './api-types.d.ts'
import { recordCalls } from './calls.ts'
import { actingIn } from './shell/acting.ts'
import { leave } from './shell/session-end.ts'
import { stepUp } from './shell/step-up.ts'

/** A refusal of the API, as its body says it. */
export class ApiError extends Error {
  readonly status: number
  /** A word for programs, such as `not_found`. */
  readonly code: string
  /** The first thing wrong with each field, by its name. */
  readonly fields: Readonly<Record<string, string>>
  readonly requestId: string | null

  constructor(status: number, body: Partial<RefusalBody>, requestId: string | null) {
    super(body.message ?? `HTTP ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.code = body.code ?? 'unknown'
    this.fields = Object.fromEntries(Object.entries(body.errors ?? {}).map(([name, [first = '']]) => [name, first]))
    this.requestId = requestId
  }
}

interface RefusalBody {
  message: string
  code: string
  errors?: Record<string, string[]>
}

export type Schemas = components['schemas']

/** The API with the cookie of this browser, in the team that a reseller has stepped into. */
export const api = createClient<paths>({ baseUrl: location.origin, credentials: 'same-origin' })

api.use({
  onRequest({ request }) {
    const team = actingIn()
    if (team) request.headers.set('X-Tenant-Id', team.tenantId)
    request.headers.set('Accept-Language', document.documentElement.lang)
    return request
  },
  onResponse({ response }) {
    if (response.status === 401) goToSignIn()
    return response
  },
})
// behind the headers, which the repeated request needs too
api.use(stepUp)
api.use(recordCalls)

/** Leaves for the sign-in page, which leads back here. */
export function goToSignIn(): void {
  const here = location.pathname + location.search
  leave(`/login?next=${encodeURIComponent(here)}`, { keepsInput: true })
}

/** The body of an answer; throws an `ApiError` for a refusal. */
export async function bodyOf<T>(asked: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await asked
  if (response.ok) return data as T
  const body = typeof error === 'object' && error !== null ? error : {}
  throw new ApiError(response.status, body, response.headers.get('X-Request-Id'))
}
