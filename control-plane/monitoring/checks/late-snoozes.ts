import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import type { Row } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { endSnooze } from './end-snooze.ts'

const everyMs = 2_000
/** How late the end of a snooze must be before it is taken over from its workflow. */
const graceS = 3
const most = 200

type Deps = Pick<Services, 'platform' | 'log'>

/** Ends the snoozes that are over and that Temporal has not ended. Returns how many there were. */
export async function endLateSnoozes({ platform, log }: Deps): Promise<number> {
  const { rows } = await platform.query<Row<'checks', 'id'> & { until: Date }>({
    name: 'late-snoozes',
    text: `select id, snoozed_until as until from checks
      where snoozed_until < clock_timestamp() - interval '${graceS} seconds' order by snoozed_until limit ${most}`,
  })
  await eachIsolated(
    rows,
    async ({ id, until }) => void (await endSnooze(platform, id, until)),
    ({ id }, error) => log.warn({ err: error, check_id: id }, 'snooze end failure'),
  )
  return rows.length
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
