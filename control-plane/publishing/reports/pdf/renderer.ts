import { hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { Refusal } from '#control-plane/base/refusal.ts'
import { perServices } from '#control-plane/http/services.ts'
import type { RenderableDocument } from './document.ts'
import type { RenderAnswer } from './thread.ts'

export interface RenderedPdf {
  bytes: Buffer
  etag: string
}

interface Job {
  tenantId: string
  document: RenderableDocument
  settle: PromiseWithResolvers<Buffer>
}

interface Limits {
  threads: number
  /** Reports that wait for a thread, of all tenants and of one. */
  waiting: number
  waitingOfTenant: number
  timeoutMs: number
  /** A thread without work ends after this time: it keeps some ninety megabytes. */
  idleMs: number
}

const usual: Limits = {
  threads: Math.max(1, Math.min(2, availableParallelism() - 1)),
  waiting: 40,
  waitingOfTenant: 10,
  timeoutMs: 20_000,
  idleMs: 60_000,
}
/** Enough for three hundred monitors; with more, garbage only lives longer. */
const heapMb = { old: 128, young: 8 }
const kept = { bytes: 32_000_000, ms: 60_000 }

const busy = () =>
  new Refusal(503, 'overloaded', 'Too many reports are being made. Send it again.', { headers: { 'Retry-After': '5' } })
const late = () =>
  new Refusal(503, 'overloaded', 'This report could not be made in time. Send it again.', {
    headers: { 'Retry-After': '60' },
  })

/**
 * Renders reports in threads of their own, few at a time, so that the event loop goes on. The same content is rendered
 * once and kept for a minute.
 */
export class PdfRenderer {
  readonly #limits: Limits
  readonly #log: Pick<Logger, 'warn'>
  readonly #waiting: Job[] = []
  readonly #idle = new Map<Worker, NodeJS.Timeout>()
  #threads = 0
  readonly #underWay = new Map<string, Promise<Buffer>>()
  readonly #kept = new LRUCache<string, Buffer>({
    ttl: kept.ms,
    maxSize: kept.bytes,
    sizeCalculation: pdf => pdf.length,
  })

  constructor({ log }: { log: Pick<Logger, 'warn'> }, limits: Partial<Limits> = {}) {
    this.#log = log
    this.#limits = { ...usual, ...limits }
  }

  /** 503 when too many reports wait, or one takes too long. */
  async render(tenantId: string, document: RenderableDocument): Promise<RenderedPdf> {
    // the tenant is part of the key, so that no report is returned to another
    const key = hash('sha256', JSON.stringify([tenantId, document]), 'base64url')
    const bytes = this.#kept.get(key) ?? (await (this.#underWay.get(key) ?? this.#begin(key, tenantId, document)))
    return { bytes, etag: `"${key}"` }
  }

  /** Ends the threads that have no work. */
  close(): void {
    for (const thread of this.#idle.keys()) this.#end(thread)
  }

  #begin(key: string, tenantId: string, document: RenderableDocument): Promise<Buffer> {
    const { waiting, waitingOfTenant } = this.#limits
    const ofTenant = this.#waiting.filter(job => job.tenantId === tenantId).length
    if (this.#waiting.length >= waiting || ofTenant >= waitingOfTenant) throw busy()
    const settle = Promise.withResolvers<Buffer>()
    this.#underWay.set(key, settle.promise)
    settle.promise
      .then(
        pdf => this.#kept.set(key, pdf),
        () => undefined,
      )
      .finally(() => this.#underWay.delete(key))
    this.#waiting.push({ tenantId, document, settle })
    this.#next()
    return settle.promise
  }

  #next(): void {
    while (this.#waiting.length > 0) {
      const [idle] = this.#idle.keys()
      if (!idle && this.#threads >= this.#limits.threads) return
      const thread = idle ?? this.#open()
      clearTimeout(this.#idle.get(thread))
      this.#idle.delete(thread)
      void this.#work(thread, this.#waiting.shift()!)
    }
  }

  #open(): Worker {
    this.#threads++
    const thread = new Worker(join(import.meta.dirname, 'thread.ts'), {
      resourceLimits: { maxOldGenerationSizeMb: heapMb.old, maxYoungGenerationSizeMb: heapMb.young },
    })
    thread.unref()
    // one that comes while it has no work has no other listener
    thread.on('error', error => this.#log.warn({ err: error }, 'report thread failure'))
    return thread
  }

  async #work(thread: Worker, { tenantId, document, settle }: Job): Promise<void> {
    const answer = await answerOf(thread, document, this.#limits.timeoutMs)
    if ('pdf' in answer) settle.resolve(Buffer.from(answer.pdf.buffer, 0, answer.pdf.length))
    else {
      this.#log.warn({ tenant_id: tenantId, why: answer.error }, 'report rendering failure')
      settle.reject(answer.error === 'timeout' ? late() : new Error(answer.error))
    }
    if ('pdf' in answer || !answer.isOver) this.#rest(thread)
    else this.#end(thread)
    this.#next()
  }

  #rest(thread: Worker): void {
    this.#idle.set(thread, setTimeout(() => this.#end(thread), this.#limits.idleMs).unref())
  }

  #end(thread: Worker): void {
    clearTimeout(this.#idle.get(thread))
    this.#idle.delete(thread)
    this.#threads--
    void thread.terminate()
  }
}

type Answer = { pdf: Uint8Array } | { error: string; isOver: boolean }

/** The answer of a thread; `isOver`: the thread cannot be used any more. */
function answerOf(thread: Worker, document: RenderableDocument, timeoutMs: number): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const onMessage = (answer: RenderAnswer) => resolve('pdf' in answer ? answer : { ...answer, isOver: false })
  const onError = (error: Error) => resolve({ error: String(error), isOver: true })
  const onExit = () => resolve({ error: 'The thread ended.', isOver: true })
  const timer = setTimeout(() => resolve({ error: 'timeout', isOver: true }), timeoutMs)
  thread.once('message', onMessage).once('error', onError).once('exit', onExit)
  thread.postMessage(document)
  return promise.finally(() => {
    clearTimeout(timer)
    thread.off('message', onMessage).off('error', onError).off('exit', onExit)
  })
}

export const rendererOf = perServices(services => new PdfRenderer(services))
