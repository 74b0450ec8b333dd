import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { deliverers, ProcessRegistry } from '#control-plane/base/process-registry.ts'
import type { Services } from '#control-plane/http/services.ts'
import { releaseOutboxClaims } from '#control-plane/outbox/dispatcher.ts'
import { giveBackDeliveries } from './store.ts'

/** Claims this young may be our own and on their way to us. */
const youngMs = 1_000

/**
 * What a process claimed that was killed is given back as soon as one that lives finds itself alone: what it has not claimed itself is
 * nobody's. Beside others nobody knows whose a claim is, and it ends by itself.
 */
export class AbandonedClaims {
  readonly #platform: Pool
  readonly #log: Services['log']
  readonly #processes: ProcessRegistry
  #own: () => readonly string[] = () => []
  #others = 1
  #isLooking = false

  constructor({ platform, listener, log }: Pick<Services, 'platform' | 'listener' | 'log'>) {
    this.#platform = platform
    this.#log = log
    this.#processes = new ProcessRegistry(platform, listener, deliverers)
  }

  /** Before anything is claimed by this process. */
  async join(): Promise<void> {
    await this.#processes
      .join(() => void this.#look(youngMs))
      .catch(error => this.#log.warn({ err: error }, 'others that deliver cannot be looked for'))
    await this.#look(0)
  }

  /** From now on this process has claims of its own. */
  spare(own: () => readonly string[]): void {
    this.#own = own
  }

  leave(): void {
    this.#processes.leave()
  }

  async #look(olderThanMs: number): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      const others = (await this.#processes.others()).length
      const isLeftAlone = others === 0 && this.#others > 0
      if (isLeftAlone) {
        // what the other claimed in its last moment must be old enough as well
        await sleep(1.5 * olderThanMs)
        // nor may the other have been without its connection only
        if ((await this.#processes.others()).length > 0) return
        await releaseOutboxClaims(this.#platform, olderThanMs)
        await giveBackDeliveries(this.#platform, this.#own(), olderThanMs)
      }
      this.#others = others
    } catch (error) {
      this.#log.warn({ err: error }, 'what others had claimed could not be given back; it ends by itself')
    } finally {
      this.#isLooking = false
    }
  }
}
