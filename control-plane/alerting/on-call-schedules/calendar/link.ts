import { z } from 'zod'
import { mayRead, refuseWithoutFeature } from '#control-plane/alerting/on-call-schedules/access.ts'
import type { Caller } from '#control-plane/base/caller.ts'
import { forbidden } from '#control-plane/base/refusal.ts'
import { mintLinkToken } from '#control-plane/base/token-secret.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent, ok } from '#control-plane/http/reply.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'

const access = { tenant: mayRead.tenant } as const
const path = '/on-call-schedules/calendar'
const time = z.string().meta({ format: 'date-time' })

const CalendarView = z
  .object({ created_at: time.meta({ description: 'When the address was last rotated.' }) })
  .meta({ id: 'OnCallCalendar' })
const CalendarAddress = z
  .object({
    url: z.string().meta({ description: 'The secret address, for a calendar program. It is shown once.' }),
    created_at: time,
  })
  .meta({ id: 'OnCallCalendarAddress' })

function personOf({ user }: Caller): { id: string } {
  if (!user) throw forbidden('This token belongs to no person.', 'no_person')
  return user
}

export const getCalendar = endpoint({
  method: 'GET',
  path,
  operation: 'onCallSchedules.calendar.get',
  summary: 'Get since when your on-call calendar has its address',
  access,
  underImpersonation: 'refused',
  returns: ok({ data: CalendarView.nullable().meta({ description: 'null: it has none.' }) }),

  async handle({ em, tenant, caller }) {
    const row = await queries(em)
      .selectFrom('on_call_calendars')
      .where('tenant_id', '=', tenant.id)
      .where('user_id', '=', personOf(caller).id)
      .select(({ ref }) => stamp(ref('created_at')).as('created_at'))
      .executeTakeFirst()
    return { data: row ?? null }
  },
})

export const rotateCalendar = endpoint({
  method: 'POST',
  path,
  operation: 'onCallSchedules.calendar.rotate',
  summary: 'Create or rotate the address of your calendar',
  description:
    'The secret address of your on-call calendar. ' +
    'The calendar has your shifts of all schedules of the team. The old address is invalid at once.',
  access,
  needsOwnSession: true,
  underImpersonation: 'refused',
  returns: ok({ data: CalendarAddress }),

  async handle({ em, tenant, caller, now, services, audit }) {
    const { id } = personOf(caller)
    await refuseWithoutFeature(em, tenant)
    const { plain, hash } = mintLinkToken()
    const at = now.toISOString()
    const { created_at } = await queries(em)
      .insertInto('on_call_calendars')
      .values({ user_id: id, tenant_id: tenant.id, token_hash: hash, created_at: at })
      .onConflict(conflict =>
        conflict.columns(['user_id', 'tenant_id']).doUpdateSet(({ ref }) => ({
          token_hash: ref('excluded.token_hash'),
          created_at: ref('excluded.created_at'),
        })),
      )
      .returning(({ ref }) => stamp(ref('created_at')).as('created_at'))
      .executeTakeFirstOrThrow()
    audit('on_call_calendar.rotated', { type: 'user', id })
    const origin = await keptOriginOf(services, tenant.id)
    return { data: { url: `${origin}/api/v1/on-call-calendars/${plain}`, created_at } }
  },
})

export const deleteCalendar = endpoint({
  method: 'DELETE',
  path,
  operation: 'onCallSchedules.calendar.delete',
  summary: 'Delete the secret address of your on-call calendar',
  access,
  underImpersonation: 'refused',
  returns: noContent,

  async handle({ em, tenant, caller, audit }) {
    const { id } = personOf(caller)
    const gone = await queries(em)
      .deleteFrom('on_call_calendars')
      .where('tenant_id', '=', tenant.id)
      .where('user_id', '=', id)
      .returning('user_id')
      .executeTakeFirst()
    if (gone) audit('on_call_calendar.deleted', { type: 'user', id })
  },
})
