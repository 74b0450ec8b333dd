import { sql } from 'kysely'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { endSnooze } from './end-snooze.ts'

const everyMs = 2_000
/** How late the end of a snooze must be before it is taken over from its workflow. */
const graceS = 3
const most = 200

type Deps = Pick<Services, 'platform' | 'log'>

/** Ends the snoozes that are over and that Temporal has not ended. Returns how many there were. */
export async function endLateSnoozes({ platform, log }: Deps): Promise<number> {
  const found = await rows(platform, lateSnoozes())
  await eachIsolated(
    found,
    async ({ id, until }) => void (await endSnooze(platform, id, new Date(until))),
    ({ id }, error) => log.warn({ err: error, check_id: id }, 'snooze end failure'),
  )
  return found.length
}

/** While Temporal is away, a team is notified all the same of what is open when a snooze ends. */
export const watchSnoozes = (deps: Deps): Loop =>
  new Loop({
    everyMs,
    round: async () => {
      while ((await endLateSnoozes(deps)) === most);
    },
    log: deps.log,
    failure: 'late snooze read failure',
  }).start()

const lateSnoozes = prepared(
  'late-snoozes',
  () => sql<Row<'checks', 'id'> & { until: string }>`
    select id, snoozed_until as until from checks
    where snoozed_until < clock_timestamp() - interval '${sql.lit(graceS)} seconds' order by snoozed_until
    limit ${sql.lit(most)}`,
)
