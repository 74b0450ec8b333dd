import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import type { Logger } from 'pino'
import { type Assignment, limits, WorkFrame } from '#contract/agent.ts'
import { Backoff, pause } from './backoff.ts'
import type { ServerClock } from './clock.ts'
import { AgentRefused, type Link, messageOf, ProtocolNotSpoken } from './link.ts'

/** Receives the frames of the work stream. */
export interface FrameHandler {
  /** The region was assigned to this agent, under this generation, for these shards; undefined: for all. */
  hello(generation: number, shards: readonly number[] | undefined): void
  assign(checks: Assignment[]): void
  withdraw(checks: readonly string[]): void
  /** The assignment list is complete. */
  synced(checks: ReadonlySet<string>): void
  run(frame: Extract<WorkFrame, { type: 'run' }>): void
  crawl(frame: Extract<WorkFrame, { type: 'crawl' }>): void
  /** Another agent serves the region. */
  standBy(): void
  /** The stream has ended, or was refused, or failed; it is opened again. */
  disconnected(): void
}

export interface WorkOptions {
  link: Link
  clock: ServerClock
  handler: FrameHandler
  log: Logger
  /** A stream without a frame for this long counts as dead; the server sends three beats in that time. */
  silenceMs?: number
  standbyMs?: number
}

const maxLineBytes = 64_000_000

/** Keeps the work stream open: reads frames, detects a dead stream, reconnects after a pause. */
export class WorkStream {
  readonly #options: WorkOptions
  #revision = 0
  #connection: AbortController | undefined
  #isConnected = false
  #isStandingBy = false
  #isGreeted = false

  constructor(options: WorkOptions) {
    this.#options = options
  }

  get revision() {
    return this.#revision
  }

  /** The control plane answers, and another agent of the region is the active one. */
  get isStandingBy() {
    return this.#isStandingBy
  }
  get isConnected() {
    return this.#isConnected
  }

  /**
   * Whether this connection has received its generation; until then another connection of this agent may still be
   * active.
   */
  get isGreeted() {
    return this.#isGreeted
  }

  /** Closes the stream and opens a new one. */
  restart() {
    this.#connection?.abort()
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal) {
    const { link, log, handler } = this.#options
    const backoff = new Backoff(200, 3_000)
    while (!signal.aborted) {
      const connection = new AbortController()
      this.#connection = connection
      const stop = () => connection.abort()
      signal.addEventListener('abort', stop)
      let wait = 0
      try {
        const { status, stream, isGzip, requestedAt } = await link.openWork(connection.signal)
        this.#isStandingBy = status === 409
        if (stream) {
          this.#isConnected = true
          await this.#read(stream, isGzip, requestedAt, connection, () => backoff.reset())
          log.info('work stream end')
        } else if (status === 409) {
          handler.standBy()
          wait = (this.#options.standbyMs ?? limits.leaseMs / 3) * (0.8 + 0.4 * Math.random())
        } else log.warn({ status }, 'work stream refused')
      } catch (error) {
        this.#isStandingBy = false
        // the link has logged it once
        if (error instanceof ProtocolNotSpoken) log.debug(error.message)
        else if (error instanceof AgentRefused) log.error(error.message)
        else if (!connection.signal.aborted) log.warn({ reason: messageOf(error) }, 'work stream failure')
        if (error instanceof AgentRefused) wait = 10_000
      } finally {
        this.#isConnected = false
        this.#isGreeted = false
        signal.removeEventListener('abort', stop)
        connection.abort()
      }
      if (!signal.aborted) handler.disconnected()
      if (wait) await pause(wait, signal)
      else await backoff.wait(signal)
    }
  }

  async #read(stream: Readable, isGzip: boolean, askedAt: number, connection: AbortController, onSync: () => void) {
    const { silenceMs = limits.leaseMs } = this.#options
    let reading: Reading = { askedAt, named: new Set() }
    let lastFrameAt = performance.now()
    const watch = setInterval(() => {
      if (performance.now() - lastFrameAt > silenceMs) connection.abort()
    }, silenceMs / 10)
    const source = isGzip
      ? stream.pipe(createGunzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }))
      : stream
    // An error of the raw stream does not propagate through a pipe.
    if (source !== stream) stream.on('error', error => source.destroy(error))
    const stop = () => source.destroy()
    connection.signal.addEventListener('abort', stop)
    try {
      let rest = ''
      const decoder = new TextDecoder()
      source.on('data', (chunk: Buffer) => {
        const heardAt = performance.now()
        lastFrameAt = heardAt
        rest += decoder.decode(chunk, { stream: true })
        if (rest.length > maxLineBytes) return source.destroy(new Error('A frame of the work stream is too long.'))
        let from = 0
        for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', from)) {
          const line = rest.slice(from, end)
          from = end + 1
          if (!line) continue
          try {
            reading = this.#apply(WorkFrame.parse(JSON.parse(line)), reading, heardAt)
          } catch (error) {
            return source.destroy(error instanceof Error ? error : new Error(String(error)))
          }
          if (reading.isSynced) onSync()
        }
        rest = rest.slice(from)
      })
      await Promise.race([once(source, 'end'), once(source, 'close')])
    } finally {
      clearInterval(watch)
      connection.signal.removeEventListener('abort', stop)
      stream.on('error', () => {})
      source.on('error', () => {})
      source.destroy()
      stream.destroy()
    }
  }

  #apply(frame: WorkFrame, reading: Reading, heardAt: number): Reading {
    const { clock, handler } = this.#options
    switch (frame.type) {
      case 'hello':
        clock.sync(frame.now_ms, heardAt, reading.askedAt)
        handler.hello(frame.generation, frame.shards)
        this.#isGreeted = true
        return { ...reading, named: new Set(), isSynced: false }
      case 'beat':
        clock.sync(frame.now_ms, heardAt)
        this.#revision = frame.revision
        return reading
      case 'assign':
        handler.assign(frame.checks)
        for (const { check } of frame.checks) reading.named.add(check)
        this.#revision = frame.revision
        return reading
      case 'withdraw':
        handler.withdraw(frame.checks)
        for (const check of frame.checks) reading.named.delete(check)
        this.#revision = frame.revision
        return reading
      case 'synced':
        handler.synced(reading.named)
        this.#revision = frame.revision
        return { ...reading, named: new Set(), isSynced: true }
      case 'run':
        handler.run(frame)
        return reading
      case 'crawl':
        handler.crawl(frame)
        return reading
    }
  }
}

interface Reading {
  askedAt: number
  /** Checks assigned since hello; kept only until the list is complete. */
  named: Set<string>
  isSynced?: boolean
}
