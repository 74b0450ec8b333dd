import { sql } from 'kysely'
import type { z } from 'zod'
import type { Observation } from '#analytics/ingest/observation.ts'
import type { CheckResultEvent } from '#contract/stream.ts'
import { stamp } from '#contract/time.ts'
import { rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'

/** Notices `id,id,…`: the checks whose results a process of the API wants to have for the next seconds. */
export const watchNotice = 'watched_checks'
/** Notices of results: the id of the check and the JSON of `CheckResultEvent`, in turn, as lines. */
export const checkResultNotice = 'check_results'

const rememberMs = 15_000
const mostWatched = 50_000
/** Bytes of a notice, which PostgreSQL limits to 8,000. */
const noticeBytes = 7_500
/** Notices that wait for the database; more are dropped, as they would be late. */
const mostWaiting = 20

interface Options {
  services: Pick<Services, 'platform' | 'listener' | 'log' | 'clock'>
}

/** Publishes the results of checks that an open stream watches. Where no check is watched, it costs nothing. */
export class WatchedResults {
  readonly #services: Options['services']
  /** By check: until when, in milliseconds of the clock. */
  readonly #watched = new Map<string, number>()
  #stopListening: () => void = () => undefined
  #waiting = 0

  constructor({ services }: Options) {
    this.#services = services
  }

  start(): void {
    this.#stopListening = this.#services.listener.on(watchNotice, payload => this.#watch(payload.split(',')))
  }

  stop(): void {
    this.#stopListening()
  }

  /** Results were decided on. */
  decided(observations: readonly Observation[]): void {
    if (this.#watched.size === 0) return
    const now = this.#services.clock.nowMs()
    const notices: string[] = []
    for (const observation of observations) {
      const until = this.#watched.get(observation.check)
      if (until === undefined) continue
      if (until < now) this.#watched.delete(observation.check)
      else add(notices, `${observation.check}\n${JSON.stringify(eventOf(observation))}\n`)
    }
    if (notices.length > 0) this.#notify(notices)
  }

  #watch(checks: readonly string[]): void {
    const now = this.#services.clock.nowMs()
    for (const check of checks) {
      this.#watched.delete(check)
      this.#watched.set(check, now + rememberMs)
    }
    // in the order in which they were requested
    for (const [check, until] of this.#watched) {
      if (until >= now && this.#watched.size <= mostWatched) break
      this.#watched.delete(check)
    }
  }

  #notify(notices: readonly string[]): void {
    const { platform, log } = this.#services
    if (this.#waiting >= mostWaiting) return
    this.#waiting++
    rows(platform)`select pg_notify(${sql.lit(checkResultNotice)}, n) from unnest(${notices}::text[]) as n`
      .catch(error => log.warn({ err: error }, 'watched result failure'))
      .finally(() => this.#waiting--)
  }
}

function add(notices: string[], text: string): void {
  const last = notices.at(-1)
  if (last !== undefined && Buffer.byteLength(last) + Buffer.byteLength(text) <= noticeBytes)
    notices[notices.length - 1] = last + text
  else if (Buffer.byteLength(text) <= noticeBytes) notices.push(text)
}

const eventOf = (observation: Observation): z.input<typeof CheckResultEvent> => {
  const { check, monitor, region, due, attempt, at, judgement, isUnreliable, evidence } = observation
  return {
    event: 'check.result',
    timestamp: stamp(new Date(at)),
    check_id: check,
    monitor_id: monitor,
    region,
    at: stamp(new Date(at)),
    due_at: stamp(new Date(due)),
    attempt,
    outcome: judgement.status,
    error_code: judgement.code ?? null,
    summary: judgement.reason ?? null,
    phases: evidence.phases,
    http_status: evidence.http_status,
    is_suspect: isUnreliable,
  }
}
