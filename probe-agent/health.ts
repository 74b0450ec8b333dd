import { monitorEventLoopDelay } from 'node:perf_hooks'
import { RunFailure } from '#contract/check.ts'
import type { Guard } from '#egress/guard.ts'

export type TestState = 'ok' | 'failed' | 'none'

export interface HealthOptions {
  guard: Guard
  anchors: readonly URL[]
  resolverControlName: string | undefined
  everyMs?: number
  timeoutMs?: number
  /** A test younger than this counts as current. */
  freshMs?: number
  monotonic?: () => number
}

/** Each sample wakes the process; what is decided by it is 250 ms and more. */
const resolutionMs = 100
const sampleMs = 250
/** Lags up to this are normal. */
const noticeMs = 50

/** The agent's self-check: whether its event loop is responsive, its resolver answers and its anchors are reachable. */
export class SelfTest {
  readonly #options: HealthOptions
  readonly #monotonic: () => number
  #histogram: ReturnType<typeof monitorEventLoopDelay> | undefined
  #lags: { at: number; ms: number }[] = []
  #sampler: NodeJS.Timeout | undefined
  #sampledAt = 0
  #timer: NodeJS.Timeout | undefined
  #testing: Promise<void> | undefined
  #testedAt = -Infinity
  #anchors: TestState
  #resolver: TestState

  constructor(options: HealthOptions) {
    this.#options = options
    this.#monotonic = options.monotonic ?? (() => performance.now())
    // Passes until the first test.
    this.#anchors = options.anchors.length > 0 ? 'ok' : 'none'
    this.#resolver = options.resolverControlName ? 'ok' : 'none'
  }

  get anchors() {
    return this.#anchors
  }
  get resolver() {
    return this.#resolver
  }

  start() {
    this.#histogram = monitorEventLoopDelay({ resolution: resolutionMs })
    this.#histogram.enable()
    this.#sampledAt = performance.now()
    this.#sampler = setInterval(() => this.#sample(), sampleMs)
    this.#timer = setInterval(() => void this.#test(), this.#options.everyMs ?? 10_000)
    void this.#test()
  }

  stop() {
    this.#histogram?.disable()
    clearInterval(this.#sampler)
    clearInterval(this.#timer)
  }

  /**
   * Resetting the histogram loses the current event-loop iteration; a block that ends with it is detected by the delay
   * of the sample.
   */
  #worstNow() {
    if (!this.#histogram) return 0
    return Math.max(0, this.#histogram.max / 1e6 - resolutionMs, performance.now() - this.#sampledAt - sampleMs)
  }

  #sample() {
    const ms = this.#worstNow()
    this.#histogram?.reset()
    this.#sampledAt = performance.now()
    const now = this.#monotonic()
    if (ms > noticeMs) this.#lags.push({ at: now, ms })
    const oldest = now - 120_000
    while (this.#lags[0] && this.#lags[0].at < oldest) this.#lags.shift()
  }

  /** The longest block of the event loop since a time of the monotonic clock. */
  lagSince(moment: number): number {
    let worst = this.#worstNow()
    for (let index = this.#lags.length - 1; index >= 0; index--) {
      const { at, ms } = this.#lags[index]!
      if (at < moment) break
      if (ms > worst) worst = ms
    }
    return worst
  }

  /** Ensures that the tests are current before a failure is reported. Undefined when they already are. */
  check(): Promise<void> | undefined {
    if (this.#anchors === 'none' && this.#resolver === 'none') return
    if (this.#monotonic() - this.#testedAt <= (this.#options.freshMs ?? 1_000)) return
    return this.#test()
  }

  #test(): Promise<void> {
    this.#testing ??= this.#testAll().finally(() => {
      this.#testing = undefined
    })
    return this.#testing
  }

  async #testAll() {
    const startedAt = this.#monotonic()
    const [anchors, resolver] = await Promise.all([this.#testAnchors(), this.#testResolver()])
    this.#anchors = anchors
    this.#resolver = resolver
    this.#testedAt = startedAt
  }

  /** One reachable anchor is enough: an anchor itself may be down. */
  async #testAnchors(): Promise<TestState> {
    const { anchors, guard, timeoutMs = 2_000 } = this.#options
    if (anchors.length === 0) return 'none'
    const signal = AbortSignal.timeout(timeoutMs)
    const reached = anchors.map(async ({ hostname, port, protocol }) => {
      const { socket } = await guard.connect({
        host: hostname.replace(/^\[|\]$/g, ''),
        port: Number(port) || (protocol === 'https:' ? 443 : 80),
        signal,
      })
      socket.destroy()
    })
    return Promise.any(reached).then(
      () => 'ok',
      () => 'failed',
    )
  }

  /** Any answer for the control name proves that the resolver works; only a timeout or failure does not. */
  async #testResolver(): Promise<TestState> {
    const { guard, resolverControlName, timeoutMs = 2_000 } = this.#options
    if (!resolverControlName) return 'none'
    try {
      await guard.resolve(resolverControlName, undefined, AbortSignal.timeout(timeoutMs))
      return 'ok'
    } catch (error) {
      return error instanceof RunFailure && error.code === 'blocked' ? 'ok' : 'failed'
    }
  }
}
