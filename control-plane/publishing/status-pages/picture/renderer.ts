import { hash } from 'node:crypto'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import type { DrawAnswer } from './thread.ts'

interface Limits {
  /** Pictures that wait for the thread. */
  waiting: number
  timeoutMs: number
  /** A thread without work ends after this time: it keeps some fifty megabytes. */
  idleMs: number
}
const usual: Limits = { waiting: 20, timeoutMs: 8_000, idleMs: 60_000 }
const keptBytes = 16_000_000
const heapMb = { old: 96, young: 8 }

/**
 * Draws SVG as PNG in a thread, one picture after the other, so that the event loop goes on. The same drawing is made
 * once. What is wrong with a picture of a stranger ends the thread at most, which the next drawing starts again.
 */
export class PictureRenderer {
  readonly #limits: Limits
  readonly #kept = new LRUCache<string, Buffer>({ maxSize: keptBytes, sizeCalculation: png => png.length })
  readonly #underWay = new Map<string, Promise<Buffer>>()
  #thread: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...usual, ...limits }
  }

  /** Rejects where it cannot be drawn, takes too long, or too many wait. */
  async draw(svg: string): Promise<Buffer> {
    const key = hash('sha256', svg, 'base64url')
    return this.#kept.get(key) ?? this.#underWay.get(key) ?? this.#begin(key, svg)
  }

  /** Ends the thread. */
  close(): void {
    clearTimeout(this.#idle)
    void this.#thread?.terminate()
    this.#thread = undefined
  }

  #begin(key: string, svg: string): Promise<Buffer> {
    if (this.#underWay.size >= this.#limits.waiting) throw new Error('too many pictures wait')
    const drawing = this.#last.then(() => this.#work(svg))
    this.#last = drawing.catch(() => undefined)
    this.#underWay.set(key, drawing)
    drawing
      .then(
        png => this.#kept.set(key, png),
        () => undefined,
      )
      .finally(() => this.#underWay.delete(key))
    return drawing
  }

  async #work(svg: string): Promise<Buffer> {
    clearTimeout(this.#idle)
    this.#thread ??= openThread()
    const answer = await answerOf(this.#thread, svg, this.#limits.timeoutMs)
    if ('error' in answer) {
      this.close()
      throw new Error(answer.error)
    }
    this.#idle = setTimeout(() => this.close(), this.#limits.idleMs).unref()
    return Buffer.from(answer.png.buffer, 0, answer.png.length)
  }
}

function openThread(): Worker {
  const thread = new Worker(join(import.meta.dirname, 'thread.ts'), {
    resourceLimits: { maxOldGenerationSizeMb: heapMb.old, maxYoungGenerationSizeMb: heapMb.young },
  })
  thread.unref()
  // one that comes while it has no work has no other listener, and the next drawing finds the thread ended
  thread.on('error', () => undefined)
  return thread
}

function answerOf(thread: Worker, svg: string, timeoutMs: number): Promise<DrawAnswer> {
  const { promise, resolve } = Promise.withResolvers<DrawAnswer>()
  const onError = (error: Error) => resolve({ error: String(error) })
  const onExit = () => resolve({ error: 'The thread ended.' })
  const timer = setTimeout(() => resolve({ error: 'timeout' }), timeoutMs)
  thread.once('message', resolve).once('error', onError).once('exit', onExit)
  thread.postMessage(svg)
  return promise.finally(() => {
    clearTimeout(timer)
    thread.off('message', resolve).off('error', onError).off('exit', onExit)
  })
}
