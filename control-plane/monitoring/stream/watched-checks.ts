import { sql } from 'kysely'
import { rows } from '#control-plane/db/queries.ts'
import { checkResultNotice, watchNotice } from '#control-plane/engine/assignments/watched-results.ts'
import type { Services } from '#control-plane/http/services.ts'
import type { StreamClient } from './client.ts'

/** Shorter than the ingest process remembers a request. */
const everyMs = 5_000
/** Ids in one notice, whose payload PostgreSQL limits to 8,000 bytes. */
const inNotice = 150

type Send = (clients: Iterable<StreamClient>, frame: Buffer) => void

/**
 * Asks the ingest process for the results of the checks that a stream of this process watches, again and again: where
 * no stream does, nothing is sent. Results are not stored for streams that reconnect.
 */
export class WatchedChecks {
  readonly #services: Pick<Services, 'platform' | 'listener' | 'log'>
  readonly #send: Send
  readonly #watchers = new Map<string, Set<StreamClient>>()
  #timer: NodeJS.Timeout | undefined
  #stopListening: (() => void) | undefined

  constructor(services: Pick<Services, 'platform' | 'listener' | 'log'>, send: Send) {
    this.#services = services
    this.#send = send
  }

  add(client: StreamClient): void {
    const { runs } = client.topics
    if (runs.length === 0) return
    for (const check of runs) this.#watchers.set(check, (this.#watchers.get(check) ?? new Set()).add(client))
    this.#stopListening ??= this.#services.listener.on(checkResultNotice, payload => this.#receive(payload))
    this.#timer ??= setInterval(() => this.#ask([...this.#watchers.keys()]), everyMs).unref()
    this.#ask(runs)
  }

  remove(client: StreamClient): void {
    for (const check of client.topics.runs) {
      const watchers = this.#watchers.get(check)
      watchers?.delete(client)
      if (watchers?.size === 0) this.#watchers.delete(check)
    }
    if (this.#watchers.size === 0) this.stop()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#stopListening?.()
    this.#stopListening = undefined
  }

  #ask(checks: readonly string[]): void {
    const { platform, log } = this.#services
    const notices = []
    for (let from = 0; from < checks.length; from += inNotice) notices.push(checks.slice(from, from + inNotice).join())
    rows(platform)`select pg_notify(${sql.lit(watchNotice)}, n) from unnest(${notices}::text[]) as n`.catch(error =>
      log.warn({ err: error }, 'watched check failure'),
    )
  }

  /** A notice has a check's id and the JSON of each result, in turn, as lines. */
  #receive(payload: string): void {
    const lines = payload.split('\n')
    for (let at = 0; at + 1 < lines.length; at += 2) {
      const watchers = this.#watchers.get(lines[at]!)
      if (watchers) this.#send(watchers, Buffer.from(`event: check.result\ndata: ${lines[at + 1]}\n\n`))
    }
  }
}
