import type { ServerResponse } from 'node:http'

/** Why a part is not ready, or null when it is. */
type Ask = () => string | null | Promise<string | null>

interface Part {
  ask: Ask
  isVital: boolean
}
interface Answer {
  is_ready: boolean
  is_vital: boolean
  why?: string
}
export interface Readiness {
  status: 'ready' | 'not_ready'
  parts: Record<string, Answer>
  /** Which build this is; on the port of the metrics, which is not public. */
  build?: string
}

const askMs = 2_000
const freshMs = 500

/** The readiness of the parts of this process. A part that is not vital does not make the process unready. */
export class Health {
  readonly #parts = new Map<string, Part>()
  #last: { at: number; readiness: Promise<Readiness> } | undefined

  add(name: string, isVital: boolean, ask: Ask): void {
    this.#parts.set(name, { ask, isVital })
    this.#last = undefined
  }

  /** Asks the parts at most twice a second, because the endpoint is public. */
  readiness(): Promise<Readiness> {
    const now = performance.now()
    if (!this.#last || now - this.#last.at > freshMs) this.#last = { at: now, readiness: this.#ask() }
    return this.#last.readiness
  }

  /** Answers /healthz and /readyz; false for any other path. `more`: what is added on a port that is not public. */
  serve(path: string, response: ServerResponse, more: Pick<Readiness, 'build'> = {}): boolean {
    if (path === '/healthz') {
      sendJson(response, 200, { status: 'alive', ...more })
      return true
    }
    if (path !== '/readyz') return false
    void this.readiness().then(readiness =>
      sendJson(response, readiness.status === 'ready' ? 200 : 503, { ...readiness, ...more }),
    )
    return true
  }

  async #ask(): Promise<Readiness> {
    const asked = [...this.#parts].map(async ([name, { ask, isVital }]): Promise<[string, Answer]> => {
      const why = await within(askMs, ask)
      return [name, { is_ready: why === null, is_vital: isVital, ...(why !== null && { why }) }]
    })
    const parts = Object.fromEntries(await Promise.all(asked))
    const isReady = Object.values(parts).every(part => part.is_ready || !part.is_vital)
    return { status: isReady ? 'ready' : 'not_ready', parts }
  }
}

async function within(ms: number, ask: Ask): Promise<string | null> {
  const { promise: late, resolve } = Promise.withResolvers<string>()
  const timer = setTimeout(resolve, ms, 'did not answer in time')
  try {
    return await Promise.race([Promise.resolve().then(ask), late])
  } catch {
    return 'does not answer' // the error may name hosts and accounts, and this page is public
  } finally {
    clearTimeout(timer)
  }
}

/** A small JSON answer of our own, outside the API. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent || response.destroyed) return
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  })
  response.end(text)
}
