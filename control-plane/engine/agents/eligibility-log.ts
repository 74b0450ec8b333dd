import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { prepared, rows } from '#control-plane/db/queries.ts'
import type { Ineligibility } from './region.ts'

/** Longer than the longest time that can be replayed. */
const keptDays = 120

const write = prepared(
  'region-eligibilities',
  (changed: string, now: number) => sql`
    with old as (
      delete from region_eligibilities s where at < now() - interval '${sql.lit(keptDays)} days'
        and exists (select 1 from region_eligibilities newer
          where newer.region = s.region and newer.id > s.id and newer.at < now() - interval '${sql.lit(keptDays)} days')
    )
    insert into region_eligibilities (region, at, reason)
    select r.region, to_timestamp(${now} / 1000.0), r.reason
    from json_to_recordset(${changed}::json) as r(region text, reason text)`,
)

/** Records which regions became eligible or ineligible, to explain verdicts later. A failed write is lost. */
export class EligibilityLog {
  readonly #platform: Pool
  readonly #log: Pick<Logger, 'warn'>
  #written = new Map<string, Ineligibility | null>()
  #writing: Promise<unknown> = Promise.resolve()

  constructor({ platform, log }: { platform: Pool; log: Pick<Logger, 'warn'> }) {
    this.#platform = platform
    this.#log = log
  }

  /** All regions, each with the reason if ineligible. A removed region is ineligible. */
  write(regions: ReadonlyMap<string, Ineligibility | null>, now: number): void {
    const all = new Map<string, Ineligibility | null>([
      ...[...this.#written.keys()].map(name => [name, 'never_seen'] as const),
      ...regions,
    ])
    const changed = [...all].flatMap(([region, why]) =>
      this.#written.has(region) && this.#written.get(region) === why ? [] : [{ region, reason: why }],
    )
    this.#written = all
    if (changed.length === 0) return
    this.#writing = this.#writing
      .then(() => rows(this.#platform, write(JSON.stringify(changed), now)))
      .catch(error => this.#log.warn({ err: error }, 'region eligibility write failure'))
  }

  /** Everything so far is written. */
  async stop(): Promise<void> {
    await this.#writing
  }
}
