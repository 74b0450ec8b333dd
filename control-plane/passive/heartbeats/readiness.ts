import type { Logger } from 'pino'
import { withQueryTimeout } from '#control-plane/base/db-timeouts.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { Row } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { intakeOf } from './intake.ts'

const beatMs = 1_000
/** A write that takes longer is given up, so that a stop does not wait for it. */
const lateMs = 4_000
/** A shorter interval without a write is no gap. Any process that receives pings writes. */
export const gapSeconds = 5

const beat = `
  with before as (
    select at from liveness where name = 'pings' for update
  ), began as (
    select case when b.at < clock_timestamp() - interval '${gapSeconds} seconds' then b.at
      else to_timestamp($1::float8 / 1000.0) end as at
    from before b
  ), gap as (
    insert into ingestion_gaps (started_at, ended_at)
    select at, clock_timestamp() from began where at is not null returning started_at
  ), beaten as (
    insert into liveness (name, at) values ('pings', clock_timestamp())
    on conflict (name) do update set at = excluded.at
  )
  select ${stampSql('started_at')} as started_at from gap`

/**
 * Writes every second that this process can receive pings. After a time without such a write (a stop, an unavailable
 * database, a clock that jumped), or when pings could not be stored, the next write stores an ingestion gap. Pings that
 * were expected within it are excused.
 */
export function startReadiness(
  services: Services,
  log: Pick<Logger, 'warn'> = services.log,
): { stop(): Promise<void> } {
  const intake = intakeOf(services)
  let failingSince: number | null = null
  const write = async () => {
    failingSince ??= intake.takeFailure()
    const { rows } = await services.platform.query<Row<'ingestion_gaps', 'started_at'>>(
      withQueryTimeout(lateMs, { name: 'pings-beat', text: beat, values: [failingSince] }),
    )
    failingSince = null
    if (rows[0]) log.warn({ since: rows[0].started_at }, 'ping ingestion gap excused')
  }
  return new Loop({ everyMs: beatMs, round: write, log, failure: 'ping beat failure' }).start({ atOnce: false })
}
