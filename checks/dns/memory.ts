import { News } from '#checks/news.ts'
import { fingerprint, type Records } from './kind.ts'

/** What this agent saw of each name. */
export class RecordMemory {
  readonly #news: News<Records>

  constructor(maxNames?: number) {
    this.#news = new News(maxNames)
  }

  /** Takes note of settled records; answers what they replaced, as long as that is news. */
  note(name: string, records: Records, at: number): Records | null {
    return this.#news.note(name, fingerprint(records), records, at)
  }
}
