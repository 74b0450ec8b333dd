import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { hashSecret, linkTokenShape, mintLinkToken } from '#control-plane/base/token-secret.ts'
import { queries, type Row, rows, withDates } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { calendar, created, noContent } from '#control-plane/http/reply.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { type CalendarRow, calendarText } from './calendar-text.ts'
import { mayWrite } from './input.ts'

const mostEvents = 1_000

export const createMaintenanceCalendar = endpoint({
  method: 'POST',
  path: '/maintenance-windows/calendar',
  operation: 'maintenanceCalendar.create',
  summary: 'Create the address of the maintenance calendar',
  description: 'The former address ends. Calendar programs subscribe to it without a token. It is shown once.',
  access: mayWrite,
  needsOwnSession: true,
  returns: created({ data: z.object({ url: z.url() }).meta({ id: 'MaintenanceCalendar' }) }),

  async handle({ em, tenant, now, services, audit }) {
    const { plain, hash } = mintLinkToken()
    const row = { token_hash: hash, created_at: now.toISOString() }
    await queries(em)
      .insertInto('maintenance_calendars')
      .values({ tenant_id: tenant.id, token_hash: row.token_hash, created_at: row.created_at })
      .onConflict(conflict =>
        conflict.column('tenant_id').doUpdateSet({ token_hash: row.token_hash, created_at: row.created_at }),
      )
      .execute()
    audit('maintenance_window.calendar_created', { type: 'maintenance_window' })
    return { data: { url: `${await keptOriginOf(services, tenant.id)}/api/maintenance-calendars/${plain}` } }
  },
})

export const deleteMaintenanceCalendar = endpoint({
  method: 'DELETE',
  path: '/maintenance-windows/calendar',
  operation: 'maintenanceCalendar.delete',
  summary: 'Delete the address of the maintenance calendar',
  access: mayWrite,
  returns: noContent,

  async handle({ em, tenant, audit }) {
    const { numDeletedRows } = await queries(em)
      .deleteFrom('maintenance_calendars')
      .where('tenant_id', '=', tenant.id)
      .executeTakeFirstOrThrow()
    if (numDeletedRows > 0n) audit('maintenance_window.calendar_deleted', { type: 'maintenance_window' })
  },
})

export const readMaintenanceCalendar = endpoint({
  method: 'GET',
  path: '/maintenance-calendars/{maintenance_calendar}',
  root: true,
  operation: 'maintenanceCalendar.read',
  summary: 'Read the maintenance calendar by its address',
  description:
    `iCalendar: the windows that are scheduled or active, at most ${mostEvents}. An occurrence of one that recurs ` +
    'has its real times, where it began early, was stopped or extended; one that does not take place is left out.',
  tag: 'maintenance-windows',
  access: 'public',
  detached: true,
  named: { maintenance_calendar: z.string().regex(linkTokenShape, 'Must be the token of a calendar.') },
  returns: calendar({}),

  async handle({ params, services: { platform } }) {
    const team = await teamOf(platform, params.maintenance_calendar)
    if (!team) throw notFound('Maintenance calendar')
    const found = await rows(platform)<Row<'maintenance_windows', keyof CalendarRow>>`
      select w.id, w.title, w.description, w.starts_at, w.timezone, w.duration_minutes, w.rrule, w.until, w.state,
        w.next_starts_at, w.next_ends_at, w.actual_started_at, w.updated_at, w.exceptions
      from maintenance_windows w
      where w.tenant_id = ${team.id} and w.state in ('scheduled', 'active') and w.next_ends_at is not null
      order by w.next_starts_at, w.id limit ${sql.lit(mostEvents)}`
    return calendarText(`${team.name}: maintenance`, await readable(found.map(dated)))
  },
})

async function teamOf(platform: Pool, token: string): Promise<{ id: string; name: string } | undefined> {
  const [found] = await rows(platform)<Row<'tenants', 'id' | 'name'>>`
  select t.id, t.name from maintenance_calendars c join tenants t on t.id = c.tenant_id
   where c.token_hash = ${hashSecret(token)} and t.deleted_at is null and t.suspended_at is null`
  return found
}

const dated = (row: Row<'maintenance_windows', keyof CalendarRow>): CalendarRow =>
  withDates(row, 'next_starts_at', 'next_ends_at', 'actual_started_at', 'updated_at') as CalendarRow

/** A window whose zone or rule cannot be read is left out; the loop puts it into quarantine. */
async function readable(rows: readonly CalendarRow[]): Promise<CalendarRow[]> {
  const sound: CalendarRow[] = []
  await eachIsolated(
    rows,
    row => {
      calendarText('', [row])
      sound.push(row)
    },
    () => undefined,
  )
  return sound
}
