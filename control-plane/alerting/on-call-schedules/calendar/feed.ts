import ical from 'ical-generator'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { daysAfter } from '#contract/time.ts'
import { type Duty, dutiesOf, type Schedule } from '#control-plane/alerting/on-call-schedules/duty.ts'
import { readPlans } from '#control-plane/alerting/on-call-schedules/plans.ts'
import { selectSchedules } from '#control-plane/alerting/on-call-schedules/rows.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { inSlices } from '#control-plane/base/slices.ts'
import { hashSecret, linkTokenShape } from '#control-plane/base/token-secret.ts'
import { rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { calendar } from '#control-plane/http/reply.ts'

const pastDays = 7
const aheadDays = 90
const maxEvents = 2_000

const Token = z.string().regex(linkTokenShape)

interface Owner {
  user_id: string
  tenant_id: string
  team: string
}

interface Shift extends Duty {
  schedule: { id: string; name: string }
}

export const readCalendar = endpoint({
  method: 'GET',
  path: '/on-call-calendars/{token}',
  operation: 'onCallSchedules.calendar.read',
  tag: 'on-call-schedules',
  summary: 'Get the on-call calendar of a person as iCalendar',
  description:
    'By its secret address. ' +
    `The shifts of the last ${pastDays} and the next ${aheadDays} days, at most ${maxEvents}.`,
  access: 'public',
  detached: true,
  compress: false,
  named: { token: Token },
  returns: calendar({ 'X-Robots-Tag': 'noindex' }),

  async handle({ params, services, now }) {
    const { platform } = services
    const [owner] = await rows(platform)<Owner>`
      select c.user_id, c.tenant_id, t.name as team from on_call_calendars c join tenants t on t.id = c.tenant_id
      join memberships m on m.tenant_id = c.tenant_id and m.user_id = c.user_id and m.disabled_at is null
      where c.token_hash = ${hashSecret(params.token)} and t.deleted_at is null and t.suspended_at is null`
    if (!owner) throw notFound('Calendar')
    return write(owner, await shiftsOf(platform, owner, now))
  },
})

async function shiftsOf(platform: Pool, { user_id, tenant_id }: Owner, now: Date): Promise<Shift[]> {
  // from a midnight on, so that the identity of an event that has begun stays the same through the day
  const from = new Date(daysAfter(now, -pastDays).setUTCHours(0, 0, 0, 0))
  const to = daysAfter(now, aheadDays)
  const tenant = { id: tenant_id }
  const schedules = await selectSchedules(platform, tenant)
    .where(({ exists, or, selectFrom }) =>
      or([
        exists(
          selectFrom('on_call_rotation_versions as v')
            .innerJoin('on_call_rotations as r', 'r.id', 'v.rotation_id')
            .whereRef('r.schedule_id', '=', 's.id')
            .where(sql<string>`${user_id}::uuid`, '=', ({ ref }) => sql<string>`any(${ref('v.users')})`)
            .select('v.number'),
        ),
        exists(
          selectFrom('on_call_rotation_users as u')
            .innerJoin('on_call_rotations as r', 'r.id', 'u.rotation_id')
            .whereRef('r.schedule_id', '=', 's.id')
            .where('u.user_id', '=', user_id)
            .select('r.id'),
        ),
        exists(
          selectFrom('on_call_overrides as o')
            .whereRef('o.schedule_id', '=', 's.id')
            .where('o.user_id', '=', user_id)
            .select('o.id'),
        ),
      ]),
    )
    .orderBy('s.created_at')
    .orderBy('s.id')
    .execute()
  const plans = await readPlans(platform, tenant, schedules, { from, to })
  const span = { from: from.getTime(), to: to.getTime() }
  const shifts = await inSlices(collect(schedules, plans, user_id, span))
  return shifts.toSorted((a, b) => a.from - b.from).slice(0, maxEvents)
}

/** Pauses between schedules: a team may have many. */
function* collect(
  schedules: readonly Shift['schedule'][],
  plans: ReadonlyMap<string, Schedule>,
  userId: string,
  { from, to }: { from: number; to: number },
): Generator<undefined, Shift[]> {
  const shifts: Shift[] = []
  for (const schedule of schedules) {
    const plan = plans.get(schedule.id)
    if (!plan) continue
    for (const duty of dutiesOf(plan, from, to)) if (duty.userId === userId) shifts.push({ ...duty, schedule })
    yield
  }
  return shifts
}

function write({ user_id, team }: Owner, shifts: readonly Shift[]): string {
  const file = ical({
    name: `On call: ${team}`,
    prodId: { company: 'Monitoring', product: 'On-call schedules', language: 'EN' },
    ttl: 3_600,
  })
  for (const { from, to, schedule } of shifts)
    file.createEvent({
      id: `${schedule.id}-${user_id}-${from}`,
      start: new Date(from),
      end: new Date(to),
      summary: `On call: ${schedule.name}`,
    })
  return file.toString()
}
