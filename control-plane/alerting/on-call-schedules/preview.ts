import { z } from 'zod'
import { daysAfter } from '#contract/time.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { meaning } from '#control-plane/http/page.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayRead } from './access.ts'
import { dutiesOf } from './duty.ts'
import { GapView, gapsOf, LayerFields, momentOf, viewLayer } from './duty-view.ts'
import { Instant } from './input.ts'
import { PersonView, readPeople } from './people.ts'
import { findSchedule, readPlans } from './rows.ts'

const time = z.string().meta({ format: 'date-time' })
const maxDays = 90
const defaultDays = 14
const maxDuties = 5_000

const PreviewView = z
  .object({
    schedule_id: z.uuid(),
    from: time,
    to: time.meta({
      description: `Earlier than requested where there are more than ${maxDuties} shifts and gaps: continue from here.`,
    }),
    shifts: z.array(
      z.object({ user_id: z.uuid(), starts_at: time, ends_at: time, ...LayerFields }).meta({ id: 'OnCallShift' }),
    ),
    gaps: z.array(GapView).meta({ description: 'When no person is on call.' }),
    users: z.array(PersonView).meta({ description: 'The people of the schedule.' }),
    unreachable: z.array(PersonView).meta({
      description: 'People of the schedule whose e-mail address is not verified.',
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
  }),
  returns: ok({ data: PreviewView }),

  async handle({ em, tenant, params, query, now }) {
    const from = query.from ?? now
    const to = query.to ?? daysAfter(from, defaultDays)
    if (to <= from) throw invalid({ to: ['Must be later than from.'] })
    if (to > daysAfter(from, maxDays)) throw invalid({ to: [`Must be at most ${maxDays} days after from.`] })
    const row = await findSchedule(em, tenant, params.on_call_schedule)
    const plan = (await readPlans(em, tenant, [row], { from, to })).get(row.id)!
    const people = await readPeople(em, tenant, plan)
    const duties = dutiesOf(plan, from.getTime(), to.getTime()).slice(0, maxDuties)
    return {
      data: {
        schedule_id: row.id,
        from: momentOf(from.getTime()),
        to: momentOf(duties.at(-1)?.to ?? to.getTime()),
        shifts: duties.flatMap(duty =>
          duty.userId === null
            ? []
            : {
                user_id: duty.userId,
                starts_at: momentOf(duty.from),
                ends_at: momentOf(duty.to),
                ...viewLayer(duty),
              },
        ),
        gaps: gapsOf(duties),
        users: [...people.values()],
        unreachable: [...people.values()].filter(person => !person.is_reachable),
      },
    }
  },
})
