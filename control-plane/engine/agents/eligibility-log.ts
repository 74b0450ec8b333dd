import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Ineligibility } from './region.ts'

/** Longer than the longest time that can be replayed. */
const keptDays = 120

const note = `
  with old as (
    delete from region_eligibilities s where at < now() - interval '${keptDays} days'
      and exists (select 1 from region_eligibilities newer where newer.region = s.region and newer.id > s.id and newer.at < now() - interval '${keptDays} days')
  )
  insert into region_eligibilities (region, at, reason)
  select r.region, to_timestamp($2 / 1000.0), r.reason from json_to_recordset($1::json) as r(region text, reason text)`

/** Writes down which regions gained or lost their say, for whoever asks later how a verdict came about. What cannot be written is lost. */
export class EligibilityLog {
  readonly #platform: Pool
  readonly #log: Pick<Logger, 'warn'>
  #told = new Map<string, Ineligibility | null>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor({ platform, log }: { platform: Pool; log: Pick<Logger, 'warn'> }) {
    this.#platform = platform
    this.#log = log
  }

  /** All regions, each with why it has no say. A region that is gone has none. */
  write(regions: ReadonlyMap<string, Ineligibility | null>, now: number): void {
    const all = new Map<string, Ineligibility | null>([
      ...[...this.#told.keys()].map(name => [name, 'never_seen'] as const),
      ...regions,
    ])
    const changed = [...all].flatMap(([region, why]) =>
      this.#told.has(region) && this.#told.get(region) === why ? [] : [{ region, reason: why }],
    )
    this.#told = all
    if (changed.length === 0) return
    this.#turn = this.#turn
      .then(() => this.#platform.query({ name: 'note-standings', text: note, values: [JSON.stringify(changed), now] }))
      .catch(error => this.#log.warn({ err: error }, 'who had a say could not be written down'))
  }

  /** Everything so far is written. */
  async stop(): Promise<void> {
    await this.#turn
  }
}
