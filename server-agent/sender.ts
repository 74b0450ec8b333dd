import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type ServerHost, serverAgentPaths, serverLimits } from '#contract/server-agent.ts'
import type { Spool, StoredSample } from './spool.ts'

export type Outcome =
  /** Stored, or refused for good, and removed from the spool. There may be more. */
  | { kind: 'sent'; count: number }
  | { kind: 'refused'; count: number; why: string }
  /** Kept for a retry. */
  | { kind: 'later'; afterMs: number; why: string }

const answerMs = 30_000
const pack = promisify(gzip)
/** Far below the limit of a batch: after a long outage, many small batches succeed more reliably. */
const maxSamples = 200
const maxBytes = serverLimits.batchBytesUnpacked / 4

/** Another server has the token: it is asked again each minute whether that one is silent by now. */
const takenMs = 60_000

/** Statuses that a retry of the same bytes would not change. */
const isPermanent = (status: number) => status === 400 || status === 413 || status === 415 || status === 422

/**
 * Sends the oldest samples of the spool and removes them when acknowledged. The id of a batch is derived from its
 * contents: a retry has the same id.
 */
export class Sender {
  readonly #url: string
  readonly #token: string
  readonly #spool: Spool
  readonly #host: ServerHost
  #failures = 0
  /** Server clock minus local clock, from the last response. */
  skewMs = 0

  constructor({ url, token, spool, host }: { url: string; token: string; spool: Spool; host: ServerHost }) {
    this.#url = url
    this.#token = token
    this.#spool = spool
    this.#host = host
  }

  async send(signal?: AbortSignal): Promise<Outcome> {
    const { batch, lines } = this.#take()
    if (lines.length === 0) return { kind: 'sent', count: 0 }
    const id = idOf(batch)
    const body = await pack([JSON.stringify({ batch: id, host: this.#host }), ...lines].join('\n'))
    let response: Response
    try {
      response = await fetch(this.#url + serverAgentPaths.metrics, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${this.#token}`,
          'Content-Type': 'application/x-ndjson',
          'Content-Encoding': 'gzip',
          'User-Agent': `vedette-agent/${this.#host.agent}`,
        },
        body: new Uint8Array(body),
        redirect: 'error',
        signal: AbortSignal.any([AbortSignal.timeout(answerMs), ...(signal ? [signal] : [])]),
      })
      this.#syncClock(response.headers.get('date'))
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : undefined
      return this.#later(`not reached: ${cause instanceof Error ? cause.message : 'no answer'}`)
    }
    const text = await response.text().catch(() => '')
    if (response.status === 200 && isAckOf(text, id)) {
      this.#failures = 0
      this.#spool.forget(batch)
      return { kind: 'sent', count: batch.length }
    }
    if (response.status === 409) return { kind: 'later', afterMs: takenMs, why: `409 ${messageOf(text)}` }
    if (isPermanent(response.status)) {
      this.#spool.forget(batch)
      return { kind: 'refused', count: batch.length, why: `${response.status} ${messageOf(text)}` }
    }
    return this.#later(`${response.status} ${messageOf(text)}`, Number(response.headers.get('retry-after')) || 0)
  }

  #take(): { batch: StoredSample[]; lines: string[] } {
    const batch: StoredSample[] = []
    const lines: string[] = []
    let bytes = 0
    for (const kept of this.#spool.oldest(maxSamples)) {
      const line = this.#spool.read(kept)
      if (line === null) {
        this.#spool.forget([kept]) // truncated on disk: there is nothing to send
        continue
      }
      bytes += kept.bytes
      if (bytes > maxBytes && batch.length > 0) break
      batch.push(kept)
      lines.push(line)
    }
    return { batch, lines }
  }

  /** Ever longer, up to five minutes, with jitter; longer still when the server demands it. */
  #later(why: string, retryAfterS = 0): Outcome {
    const ceiling = Math.min(300_000, 2_000 * 2 ** Math.min(this.#failures++, 10))
    return {
      kind: 'later',
      afterMs: Math.max(Math.min(retryAfterS, 3_600) * 1_000, ceiling / 2) + Math.random() * (ceiling / 2),
      why,
    }
  }

  /** An error of seconds is harmless; with an error of minutes the server would refuse every sample. */
  #syncClock(date: string | null): void {
    const server = Date.parse(date ?? '')
    if (Number.isNaN(server)) return
    const skew = server - Date.now()
    this.skewMs = Math.abs(skew) > 5_000 ? skew : 0
  }
}

const idOf = (batch: readonly StoredSample[]): string => {
  const digest = hash('sha256', batch.map(({ name }) => name).join(), 'hex')
  const part = (from: number, to: number) => digest.slice(from, to)
  return `${part(0, 8)}-${part(8, 12)}-5${part(13, 16)}-8${part(17, 20)}-${part(20, 32)}`
}

function isAckOf(text: string, id: string): boolean {
  try {
    return JSON.parse(text).batch === id
  } catch {
    return false
  }
}

function messageOf(text: string): string {
  try {
    const { message, errors } = JSON.parse(text)
    return [message, ...Object.values(errors ?? {}).flat()].join(' ').slice(0, 300)
  } catch {
    return ''
  }
}
