import type { Judged } from '#analytics/ingest/judge.ts'
import type { AssignedCheck } from '#analytics/ingest/observation.ts'
import { statusOf } from '#analytics/ingest/rows.ts'
import type { Assignment, Result, WorkFrame } from '#contract/agent.ts'
import { stamp } from '#contract/time.ts'
import type { OwnedShards } from '#control-plane/base/shards.ts'
import { rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import {
  decryptTry,
  type RegionAnswer,
  type TryAnswer,
  type TryDefinition,
  tryAnswerNotice,
  tryNotice,
  tryPatienceMs,
} from './try-notices.ts'

/** An agent never reaches the next scheduled run of a tried check: it is withdrawn before. */
const intervalMs = 86_400_000
const mostOpen = 2_000
const maxSummary = 500

interface Options {
  services: Pick<Services, 'platform' | 'listener' | 'log' | 'clock' | 'config'>
  isListening(region: string): boolean
  /** Resolves once these regions are connected, as far as they are to be waited for. */
  connected(regions: readonly string[]): Promise<void>
  sendChanges(region: string, assigned: Assignment[], withdrawn: string[]): void
  send(region: string, frame: Extract<WorkFrame, { type: 'run' }>): boolean
  /** Tries of other tenants are taken by another process. */
  shards: OwnedShards
}

interface OpenTry {
  check: AssignedCheck
  asked: string[]
  pending: Set<string>
  timer: NodeJS.Timeout
}

/**
 * Checks that are run once without being stored. The agents receive an assignment, a request to run it, and its
 * withdrawal, so they run it as any other check: in the slots of its tenant, behind the egress guard. Results are
 * passed on in notices, and neither decided nor stored.
 */
export class TriedChecks {
  readonly #options: Options
  readonly #open = new Map<string, OpenTry>()
  /** Tries whose regions are waited for: their notices may come again. */
  readonly #waiting = new Set<string>()
  #stopListening: () => void = () => undefined
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
  }

  start(): void {
    this.#stopListening = this.#options.services.listener.on(tryNotice, payload => void this.#receive(payload))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopListening()
    for (const id of [...this.#open.keys()]) this.#end(id)
  }

  find(region: string, check: string): AssignedCheck | undefined {
    const open = this.#open.get(check)
    return open?.pending.has(region) ? open.check : undefined
  }

  /** The result is already validated. */
  completed(region: string, result: Result, judged: Judged): void {
    const open = this.#open.get(result.check)
    if (!open?.pending.delete(region)) return
    this.#options.sendChanges(region, [], [result.check])
    this.#notify({ try: result.check, asked: open.asked, answer: answerOf(region, result, judged) })
    if (open.pending.size === 0) this.#end(result.check)
  }

  async #receive(payload: string): Promise<void> {
    const { services, connected, shards } = this.#options
    let opened: ReturnType<typeof decryptTry>
    try {
      opened = decryptTry(services.config, payload)
    } catch (error) {
      services.log.warn({ err: error }, 'check try unreadable')
      return
    }
    const { id, definition } = opened
    if (!shards.owns(definition.tenant) || this.#open.has(id) || this.#waiting.has(id)) return
    this.#waiting.add(id)
    await connected(definition.regions)
    this.#waiting.delete(id)
    if (!this.#isStopped) this.#ask(id, definition)
  }

  #ask(id: string, { tenant, kind, url, settings, timeout_ms, regions }: TryDefinition): void {
    const { services, isListening, send, sendChanges } = this.#options
    const asked = this.#open.size < mostOpen ? regions.filter(isListening) : []
    if (asked.length === 0) {
      this.#notify({ try: id, asked, answer: null })
      return
    }
    this.#open.set(id, {
      check: { check: id, monitor: id, tenant, kind, settings, keepDays: 0 },
      asked,
      pending: new Set(asked),
      timer: setTimeout(() => this.#end(id), tryPatienceMs).unref(),
    })
    const now = Math.floor(services.clock.nowMs())
    const assignment = {
      ...{ check: id, monitor: id, tenant, kind, url, settings, timeout_ms },
      interval_ms: intervalMs,
      offset_ms: (now + intervalMs / 2) % intervalMs,
      last_due_ms: now,
    }
    for (const region of asked) {
      sendChanges(region, [assignment], [])
      send(region, { type: 'run', check: id, after_ms: 0, reason: 'asked', request: id })
    }
  }

  /** Regions that have not answered are silent. */
  #end(id: string): void {
    const open = this.#open.get(id)
    if (!open) return
    clearTimeout(open.timer)
    this.#open.delete(id)
    for (const region of open.pending) this.#options.sendChanges(region, [], [id])
  }

  #notify(notice: TryAnswer): void {
    const { platform, log } = this.#options.services
    rows(platform)`select pg_notify(${tryAnswerNotice}, ${JSON.stringify(notice)})`.catch(error =>
      log.warn({ err: error }, 'check try failure'),
    )
  }
}

function answerOf(region: string, result: Result, { judgement, seen, responseMs }: Judged): RegionAnswer {
  return {
    region,
    at: stamp(new Date(result.at)),
    outcome: judgement.status,
    error_code: judgement.code ?? null,
    summary: judgement.reason?.slice(0, maxSummary) ?? null,
    response_ms: responseMs,
    phases: result.phases,
    http_status: statusOf(seen),
    address: result.address ?? null,
    is_suspect: result.is_unreliable === true,
  }
}
