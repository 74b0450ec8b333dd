import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { Logger } from 'pino'
import {
  Ack,
  agentPaths,
  agentProtocol,
  type BatchHeader,
  type Health,
  limits,
  type RefusalReason,
  Stored,
} from '#contract/agent.ts'
import { Backoff, pause } from './backoff.ts'
import type { ServerClock } from './clock.ts'
import type { KillPoint } from './config.ts'
import { AgentRefused, type Link, messageOf, ProtocolNotSpoken, type Reply } from './link.ts'
import type { Batch, Owner, Spool } from './spool.ts'

const compress = promisify(zstdCompress)
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export interface UploadOptions {
  spool: Spool
  link: Link
  clock: ServerClock
  log: Logger
  health: () => Health
  /** For the spool: of which shards results are sent. */
  owner: Owner
  /** The generation under which results may be sent; undefined while the region is not assigned, or no shard is. */
  generation: () => number | undefined
  /** The region is served by another agent now. */
  onFenced: (generation: number) => void
  /**
   * Non-urgent results are sent at multiples of it by the server's clock, all regions at the same time: many small
   * inserts cost far more than a few large ones.
   */
  lingerMs: () => number
  killPoint?: (point: KillPoint) => void
}

type Sent = 'done' | 'later' | 'split' | 'returned'

/** How soon a queue is examined again that has results which may not be sent, and one without. */
const busyMs = 250
const restMs = 1_000
/** A batch of a backlog should take the server about this long: fresh results wait behind it. */
const backlogMs = 120
const smallestBacklog = 200
/** The same of results that are only stored: no verdict waits for them. */
const storeMs = 1_000
/** How long it is waited for the word that results are stored. */
const storedWithinMs = 15_000
/** How long a batch that is only to be stored may take. */
const storeTimeoutMs = 30_000
/**
 * How long urgent results gather after the last batch, by number of batches in progress: many urgent results do not
 * become many batches, and a store that stalls for a second does not delay urgent results.
 */
const urgentMs = [50, 100, 200, 400, 800] as const

/** Batches of a backlog, sent one after the other. */
class Queue {
  /** Taken from the spool, to be sent or sent again. */
  taken: Batch[] = []
  sending: Batch | undefined
  readonly #timeoutMs: number
  #size = 1_000

  /** `timeoutMs`: how long the server should take for a batch. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
  }

  get size() {
    return this.#size
  }

  /** The due time of the oldest result that was taken. */
  get since(): number | undefined {
    const dues = [...this.taken, ...(this.sending ? [this.sending] : [])].map(({ entries }) => entries[0]?.due ?? 0)
    return dues.length > 0 ? Math.min(...dues) : undefined
  }

  note(tookMs: number, size: number) {
    if (tookMs > this.#timeoutMs) this.#size = Math.max(smallestBacklog, Math.floor(size / 2))
    else if (size >= this.#size && tookMs < this.#timeoutMs / 2)
      this.#size = Math.min(limits.batchResults, Math.ceil(size * 1.5))
  }

  shrink() {
    this.#size = smallestBacklog
  }
}

/**
 * Sends the results of an owner's shards to it, from three queues of the spool. Fresh results go in order, every two to
 * five seconds and one batch after the other; urgent ones and full batches at once, in parallel to batches in progress.
 * The backlog uses the remaining time. A batch is done once it is decided on: what is not stored by then waits in the
 * third queue, which is sent to be stored alone and delays nothing.
 */
export class Uploads {
  readonly #options: UploadOptions
  readonly #stop = new AbortController()
  readonly #refused = new Map<RefusalReason | 'unacceptable', number>()
  readonly #loops: Promise<unknown>[] = []
  #wake: (() => void) | undefined
  /** Ends the pauses after failures. */
  #pausing = new AbortController()
  #isUrgent = false
  #isFlushing = false
  readonly #sending = new Set<Promise<void>>()
  /** A batch failed and waits for its retry: meanwhile batches are sent one at a time. */
  #isFailing = false
  /** Batches taken from the spool that are to be sent or sent again. */
  #taken: Batch[] = []
  readonly #backlog = new Queue(backlogMs)
  readonly #toStore = new Queue(storeMs)
  /** Aborted when what was taken returns to the spool. */
  #claim = new AbortController()
  readonly #delivering = new Set<Promise<unknown>>()
  /** Batches that are decided on, until it is known whether they are stored. */
  readonly #storing = new Set<Promise<unknown>>()
  #accepted = 0
  #batches = 0
  #failingUntil = 0

  constructor(options: UploadOptions) {
    this.#options = options
  }

  get accepted() {
    return this.#accepted
  }
  get batches() {
    return this.#batches
  }
  get refused(): Record<string, number> {
    return Object.fromEntries(this.#refused)
  }

  /** The due time of the oldest result of a backlog that is being sent. */
  get waitingSince(): number | undefined {
    const dues = [this.#backlog.since, this.#toStore.since].filter(due => due !== undefined)
    return dues.length > 0 ? Math.min(...dues) : undefined
  }

  start() {
    this.#loops.push(this.#freshLoop(), this.#backlogLoop(), this.#storeLoop())
  }

  /** The spool has results, or may send again. */
  ready(isUrgent: boolean) {
    if (!isUrgent && !this.#isFull()) return
    this.#isUrgent = true
    this.#wake?.()
  }

  #isFull() {
    const { spool, owner } = this.#options
    return spool.freshCount(owner) >= limits.batchResults
  }

  /** The control plane is reachable again. */
  resume() {
    this.#endPauses()
    this.ready(true)
  }

  #endPauses() {
    this.#failingUntil = 0
    this.#pausing.abort()
    this.#pausing = new AbortController()
  }

  /** Returns what was taken and not acknowledged to the spool, for another owner. Resolves when it has returned. */
  async release() {
    this.#claim.abort()
    this.#claim = new AbortController()
    this.#endPauses()
    for (const taken of [this.#taken, this.#backlog.taken, this.#toStore.taken])
      for (const batch of taken.splice(0)) this.#options.spool.putBack(batch)
    await Promise.all([...this.#delivering, ...this.#storing])
  }

  /** Sends fresh results if that is quick; the rest is left for the next start. */
  async stop(timeoutMs: number) {
    this.#isFlushing = true
    this.#isUrgent = true
    this.#wake?.()
    const { spool, owner } = this.#options
    const until = performance.now() + timeoutMs
    while (
      (spool.hasFresh(owner) || this.#sending.size > 0 || this.#taken.length > 0 || this.#storing.size > 0) &&
      this.#options.generation() !== undefined &&
      performance.now() < until
    )
      await pause(10, this.#stop.signal)
    this.#stop.abort()
    this.#wake?.()
    await Promise.all(this.#loops)
    await this.release()
  }

  async #freshLoop() {
    const { spool, owner, generation } = this.#options
    const { signal } = this.#stop
    const backoff = new Backoff(200, 5_000)
    let lastSent = 0
    while (!signal.aborted) {
      const lingerMs = this.#options.lingerMs()
      const hasWork = (this.#taken.length > 0 || spool.hasFresh(owner)) && generation() !== undefined
      const wait = this.#waitMs(performance.now() - lastSent, lingerMs)
      if (!hasWork || wait > 0 || !this.#hasRoom()) {
        if (!hasWork) this.#isUrgent = this.#isFlushing
        // the end of a batch, an urgent result and an assignment wake it
        await this.#sleep(!hasWork ? this.#untilTogether(0, lingerMs) : wait > 0 ? wait : busyMs)
        continue
      }
      const batch = this.#taken.shift() ?? spool.takeFresh(limits.batchResults, limits.batchBytes, owner)
      if (!batch) continue
      this.#isUrgent = this.#isFlushing || this.#isFull()
      lastSent = performance.now()
      const sending = this.#sendFresh(batch, backoff).finally(() => {
        this.#sending.delete(sending)
        this.#wake?.()
      })
      this.#sending.add(sending)
    }
    await Promise.all(this.#sending)
  }

  /** Until the next batch. Zero or less: now. */
  #waitMs(sinceMs: number, lingerMs: number): number {
    // these results have waited for others already
    if (this.#taken.length > 0 || this.#isFlushing) return 0
    if (this.#isUrgent) return (urgentMs[this.#sending.size] ?? lingerMs) - sinceMs
    return this.#untilTogether(sinceMs, lingerMs)
  }

  /** Until the first multiple of `lingerMs` by the server's clock that follows the moment `sinceMs` ago. */
  #untilTogether(sinceMs: number, lingerMs: number): number {
    const now = this.#options.clock.estimate()
    return (Math.floor((now - sinceMs) / lingerMs) + 1) * lingerMs - now
  }

  #hasRoom(): boolean {
    if (this.#sending.size === 0) return true
    return this.#isUrgent && this.#taken.length === 0 && !this.#isFailing && this.#sending.size < urgentMs.length
  }

  async #sendFresh(batch: Batch, backoff: Backoff) {
    const { sent, retryAfterMs } = await this.#deliver(batch)
    if (sent === 'done') backoff.reset()
    if (sent === 'done' || sent === 'returned') return
    this.#taken = [...(sent === 'split' ? halves(batch) : [batch]), ...this.#taken].sort((a, b) => a.first - b.first)
    this.#isUrgent = true
    if (sent === 'split' || this.#isFailing) return // one pause for all batches that fail together
    this.#isFailing = true
    await this.#noteFailure(backoff, retryAfterMs)
    this.#isFailing = false
  }

  async #backlogLoop() {
    const { spool, owner, generation } = this.#options
    const { signal } = this.#stop
    const queue = this.#backlog
    const backoff = new Backoff(200, 5_000)
    while (!signal.aborted) {
      const hasWork = queue.taken.length > 0 || spool.hasBacklog(owner)
      const mayWork = !this.#isFlushing && generation() !== undefined && performance.now() >= this.#failingUntil
      if (!hasWork || !mayWork) {
        await pause(hasWork ? busyMs : restMs, signal)
        continue
      }
      const claim = this.#claim
      const batch = queue.taken.shift() ?? (await spool.takeBacklog(queue.size, limits.batchBytes, owner))
      if (!batch) continue
      queue.sending = batch
      const startedAt = performance.now()
      const { sent, retryAfterMs } = await this.#deliver(batch, claim)
      queue.sending = undefined
      if (sent === 'done') {
        backoff.reset()
        queue.note(performance.now() - startedAt, batch.lines.length)
      } else if (sent !== 'returned') queue.taken.unshift(...(sent === 'split' ? halves(batch) : [batch]))
      if (sent === 'later') await this.#noteFailure(backoff, retryAfterMs)
    }
  }

  /** Has pauses of its own: a store that is away delays nothing else. */
  async #storeLoop() {
    const { spool, owner, generation } = this.#options
    const { signal } = this.#stop
    const queue = this.#toStore
    const backoff = new Backoff(500, 5_000)
    while (!signal.aborted) {
      const hasWork = queue.taken.length > 0 || spool.hasToStore(owner)
      if (!hasWork || this.#isFlushing || generation() === undefined) {
        await pause(hasWork ? busyMs : restMs, signal)
        continue
      }
      const claim = this.#claim
      const batch = queue.taken.shift() ?? (await spool.takeToStore(queue.size, limits.batchBytes, owner))
      if (!batch) continue
      queue.sending = batch
      const startedAt = performance.now()
      const { sent } = await this.#deliver(batch, claim)
      queue.sending = undefined
      if (sent === 'done') {
        backoff.reset()
        queue.note(performance.now() - startedAt, batch.lines.length)
      } else if (sent === 'split') queue.taken.unshift(...halves(batch))
      else if (sent === 'later') {
        spool.keepToStore(batch)
        queue.shrink()
        await backoff.wait(signal)
      }
    }
  }

  async #noteFailure(backoff: Backoff, retryAfterMs: number) {
    const wait = Math.max(backoff.next(), Math.min(retryAfterMs, 10_000))
    this.#failingUntil = performance.now() + wait
    await pause(
      this.#isFlushing ? Math.min(wait, 200) : wait,
      AbortSignal.any([this.#stop.signal, this.#pausing.signal]),
    )
  }

  #sleep(ms: number) {
    return new Promise<void>(resolve => {
      const done = () => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve()
      }
      const timer = setTimeout(done, Math.max(1, ms))
      this.#wake = done
      if (this.#stop.signal.aborted) done()
    })
  }

  /** Sends a batch, and returns it to the spool if its results are another owner's meanwhile. */
  async #deliver(batch: Batch, claim = this.#claim): Promise<{ sent: Sent; retryAfterMs: number }> {
    const sending = this.#send(batch, AbortSignal.any([this.#stop.signal, claim.signal])).then(result => {
      if (result.sent === 'done' || !claim.signal.aborted) return result
      this.#options.spool.putBack(batch)
      return { sent: 'returned' as const, retryAfterMs: 0 }
    })
    this.#delivering.add(sending)
    try {
      return await sending
    } finally {
      this.#delivering.delete(sending)
    }
  }

  async #send(batch: Batch, signal: AbortSignal): Promise<{ sent: Sent; retryAfterMs: number }> {
    const { link, log, generation, health, killPoint, onFenced } = this.#options
    const under = generation()
    if (under === undefined) return { sent: 'later', retryAfterMs: 0 }
    killPoint?.('append')
    const over = new AbortController()
    let reply: Reply
    try {
      const header: BatchHeader = {
        protocol: agentProtocol.present,
        boot: batch.boot,
        generation: under,
        first: batch.first,
        last: batch.last,
        health: health(),
      }
      const body = await compress(Buffer.from(`${JSON.stringify(header)}\n${batch.lines.join('\n')}\n`), compression)
      reply = await link.post(
        batch.isDecided ? agentPaths.store : agentPaths.results,
        body,
        { 'content-type': 'application/x-ndjson', 'content-encoding': 'zstd' },
        AbortSignal.any([signal, over.signal, ...(batch.isDecided ? [AbortSignal.timeout(storeTimeoutMs)] : [])]),
      )
    } catch (error) {
      if (!signal.aborted) {
        if (error instanceof ProtocolNotSpoken) log.debug(error.message)
        else if (error instanceof AgentRefused) log.error(error.message)
        else log.warn({ reason: messageOf(error) }, 'result upload failure')
      }
      return { sent: 'later', retryAfterMs: 0 }
    }
    killPoint?.('send')
    switch (reply.status) {
      case 200:
        return this.#acknowledged(batch, reply, over)
      case 409:
        // The region may have been assigned again while the batch was in progress.
        if (generation() === under) onFenced(under)
        return { sent: 'later', retryAfterMs: 0 }
      case 400:
      case 413:
        if (batch.lines.length > 1) return { sent: 'split', retryAfterMs: 0 }
        log.error({ status: reply.status, seq: batch.first }, 'result dropped as unacceptable')
        this.#count('unacceptable')
        this.#options.spool.acknowledge(batch)
        return { sent: 'done', retryAfterMs: 0 }
      default:
        log[batch.isDecided ? 'debug' : 'warn']({ status: reply.status }, 'result upload deferred')
        return { sent: 'later', retryAfterMs: reply.retryAfterMs }
    }
  }

  #acknowledged(batch: Batch, reply: Reply, over: AbortController): { sent: Sent; retryAfterMs: number } {
    const { clock, log, spool, killPoint } = this.#options
    const { data: ack, error } = Ack.safeParse(reply.body)
    if (!ack) {
      log.error({ reason: error.message }, 'acknowledgement invalid')
      return { sent: 'later', retryAfterMs: 0 }
    }
    clock.sync(ack.now_ms, reply.receivedAt, reply.requestedAt)
    killPoint?.('ack')
    for (const { reason } of ack.refused) this.#count(reason)
    if (ack.refused.length > 0) log.warn({ refused: ack.refused.length, first: ack.refused[0] }, 'results refused')
    if (!batch.isDecided) this.#accepted += ack.accepted
    this.#batches++
    if (reply.more) this.#awaitStored(batch, ack, reply.more, over)
    else spool.acknowledge(batch)
    return { sent: 'done', retryAfterMs: 0 }
  }

  #awaitStored(batch: Batch, { refused }: Ack, more: Promise<unknown>, over: AbortController) {
    const { spool, log } = this.#options
    const isRefused = new Set(refused.map(({ seq }) => seq))
    if (isRefused.size > 0) spool.acknowledge(partOf(batch, ({ seq }) => isRefused.has(seq)))
    const late = setTimeout(() => over.abort(), storedWithinMs)
    const storing = more.then(line => {
      clearTimeout(late)
      this.#storing.delete(storing)
      if (Stored.safeParse(line).data?.stored) return spool.acknowledge(batch)
      log.debug({ results: batch.entries.length }, 'results decided on and not stored')
      spool.keepToStore(batch)
    })
    this.#storing.add(storing)
  }

  #count(reason: RefusalReason | 'unacceptable') {
    this.#refused.set(reason, (this.#refused.get(reason) ?? 0) + 1)
  }
}

/** One unacceptable result must not block the others: halving the batch finds it. */
function halves(batch: Batch): Batch[] {
  const middle = Math.ceil(batch.lines.length / 2)
  return [partOf(batch, (_, index) => index < middle), partOf(batch, (_, index) => index >= middle)]
}

function partOf(batch: Batch, isIn: (entry: Batch['entries'][number], index: number) => boolean): Batch {
  const entries = batch.entries.filter(isIn)
  return {
    ...batch,
    entries,
    first: entries[0]?.seq ?? 0,
    last: entries.at(-1)?.seq ?? 0,
    lines: entries.map(entry => entry.line),
    bytes: entries.reduce((sum, entry) => sum + entry.bytes, 0),
  }
}
