import ical, { ICalEventStatus } from 'ical-generator'
import { Temporal } from 'temporal-polyfill'
import type { Row } from '#control-plane/db/queries.ts'
import { vtimezone } from './calendar-zone.ts'

export type CalendarRow = Row<
  'maintenance_windows',
  'id' | 'title' | 'description' | 'starts_at' | 'timezone' | 'duration_minutes' | 'rrule' | 'until' | 'state'
> & { next_starts_at: Date | null; next_ends_at: Date | null; actual_started_at: Date | null; updated_at: Date }

/** The windows of a team as an iCalendar text. One that recurs is one event with its rule, in a zone that it describes. */
export function calendarText(name: string, rows: readonly CalendarRow[]): string {
  const calendar = ical({ name, prodId: '//Vedette//Maintenance windows//EN', ttl: 900 })
  const firstIn = new Map<string, string>()
  for (const { timezone, starts_at } of rows)
    if (starts_at < (firstIn.get(timezone) ?? '9')) firstIn.set(timezone, starts_at)
  calendar.timezone({ name: null, generator: zone => vtimezone(zone, firstIn.get(zone) ?? '1970-01-01T00:00:00') })
  for (const row of rows) {
    const { id, title, description, rrule, timezone } = row
    calendar.createEvent({
      id,
      summary: title,
      ...(description !== '' && { description }),
      stamp: row.updated_at,
      status: ICalEventStatus.CONFIRMED,
      ...timesOf(row),
      ...(rrule !== null && { timezone, repeating: ruleWithEnd(row, rrule) }),
    })
  }
  return calendar.toString()
}

function timesOf(row: CalendarRow) {
  if (row.rrule === null)
    return {
      start: (row.state === 'active' ? row.actual_started_at : row.next_starts_at) ?? row.updated_at,
      end: row.next_ends_at ?? row.updated_at,
    }
  const start = Temporal.PlainDateTime.from(row.starts_at).toZonedDateTime(row.timezone)
  return { start, end: start.add({ minutes: row.duration_minutes }) }
}

function ruleWithEnd({ until, timezone }: CalendarRow, rrule: string): string {
  if (until === null) return rrule
  const end = Temporal.PlainDateTime.from(until).toZonedDateTime(timezone).toInstant().toString()
  return `${rrule};UNTIL=${end.replace(/[-:]|\.\d+/g, '')}`
}
