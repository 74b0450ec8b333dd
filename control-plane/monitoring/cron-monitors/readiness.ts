import type { Logger } from 'pino'
import { Loop } from '#control-plane/base/loop.ts'
import { withQueryTimeout } from '#control-plane/base/patience.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { Row } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { intakeOf } from './intake.ts'

const beatMs = 1_000
/** A word that comes later says nothing; nor may a stop wait for it. */
const lateMs = 4_000
/** A shorter silence of ours is no gap: any process that takes pings may break it. */
export const gapSeconds = 5

const beat = `
  with before as (
    select at from liveness where name = 'pings' for update
  ), began as (
    select case when b.at < clock_timestamp() - interval '${gapSeconds} seconds' then b.at else to_timestamp($1::float8 / 1000.0) end as at from before b
  ), gap as (
    insert into ingestion_gaps (started_at, ended_at) select at, clock_timestamp() from began where at is not null returning started_at
  ), beaten as (
    insert into liveness (name, at) values ('pings', clock_timestamp()) on conflict (name) do update set at = excluded.at
  )
  select ${stampSql('started_at')} as started_at from gap`

/**
 * Says every second that pings can be received here. When nobody said so for a while (a stop, a database away, a clock that jumped), or pings
 * could not be stored, that gap is written down with the first word after it: what was due within it is forgiven, for nobody could have heard it.
 */
export function keepReadiness(services: Services, log: Pick<Logger, 'warn'> = services.log): { stop(): Promise<void> } {
  const intake = intakeOf(services)
  let failingSince: number | null = null
  const say = async () => {
    failingSince ??= intake.takeFailure()
    const { rows } = await services.platform.query<Row<'ingestion_gaps', 'started_at'>>(
      withQueryTimeout(lateMs, { name: 'pings-beat', text: beat, values: [failingSince] }),
    )
    failingSince = null
    if (rows[0]) log.warn({ since: rows[0].started_at }, 'ping ingestion gap excused')
  }
  return new Loop({ everyMs: beatMs, round: say, log, failure: 'ping beat failure' }).start({ atOnce: false })
}
