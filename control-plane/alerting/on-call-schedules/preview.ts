import { z } from 'zod'
import { Sentence } from '#contract/sentence.ts'
import { daysAfter } from '#contract/time.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { meaning } from '#control-plane/http/page.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayRead } from './access.ts'
import { type Duty, dutiesOf } from './duty.ts'
import { GapView, gapsOf, LayerFields, momentOf, viewLayer } from './duty-view.ts'
import { Instant } from './input.ts'
import { namedIn, PersonView, readPeople } from './people.ts'
import { readPlans } from './plans.ts'
import { policyAsked, validatePolicy } from './policy.ts'
import { findSchedule } from './rows.ts'

const time = z.string().meta({ format: 'date-time' })
const maxDays = 90
const defaultDays = 14
const maxDuties = 5_000

const Shift = z.object({ user_id: z.uuid(), starts_at: time, ends_at: time })

const PreviewView = z
  .object({
    schedule_id: z.uuid(),
    from: time,
    to: time.meta({
      description: `Earlier than requested where there are more than ${maxDuties} shifts and gaps: continue from here.`,
    }),
    shifts: z.array(Shift.extend(LayerFields).meta({ id: 'OnCallShift' })),
    gaps: z.array(GapView).meta({ description: 'When no person is on call.' }),
    layers: z
      .array(z.object({ rotation_id: z.uuid(), name: z.string(), shifts: z.array(Shift) }).meta({ id: 'OnCallLayer' }))
      .meta({ description: 'What each rotation alone says, by order: the first that has a shift decides.' }),
    overrides: z
      .array(
        z
          .object({
            override_id: z.uuid(),
            user_id: z.uuid(),
            replaces_user_id: z.uuid().nullable(),
            escalation_policy_id: z.uuid().nullable(),
            starts_at: time,
            ends_at: time,
          })
          .meta({ id: 'OnCallPlannedOverride' }),
      )
      .meta({ description: 'The overrides of the span, by age: of several at one time the newest decides.' }),
    users: z.array(PersonView).meta({ description: 'The people of the schedule.' }),
    unreachable: z.array(PersonView).meta({
      description: 'People of the schedule whom steps of escalation policies do not reach: `is_reachable` is false.',
    }),
  })
  .meta({ id: 'OnCallPreview' })

const instant = (description: string) =>
  Instant.optional().meta(meaning({ type: 'string', format: 'date-time', description }))

export const getPreview = endpoint({
  method: 'GET',
  path: '/on-call-schedules/{on_call_schedule}/preview',
  summary: 'Preview the shifts and gaps of an on-call schedule',
  access: mayRead,
  query: z.object({
    from: instant('By default now.'),
    to: instant(`By default ${defaultDays} days after \`from\`, at most ${maxDays}.`),
    escalation_policy_id: policyAsked,
  }),
  returns: ok({ data: PreviewView }),

  async handle({ em, tenant, params, query, now }) {
    const from = query.from ?? now
    const to = query.to ?? daysAfter(from, defaultDays)
    if (to <= from) throw invalid({ to: ['Must be later than from.'] })
    if (to > daysAfter(from, maxDays))
      throw invalid({ to: [new Sentence('Must be at most {n} days after from.', { n: maxDays })] })
    const row = await findSchedule(em, tenant, params.on_call_schedule)
    const policyId = query.escalation_policy_id ?? null
    await validatePolicy(em, tenant, policyId)
    const plan = (await readPlans(em, tenant, [row], { from, to, policyId })).get(row.id)!
    const people = await readPeople(em, tenant, [plan])
    const named = namedIn(plan)
    const duties = dutiesOf(plan, from.getTime(), to.getTime()).slice(0, maxDuties)
    const end = duties.at(-1)?.to ?? to.getTime()
    return {
      data: {
        schedule_id: row.id,
        from: momentOf(from.getTime()),
        to: momentOf(end),
        shifts: duties.flatMap(duty => shiftsOf(duty).map(shift => ({ ...shift, ...viewLayer(duty) }))),
        gaps: gapsOf(duties),
        layers: plan.rotations.map(rotation => ({
          rotation_id: rotation.id,
          name: rotation.name,
          shifts: dutiesOf({ ...plan, rotations: [rotation], overrides: [] }, from.getTime(), end)
            .slice(0, maxDuties)
            .flatMap(shiftsOf),
        })),
        overrides: plan.overrides.map(override => ({
          override_id: override.id,
          user_id: override.userId,
          replaces_user_id: override.replacesUserId,
          escalation_policy_id: override.policyId,
          starts_at: momentOf(override.startsAt),
          ends_at: momentOf(override.endsAt),
        })),
        users: [...people.values()],
        unreachable: [...people.values()].filter(person => named.has(person.user_id) && !person.is_reachable),
      },
    }
  },
})

/** The shift of an interval; none of a gap. */
const shiftsOf = ({ userId, from, to }: Duty): z.input<typeof Shift>[] =>
  userId === null ? [] : [{ user_id: userId, starts_at: momentOf(from), ends_at: momentOf(to) }]
