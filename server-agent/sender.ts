import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type ServerHost, serverAgentPaths, serverLimits } from '#contract/server-agent.ts'
import type { Kept, Spool } from './spool.ts'

export type Outcome =
  /** Stored, or refused for good: gone from the spool. There may be more. */
  | { kind: 'sent'; count: number }
  | { kind: 'refused'; count: number; why: string }
  /** Kept, to be tried again. */
  | { kind: 'later'; afterMs: number; why: string }

const answerMs = 30_000
const pack = promisify(gzip)
/** Far below what a batch may hold, so that what gathered in a long outage goes in few but certain steps. */
const samplesAtOnce = 200
const bytesAtOnce = serverLimits.batchBytesUnpacked / 4

/** For ever: the answer to the same bytes would be the same. */
const isForGood = (status: number) => status === 400 || status === 413 || status === 415 || status === 422

/** Sends the oldest of the spool and forgets it when it is acknowledged. A batch's id comes of what is in it: sent again, it is the same. */
export class Sender {
  readonly #url: string
  readonly #token: string
  readonly #spool: Spool
  readonly #host: ServerHost
  #failures = 0
  /** Server's clock minus ours, as last heard. */
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
      this.#hearClock(response.headers.get('date'))
    } catch (error) {
      return this.#later(
        `not reached: ${error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : 'no answer'}`,
      )
    }
    const text = await response.text().catch(() => '')
    if (response.status === 200 && isAckOf(text, id)) {
      this.#failures = 0
      this.#spool.forget(batch)
      return { kind: 'sent', count: batch.length }
    }
    if (isForGood(response.status)) {
      this.#spool.forget(batch)
      return { kind: 'refused', count: batch.length, why: `${response.status} ${messageOf(text)}` }
    }
    return this.#later(`${response.status} ${messageOf(text)}`, Number(response.headers.get('retry-after')) || 0)
  }

  #take(): { batch: Kept[]; lines: string[] } {
    const batch: Kept[] = []
    const lines: string[] = []
    let bytes = 0
    for (const kept of this.#spool.oldest(samplesAtOnce)) {
      const line = this.#spool.read(kept)
      if (line === null) {
        this.#spool.forget([kept]) // torn by the disk: there is nothing to send
        continue
      }
      bytes += kept.bytes
      if (bytes > bytesAtOnce && batch.length > 0) break
      batch.push(kept)
      lines.push(line)
    }
    return { batch, lines }
  }

  /** Ever longer, up to five minutes, and never in step with all others; longer still when the server says so. */
  #later(why: string, retryAfterS = 0): Outcome {
    const ceiling = Math.min(300_000, 2_000 * 2 ** Math.min(this.#failures++, 10))
    return {
      kind: 'later',
      afterMs: Math.max(Math.min(retryAfterS, 3_600) * 1_000, ceiling / 2) + Math.random() * (ceiling / 2),
      why,
    }
  }

  /** A clock that is wrong by seconds does no harm; one that is wrong by minutes would have everything refused. */
  #hearClock(date: string | null): void {
    const server = Date.parse(date ?? '')
    if (Number.isNaN(server)) return
    const skew = server - Date.now()
    this.skewMs = Math.abs(skew) > 5_000 ? skew : 0
  }
}

const idOf = (batch: readonly Kept[]): string => {
  const digest = hash('sha256', batch.map(({ name }) => name).join(), 'hex')
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`
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
