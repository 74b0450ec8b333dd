import { z } from 'zod'
import { daysAfter, stamp } from '#contract/time.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { meaning } from '#control-plane/http/page.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayRead } from './access.ts'
import { dutiesOf, horizonDays, onCallAt } from './duty.ts'
import { GapView, gapsOf, LayerFields, momentOf, viewLayer } from './duty-view.ts'
import { Instant } from './input.ts'
import { PersonView, readPeople } from './people.ts'
import { policyAsked, vetPolicy } from './policy.ts'
import { findSchedule, readPlans } from './rows.ts'

const time = z.string().meta({ format: 'date-time' })
const gapDays = 7

const CurrentView = z
  .object({
    schedule_id: z.uuid(),
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
      description: 'People of the schedule without a contact method that is enabled, verified and not failing.',
    }),
  })
  .meta({ id: 'OnCallNow' })

export const getCurrent = endpoint({
  method: 'GET',
  path: '/on-call-schedules/{on_call_schedule}/current',
  summary: 'Get who is on call, why, until when, and who is next',
  access: mayRead,
  query: z.object({
    at: Instant.optional().meta(
      meaning({ type: 'string', format: 'date-time', description: 'The moment that is asked for; by default now.' }),
    ),
    escalation_policy_id: policyAsked,
  }),
  returns: ok({ data: CurrentView }),

  async handle({ em, tenant, params, query, now }) {
    const row = await findSchedule(em, tenant, params.on_call_schedule)
    const at = query.at ?? now
    const policyId = query.escalation_policy_id ?? null
    await vetPolicy(em, tenant, policyId)
    const plans = await readPlans(em, tenant, [row], { from: at, to: daysAfter(at, horizonDays), policyId })
    const plan = plans.get(row.id)!
    const people = await readPeople(em, tenant, plan)
    const { duty, until, next } = onCallAt(plan, at.getTime())
    return {
      data: {
        schedule_id: row.id,
        at: stamp(at),
        user: people.get(duty.userId ?? '') ?? null,
        ...viewLayer(duty),
        until: until === null ? null : momentOf(until),
        next_user: people.get(next?.userId ?? '') ?? null,
        next_at: next ? momentOf(next.from) : null,
        gaps: gapsOf(dutiesOf(plan, at.getTime(), daysAfter(at, gapDays).getTime())),
        unreachable: [...people.values()].filter(person => !person.is_reachable),
      },
    }
  },
})
