import { Sentence } from '#contract/sentence.ts'
import { dutiesOf } from '#control-plane/alerting/on-call-schedules/duty.ts'
import { LocalClock, localText } from '#control-plane/alerting/on-call-schedules/local-clock.ts'
import { readPlans } from '#control-plane/alerting/on-call-schedules/plans.ts'
import type { ScheduleRow } from '#control-plane/alerting/on-call-schedules/rows.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'

interface Replaced {
  /** The field that names the person. */
  field: string
  userId: string
  starts_at: Date
  ends_at: Date
  policyId?: string | null
  /** Whether another person may have a part of the time. */
  isShared?: boolean
}

/**
 * Refuses, by its field, a person whose duty cannot be taken over: the person has none in the part of the time that is
 * not over, or another person has some of it.
 */
export async function refuseOffDuty(
  { em, tenant, now }: Pick<RequestContext, 'em' | 'tenant' | 'now'>,
  schedule: ScheduleRow,
  { field, userId, starts_at, ends_at, policyId = null, isShared = false }: Replaced,
): Promise<void> {
  const from = starts_at > now ? starts_at : now
  const plan = (await readPlans(em, tenant, [schedule], { from, to: ends_at, policyId })).get(schedule.id)!
  const duties = dutiesOf(plan, from.getTime(), ends_at.getTime())
  const isOnDuty = duties.some(duty => duty.userId === userId)
  const other = isShared ? undefined : duties.find(duty => duty.userId !== null && duty.userId !== userId)
  if (isOnDuty && !other) return
  const span = (isOnDuty && other) || { from: starts_at.getTime(), to: ends_at.getTime() }
  const { name } = await queries(em)
    .selectFrom('users')
    .where('id', '=', userId)
    .select('name')
    .executeTakeFirstOrThrow()
  const clock = new LocalClock(schedule.timezone, span.from, span.to)
  const local = (at: number) => localText(clock.read(at)).replace('T', ' ')
  throw invalid({
    [field]: [
      new Sentence('{who} is not on duty from {from} to {to} ({zone}).', {
        who: name,
        from: local(span.from),
        to: local(span.to),
        zone: schedule.timezone,
      }),
    ],
  })
}
