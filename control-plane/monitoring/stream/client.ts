import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '#control-plane/base/caller.ts'
import type { Topics } from './topics.ts'

/** Bytes that may wait for one client before what is sent to it next, which are a page of events at most. */
const mayLagBytes = 262_144
/** How long a client whose stream has ended may read what waits. */
const readOnMs = 10_000

export type EndReason = 'client' | 'refused' | 'slow' | 'stopping' | 'unavailable'

interface Options {
  request: IncomingMessage
  response: ServerResponse
  headers: string[]
  tenantId: string
  caller: Caller
  topics: Topics
  /** The last event that the client has had. */
  lastId: string | null
  /** Rejects when the caller may no longer have the stream. */
  verify(): Promise<void>
  onEnd(reason: EndReason): void
}

/** One open stream of Server-Sent Events. What its client does not read in time is not kept for it. */
export class StreamClient {
  readonly tenantId: string
  readonly tokenId: string
  readonly topics: Topics
  readonly lastId: string | null
  readonly verify: () => Promise<void>
  readonly #options: Options
  #isEnded = false

  constructor(options: Options) {
    const { request, response, tenantId, caller, topics, lastId, verify } = options
    this.#options = options
    this.tenantId = tenantId
    this.tokenId = caller.tokenId
    this.topics = topics
    this.lastId = lastId
    this.verify = verify
    request.socket.setNoDelay(true)
    request.socket.setKeepAlive(true, 10_000)
    response.once('close', () => this.#finish('client'))
    response.on('error', () => this.#finish('client'))
    if (response.destroyed) queueMicrotask(() => this.#finish('client'))
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  begin(first: string): void {
    if (this.#isEnded) return
    const { response, headers } = this.#options
    response.writeHead(200, headers)
    response.write(first)
  }

  /** Sends frames at once; one buffer may be sent to many. `behind`: what a client is sent that does not read. */
  send(frames: readonly Buffer[], behind: string): void {
    if (this.#isEnded) return
    const { response } = this.#options
    response.cork()
    for (const frame of frames) response.write(frame)
    response.uncork()
    if (response.writableLength > mayLagBytes) this.end('slow', behind)
  }

  end(reason: EndReason, last = ''): void {
    if (this.#isEnded) return
    const { response } = this.#options
    this.#finish(reason)
    if (!response.headersSent) return
    response.end(last)
    setTimeout(() => response.destroy(), readOnMs).unref()
  }

  #finish(reason: EndReason): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#options.onEnd(reason)
  }
}
