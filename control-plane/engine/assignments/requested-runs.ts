import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { RequestedRun } from '#analytics/ingest/ingest.ts'
import { cutRow } from '#analytics/ingest/rows.ts'
import type { WorkFrame } from '#contract/agent.ts'
import type { OwnedShards } from '#control-plane/base/shards.ts'
import { rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import type { Assigned } from './assigned.ts'

const rememberMs = 60_000
/** For as long as the caller waits, so does a request for the work list to be read. */
const workListMs = 28_500
const mostOpen = 10_000

const Request = z.object({ request: z.uuid(), check: z.uuid(), tenant: z.uuid().optional() })

type RunFrame = Extract<WorkFrame, { type: 'run' }>

interface Options {
  services: Pick<Services, 'platform' | 'listener' | 'log' | 'clock'>
  find(check: string): Assigned | undefined
  /** Resolves once every change announced so far is in the work list. */
  settled(): Promise<void>
  /** Resolves once these regions are connected, as far as they are to be waited for. */
  connected(regions: readonly string[]): Promise<void>
  /** Requests a run from a region; false when no agent of it is connected. */
  send(region: string, frame: RunFrame): boolean
  /** Requests for other tenants are answered by another process. */
  shards: OwnedShards
}

interface Answer {
  request: string
  check: string
  region: string | null
  asked: readonly string[]
  /** The result as it is stored, or soon will be. */
  row?: string
  /** What was read of the target is left out: it is too long for a notice. */
  is_cut?: boolean
}

/** Bytes of a notice, which PostgreSQL limits to 8,000. */
const noticeBytes = 7_900

/**
 * Requested runs. A 'run_requests' notice `{ request, check, tenant }` goes to all regions of the check; each result
 * comes back as a 'run_results' notice, an `Answer`: the person who waits need not wait for the store. Where no region
 * can be asked, one notice with `region: null` is sent. The notice of a request may come again: it is taken once.
 */
export class RequestedRuns {
  readonly #options: Options
  /** By request; without regions: not yet sent. */
  readonly #open = new Map<string, { check: string; regions: readonly string[] | null; until: number }>()
  #stopListening: () => void = () => undefined
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
  }

  start(): void {
    this.#stopListening = this.#options.services.listener.on('run_requests', payload => void this.#receive(payload))
  }

  stop(): void {
    this.#isStopped = true
    this.#stopListening()
  }

  /** A result that answers a request was decided on. */
  completed({ request, check, region, row }: RequestedRun): void {
    const { check: asked, regions } = this.#open.get(request) ?? {}
    if (asked !== check || !regions) return
    const answer: Answer = { request, check, region, asked: regions }
    const fits = (whole: Answer) => Buffer.byteLength(JSON.stringify(whole)) <= noticeBytes
    const whole = [
      { ...answer, row },
      { ...answer, row: cutRow(row), is_cut: true },
    ].find(fits)
    this.#notify(whole ?? answer)
  }

  async #receive(payload: string): Promise<void> {
    const parsed = Request.safeParse(parse(payload))
    if (!parsed.success) return
    const { tenant } = parsed.data
    const { shards } = this.#options
    // a process of the version before does not name the tenant
    if (tenant === undefined ? !shards.isAll : !shards.owns(tenant)) return
    const { request, check } = parsed.data
    const now = this.#options.services.clock.nowMs()
    this.#forget(now)
    if (this.#open.has(request)) return
    const until = now + rememberMs
    this.#open.set(request, { check, regions: null, until })
    // a check that was created or changed a moment ago is in the work list once its change has been read
    await Promise.race([this.#options.settled(), sleep(workListMs, undefined, { ref: false })])
    const wanted = this.#options.find(check)?.rules.regions ?? []
    await this.#options.connected(wanted)
    if (this.#isStopped) return
    const regions = wanted.filter(region =>
      this.#options.send(region, { type: 'run', check, after_ms: 0, reason: 'asked', request }),
    )
    this.#open.set(request, { check, regions, until })
    if (regions.length === 0) this.#notify({ request, check, region: null, asked: [] })
  }

  #notify(notice: Answer): void {
    const { platform, log } = this.#options.services
    rows(platform)`select pg_notify('run_results', ${JSON.stringify(notice)})`.catch(error =>
      log.warn({ err: error }, 'requested run failure'),
    )
  }

  #forget(now: number): void {
    for (const [request, { until }] of this.#open) {
      if (until > now && this.#open.size < mostOpen) break
      this.#open.delete(request)
    }
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
