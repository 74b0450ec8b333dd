import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { deliverers, ProcessRegistry } from '#control-plane/base/process-registry.ts'
import { releaseClaims } from '#control-plane/base/queue/table.ts'
import type { Services } from '#control-plane/http/services.ts'
import { outboxTable } from '#control-plane/outbox/dispatcher.ts'
import { deliveryTable } from './store.ts'

/** Claims younger than this may be our own, not yet returned to us. */
const youngMs = 1_000

/**
 * Releases the claims of killed processes. Only a process that finds itself alone does so: every claim that is not its
 * own is abandoned. While other processes run, a claim does not say whose it is, so it is left to expire.
 */
export class AbandonedClaims {
  readonly #platform: Pool
  readonly #log: Services['log']
  readonly #processes: ProcessRegistry
  #own: () => readonly string[] = () => []
  #others = 1
  #isReleasing = false

  constructor({ platform, listener, log }: Pick<Services, 'platform' | 'listener' | 'log'>) {
    this.#platform = platform
    this.#log = log
    this.#processes = new ProcessRegistry(platform, listener, deliverers)
  }

  /** Call it before this process claims anything. */
  async join(): Promise<void> {
    await this.#processes
      .join(() => void this.#release(youngMs))
      .catch(error => this.#log.warn({ err: error }, 'process registry unavailable'))
    await this.#release(0)
  }

  /** From now on this process has claims; `own` returns their ids. */
  spare(own: () => readonly string[]): void {
    this.#own = own
  }

  leave(): void {
    this.#processes.leave()
  }

  async #release(olderThanMs: number): Promise<void> {
    if (this.#isReleasing) return
    this.#isReleasing = true
    try {
      const others = (await this.#processes.others()).length
      const isLeftAlone = others === 0 && this.#others > 0
      if (isLeftAlone) {
        // claims that the other process made in its last moment must be old enough as well
        await sleep(1.5 * olderThanMs)
        // the other process may only have lost its connection
        if ((await this.#processes.others()).length > 0) return
        // rows that failed are tried again as well; the claim of a delivery's retry expires with its own time
        await releaseClaims(this.#platform, outboxTable, {
          isClaimed: `${outboxTable.isOpen} and q.attempts > 0`,
          notice: 'outbox',
          own: [],
          olderThanMs,
        })
        await releaseClaims(this.#platform, deliveryTable, {
          isClaimed: `q.status = 'pending'`,
          notice: 'deliveries',
          own: this.#own(),
          olderThanMs,
        })
      }
      this.#others = others
    } catch (error) {
      this.#log.warn({ err: error }, 'abandoned claims release failed')
    } finally {
      this.#isReleasing = false
    }
  }
}
