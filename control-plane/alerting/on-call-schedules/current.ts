import { z } from 'zod'
import { daysAfter, stamp } from '#contract/time.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { meaning, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage, ok } from '#control-plane/http/reply.ts'
import { mayRead } from './access.ts'
import { dutiesOf, horizonDays, onCallAt } from './duty.ts'
import { GapView, gapsOf, LayerFields, momentOf, viewLayer } from './duty-view.ts'
import { Instant } from './input.ts'
import { namedIn, PersonView, readPeople } from './people.ts'
import { readPlans } from './plans.ts'
import { policyAsked, validatePolicy } from './policy.ts'
import { findSchedule, pageOfSchedules, type ScheduleRow } from './rows.ts'

const time = z.string().meta({ format: 'date-time' })
const gapDays = 7

const CurrentView = z
  .object({
    schedule_id: z.uuid(),
    schedule_name: z.string(),
    at: time,
    user: PersonView.nullable().meta({ description: 'Who is on call; null: no person is.' }),
    ...LayerFields,
    until: time.nullable().meta({
      description: `When another person or layer takes over, or a gap begins; null: not within ${horizonDays} days.`,
    }),
    next_user: PersonView.nullable().meta({ description: 'The next other person who comes on duty.' }),
    next_at: time.nullable(),
    gaps: z.array(GapView).meta({ description: `When no person is on call in the ${gapDays} days after \`at\`.` }),
    unreachable: z.array(PersonView).meta({
      description: 'People of the schedule whom steps of escalation policies do not reach: `is_reachable` is false.',
    }),
  })
  .meta({ id: 'OnCallNow' })

const query = {
  at: Instant.optional().meta(
    meaning({ type: 'string', format: 'date-time', description: 'The moment that is asked for; by default now.' }),
  ),
  escalation_policy_id: policyAsked,
}

export const getCurrent = endpoint({
  method: 'GET',
  path: '/on-call-schedules/{on_call_schedule}/current',
  summary: 'Get who is on call, why, until when, and who is next',
  access: mayRead,
  query: z.object(query),
  returns: ok({ data: CurrentView }),

  async handle(context) {
    const row = await findSchedule(context.em, context.tenant, context.params.on_call_schedule)
    const [current] = await currentOf(context, [row])
    return { data: current! }
  },
})

export const listCurrent = endpoint({
  method: 'GET',
  path: '/on-call-schedules/current',
  summary: 'List who is on call now, for each schedule of the team',
  access: mayRead,
  query: offsetQuery().extend(query),
  returns: offsetPage(CurrentView),

  async handle(context) {
    const { em, tenant, query, url } = context
    const { rows, count } = await pageOfSchedules(em, tenant, query)
    return { data: await currentOf(context, rows), ...offsetParts(query, count, url) }
  },
})

type Asked = Pick<RequestContext, 'em' | 'tenant' | 'now'> & {
  query: { at?: Date | undefined; escalation_policy_id?: string | undefined }
}

/** Who is on call by each of the schedules, at the moment that is asked for. */
async function currentOf({ em, tenant, query, now }: Asked, rows: readonly ScheduleRow[]) {
  const at = query.at ?? now
  const policyId = query.escalation_policy_id ?? null
  await validatePolicy(em, tenant, policyId)
  const plans = await readPlans(em, tenant, rows, { from: at, to: daysAfter(at, horizonDays), policyId })
  const people = await readPeople(em, tenant, [...plans.values()])
  return rows.map((row): z.input<typeof CurrentView> => {
    const plan = plans.get(row.id)!
    const { duty, until, next } = onCallAt(plan, at.getTime())
    const named = namedIn(plan)
    return {
      schedule_id: row.id,
      schedule_name: row.name,
      at: stamp(at),
      user: people.get(duty.userId ?? '') ?? null,
      ...viewLayer(duty),
      until: until === null ? null : momentOf(until),
      next_user: people.get(next?.userId ?? '') ?? null,
      next_at: next ? momentOf(next.from) : null,
      gaps: gapsOf(dutiesOf(plan, at.getTime(), daysAfter(at, gapDays).getTime())),
      unreachable: [...people.values()].filter(person => named.has(person.user_id) && !person.is_reachable),
    }
  })
}
