import { RecentChanges } from '#checks/recent-changes.ts'
import { fingerprint, type Records } from './kind.ts'

/** The records this agent found for each name. */
export class RecordMemory {
  readonly #changes: RecentChanges<Records>

  constructor(maxNames?: number) {
    this.#changes = new RecentChanges(maxNames)
  }

  /** Stores settled records; returns those they replaced while the change is recent. */
  observe(name: string, records: Records, at: number): Records | null {
    return this.#changes.observe(name, fingerprint(records), records, at)
  }
}
