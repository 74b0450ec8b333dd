import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { Loop } from '#control-plane/base/loop.ts'

const beatMs = 5_000

// a gap is our own outage: nobody watched, so nobody is judged on it
const beat = `
  with missing as (
    select at from liveness where name = 'ingest' and at < clock_timestamp() - interval '30 seconds'
  ), spell as (
    insert into monitoring_gaps (started_at, ended_at) select at, clock_timestamp() from missing returning started_at
  ), beaten as (
    insert into liveness (name, at) values ('ingest', clock_timestamp()) on conflict (name) do update set at = excluded.at
  )
  select started_at from spell`

/** Says every five seconds that ingest is awake. A gap of more than half a minute, by a stop or by a database away, is written down as a blind spell. */
export async function keepBeat(platform: Pool, log: Logger): Promise<{ stop(): Promise<void> }> {
  const say = async () => {
    const { rows } = await platform.query<{ started_at: Date }>({ name: 'ingest-beat', text: beat })
    if (rows[0])
      log.warn({ since: rows[0].started_at }, 'nothing was watched for a while; the time is left out of every uptime')
  }
  await say()
  return new Loop({ everyMs: beatMs, round: say, log, failure: 'ingest beat failure' }).start({ atOnce: false })
}
