import { FairSlots, Shares } from '#contract/fair-queue.ts'
import { Refusal, unavailable } from '#control-plane/base/refusal.ts'

/** Backtests at once in this process: each uses a core for a second or two. One tenant alone gets one of them. */
const atOnce = 2
const waitingAtMost = 20
const retryAfterS = 2

/** A few slots for backtests. A request that waits too long, or is one too many, is answered with 503. */
export class BacktestSlots {
  readonly #slots = new FairSlots(atOnce)
  readonly #waiting = new Shares(waitingAtMost)
  readonly #timeoutMs: number
  /** Teams whose settings are backtested now, or wait for it. */
  readonly #teams = new Set<string>()

  constructor({ timeoutMs = 20_000 }: { timeoutMs?: number } = {}) {
    this.#timeoutMs = timeoutMs
  }

  /** One at a time for each team. Slots are shared fairly by `tenantId`, which is the reseller of a reseller's request. */
  async use<T>({ teamId, tenantId }: { teamId: string; tenantId: string }, work: () => Promise<T>): Promise<T> {
    if (this.#teams.has(teamId))
      throw new Refusal(429, 'busy', 'A backtest of this team is under way: wait for its answer.', {
        headers: { 'Retry-After': String(retryAfterS) },
      })
    if (!this.#waiting.mayTake(tenantId)) throw unavailable('Too many backtests wait.', retryAfterS)
    this.#teams.add(teamId)
    try {
      const release = await this.#take(tenantId)
      try {
        return await work()
      } finally {
        release()
      }
    } finally {
      this.#teams.delete(teamId)
    }
  }

  async #take(tenantId: string): Promise<() => void> {
    this.#waiting.take(tenantId)
    try {
      return await this.#slots.take(tenantId, AbortSignal.timeout(this.#timeoutMs))
    } catch {
      throw unavailable('Too many backtests are under way.', retryAfterS)
    } finally {
      this.#waiting.release(tenantId)
    }
  }
}

export const backtestSlots = new BacktestSlots()
