import { setTimeout as pause } from 'node:timers/promises'
import { isMarkedAway, markAway } from './away.ts'

/** After so long it is asked whether the store answers at all. */
const doubtAfterMs = 3_000
/** How long an answer may take, and how often it may fail to come before the store counts as away. */
const answerMs = 3_000
const silencesAtMost = 2
const examineEveryMs = 1_000
/** So long nothing is asked of a store that left the last question unanswered. One that refuses is asked each time. */
const restMs = 1_000

interface Call {
  since: number
  over: AbortController
}

/**
 * Keeps callers from waiting for a ClickHouse that does not answer: what it is asked while it is away fails at once,
 * and what it was asked before fails after some seconds. A statement that takes long on a server that answers goes
 * on.
 */
export class Breaker {
  readonly #ping: () => Promise<boolean>
  readonly #calls = new Set<Call>()
  #isAway = false
  #asking: Promise<boolean> | undefined
  #askedAt = Number.NEGATIVE_INFINITY
  #restsUntil = Number.NEGATIVE_INFINITY
  #watch: NodeJS.Timeout | undefined

  /** `ping`: whether the store answers; over a connection that no statement occupies. */
  constructor(ping: () => Promise<boolean>) {
    this.#ping = ping
  }

  async run<T>(work: (over: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#isAway && !(await this.#isBack())) throw away()
    const call: Call = { since: performance.now(), over: new AbortController() }
    this.#calls.add(call)
    this.#watch ??= setInterval(() => void this.#examine(), examineEveryMs).unref()
    try {
      return await work(call.over.signal)
    } catch (error) {
      if (call.over.signal.aborted) throw away()
      if (isMarkedAway(error)) this.#isAway = true
      throw error
    } finally {
      this.#calls.delete(call)
      if (this.#calls.size === 0) this.#rest()
    }
  }

  #rest(): void {
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  async #isBack(): Promise<boolean> {
    if (!this.#asking && performance.now() < this.#restsUntil) return false
    const answers = await this.#ask()
    if (answers) this.#isAway = false
    return answers
  }

  /** Callers that ask at the same time share an answer. */
  #ask(): Promise<boolean> {
    this.#asking ??= this.#answers().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #answers(): Promise<boolean> {
    this.#askedAt = performance.now()
    const late = pause(answerMs, undefined, { ref: false })
    const answer = await Promise.race([this.#ping().catch(() => false), late])
    if (answer === undefined) this.#restsUntil = performance.now() + restMs
    return answer === true
  }

  async #examine(): Promise<void> {
    const isDoubted = ({ since }: Call) => performance.now() - since > doubtAfterMs
    if (this.#asking || ![...this.#calls].some(isDoubted) || performance.now() - this.#askedAt < doubtAfterMs) return
    for (let silences = 0; silences < silencesAtMost; silences++) if (await this.#ask()) return
    this.#isAway = true
    for (const call of this.#calls) if (isDoubted(call)) call.over.abort()
  }
}

const away = () => markAway(new Error('ClickHouse does not answer.'), 'archive')
