import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { rows } from '#control-plane/db/queries.ts'

const count = z.int()
const seconds = z.number().meta({ description: 'Age of the oldest, in seconds; 0 where none waits.' })

/** What waits in PostgreSQL. */
export const Backlog = z.object({
  outbox: z.object({
    waiting: count.meta({ description: 'Events and starts of durable processes that are not handled yet.' }),
    oldest_seconds: seconds,
    dead: count.meta({ description: 'Given up after eight attempts: see GET /platform/dead-events.' }),
  }),
  mails: z.object({ waiting: count, oldest_seconds: seconds }),
  deliveries: z.object({
    waiting: count.meta({ description: 'Notifications that are due and not sent yet.' }),
    oldest_seconds: seconds,
  }),
  quarantined_rows: count.meta({ description: 'See GET /platform/quarantine.' }),
})
type Backlog = z.input<typeof Backlog>

const ageOf = (moment: string) =>
  sql`round(coalesce(extract(epoch from clock_timestamp() - min(${sql.ref(moment)})), 0)::numeric, 1)::float8`

const measure = sql<Backlog>`
  select
  (select json_build_object('waiting', count(*), 'oldest_seconds', ${ageOf('created_at')},
      'dead', (select count(*) from outbox where dead_at is not null))
    from outbox where done_at is null and kind <> 'mail') as outbox,
  (select json_build_object('waiting', count(*), 'oldest_seconds', ${ageOf('created_at')})
    from outbox where done_at is null and kind = 'mail') as mails,
  (select json_build_object('waiting', count(*), 'oldest_seconds', ${ageOf('next_at')})
    from deliveries where status in ('pending', 'retrying') and next_at <= clock_timestamp()) as deliveries,
  (select count(*)::int from quarantined_rows) as quarantined_rows`

export async function readBacklog(platform: Pool): Promise<Backlog> {
  const [row] = await rows(platform, measure)
  return row!
}
