import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, createGzip, type Gzip } from 'node:zlib'
import type { WorkFrame } from '#contract/agent.ts'

/** A reader this far behind is cut off: it comes back and is given the whole list. */
const mayLagBytes = 32_000_000

/** One agent's open answer to GET /agent/v1/work: frames as lines, compressed when the agent can, sent on at once. */
export class WorkStream {
  readonly agent: string
  /** Whether the whole list has been sent: until then no frame may mark it as current. */
  isSynced = false
  readonly #response: ServerResponse
  readonly #gzip: Gzip | undefined
  readonly #closed = Promise.withResolvers<void>()
  #isClosed = false
  /** Frames of this tick of the event loop. */
  #gathered = ''

  constructor(request: IncomingMessage, response: ServerResponse, agent: string) {
    this.agent = agent
    this.#response = response
    const isCompressed = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    if (isCompressed) {
      this.#gzip = createGzip({ level: 4, flush: constants.Z_NO_FLUSH })
      this.#gzip.on('error', () => this.end())
      this.#gzip.pipe(response)
    }
    request.socket.setNoDelay(true)
    request.socket.setKeepAlive(true, 5_000)
    response.on('close', () => this.#close())
    response.on('error', () => this.#close())
    response.writeHead(200, {
      'Content-Type': 'application/x-ndjson',
      'Cache-Control': 'no-store',
      ...(isCompressed && { 'Content-Encoding': 'gzip' }),
    })
    response.flushHeaders()
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get closed(): Promise<void> {
    return this.#closed.promise
  }

  send(frame: WorkFrame): void {
    if (this.#isClosed) return
    const line = `${JSON.stringify(frame)}\n`
    if (this.#waiting > mayLagBytes) {
      this.#response.destroy()
      return
    }
    if (this.#gathered === '') setImmediate(() => this.#sendGathered())
    this.#gathered += line
  }

  /**
   * Frames of one moment go out in one block: to compress and send each by itself costs more than all that led to it.
   */
  #sendGathered(): void {
    const lines = this.#gathered
    this.#gathered = ''
    if (lines === '' || this.#isClosed) return
    if (!this.#gzip) {
      this.#response.write(lines)
      return
    }
    this.#gzip.write(lines)
    this.#gzip.flush(constants.Z_SYNC_FLUSH)
  }

  /** Waits until what was sent has mostly left, so that a long list is never in memory twice. */
  async drained(): Promise<void> {
    while (!this.#isClosed && this.#waiting > 1_000_000) await new Promise(resolve => setTimeout(resolve, 2))
  }

  end(): void {
    if (this.#isClosed) return
    this.#sendGathered()
    if (this.#gzip) this.#gzip.end()
    else this.#response.end()
    this.#close()
    // an agent that does not read would hold the connection open
    setTimeout(() => this.#response.destroy(), 500).unref()
  }

  get #waiting(): number {
    return (
      this.#gathered.length +
      this.#response.writableLength +
      (this.#gzip?.writableLength ?? 0) +
      (this.#gzip?.readableLength ?? 0)
    )
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#closed.resolve()
  }
}
