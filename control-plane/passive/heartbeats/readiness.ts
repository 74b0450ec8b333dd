import { sql } from 'kysely'
import type { Logger } from 'pino'
import { Loop } from '#control-plane/base/loop.ts'
import { prepared, type Row, rows, stamp } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { intakeOf } from './intake.ts'

const beatMs = 1_000
/** A write that takes longer is given up, so that a stop does not wait for it. */
const lateMs = 4_000
/** A shorter interval without a write is no gap. Any process that receives pings writes. */
export const gapSeconds = 5

const beat = prepared(
  'pings-beat',
  (failingSince: number | null) => sql<Row<'ingestion_gaps', 'started_at'>>`
  with before as (
    select at from liveness where name = 'pings' for update
  ), began as (
    select case when b.at < clock_timestamp() - interval '${sql.lit(gapSeconds)} seconds' then b.at
      else to_timestamp(${failingSince}::float8 / 1000.0) end as at
    from before b
  ), gap as (
    insert into ingestion_gaps (started_at, ended_at)
    select at, clock_timestamp() from began where at is not null returning started_at
  ), beaten as (
    insert into liveness (name, at) values ('pings', clock_timestamp())
    on conflict (name) do update set at = excluded.at
  )
  select ${stamp('started_at')} as started_at from gap`,
  { timeoutMs: lateMs },
)

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
    const [gap] = await rows(services.platform, beat(failingSince))
    failingSince = null
    if (gap) log.warn({ since: gap.started_at }, 'ping ingestion gap excused')
  }
  return new Loop({ everyMs: beatMs, round: write, log, failure: 'ping beat failure' }).start({ atOnce: false })
}
