import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { Loop } from '#control-plane/base/loop.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'

const beatMs = 5_000

// a gap is our own outage: no monitor was checked, so none is judged on it
const beat = prepared(
  'ingest-beat',
  () => sql<Row<'monitoring_gaps', 'started_at'>>`
    with missing as (
      select at from liveness where name = 'ingest' and at < clock_timestamp() - interval '30 seconds'
    ), gap as (
      insert into monitoring_gaps (started_at, ended_at) select at, clock_timestamp() from missing returning started_at
    ), beaten as (
      insert into liveness (name, at) values ('ingest', clock_timestamp())
      on conflict (name) do update set at = excluded.at
    )
    select started_at::text from gap`,
)

/**
 * Records every five seconds, and when it is stopped, that ingest runs. More than half a minute without a record
 * becomes a monitoring gap.
 */
export async function startBeat(platform: Pool, log: Logger): Promise<{ stop(): Promise<void> }> {
  const record = async () => {
    const [row] = await rows(platform, beat())
    if (row) log.warn({ since: row.started_at }, 'monitoring gap')
  }
  await record()
  const failure = 'ingest beat failure'
  const loop = new Loop({ everyMs: beatMs, round: record, log, failure }).start({ atOnce: false })
  return {
    async stop() {
      await loop.stop()
      await record().catch(error => log.warn({ err: error }, failure))
    },
  }
}
