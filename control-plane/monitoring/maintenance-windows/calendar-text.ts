import ical, { ICalEventStatus } from 'ical-generator'
import { Temporal } from 'temporal-polyfill'
import type { Row } from '#control-plane/db/queries.ts'
import { vtimezone } from './calendar-zone.ts'
import type { WindowException } from './row.ts'

export type CalendarRow = Row<
  'maintenance_windows',
  'id' | 'title' | 'description' | 'starts_at' | 'timezone' | 'duration_minutes' | 'rrule' | 'until' | 'state'
> & {
  next_starts_at: Date | null
  next_ends_at: Date | null
  actual_started_at: Date | null
  updated_at: Date
  exceptions: readonly WindowException[]
}

/**
 * The windows of a team as an iCalendar text. One that recurs is one event with its rule, in a zone that it describes;
 * an occurrence at other times than planned is an event of its own (RFC 5545, 3.8.4.4), one left out an EXDATE.
 */
export function calendarText(name: string, rows: readonly CalendarRow[]): string {
  const calendar = ical({ name, prodId: '//Monitoring//Maintenance windows//EN', ttl: 900 })
  const firstIn = new Map<string, string>()
  for (const { timezone, starts_at } of rows)
    if (starts_at < (firstIn.get(timezone) ?? '9')) firstIn.set(timezone, starts_at)
  calendar.timezone({ name: null, generator: zone => vtimezone(zone, firstIn.get(zone) ?? '1970-01-01T00:00:00') })
  for (const row of rows) {
    const { id, title, description } = row
    for (const times of row.rrule === null ? [timesOf(row)] : seriesOf(row, row.rrule))
      calendar.createEvent({
        id,
        summary: title,
        ...(description !== '' && { description }),
        stamp: row.updated_at,
        status: ICalEventStatus.CONFIRMED,
        ...times,
      })
  }
  return calendar.toString()
}

const timesOf = (row: CalendarRow) => ({
  start: (row.state === 'active' ? row.actual_started_at : row.next_starts_at) ?? row.updated_at,
  end: row.next_ends_at ?? row.updated_at,
})

function seriesOf(row: CalendarRow, rrule: string) {
  const { timezone, duration_minutes } = row
  const face = Temporal.PlainDateTime.from(row.starts_at)
  const first = face.toZonedDateTime(timezone)
  const end = first.add({ minutes: duration_minutes })
  const isSkipped = !first.toPlainDateTime().equals(face)
  const local = (moment: string) => {
    const zoned = Temporal.Instant.from(moment).toZonedDateTimeISO(timezone)
    return textOf(zoned.equals(first) ? face : zoned.toPlainDateTime())
  }
  // one that is planned again counts, and the clocks move the first start alone
  const byPlan = new Map<string, WindowException>()
  const moved = { planned: iso(first), started: iso(first), ended: iso(end) }
  for (const exception of [...(isSkipped ? [moved] : []), ...row.exceptions, ...runningOf(row)])
    byPlan.set(local(exception.planned), exception)
  const leftOut = [...byPlan].filter(([, { started }]) => started === null).map(([planned]) => planned)
  const excluded = leftOut.map(planned => `\nEXDATE${inZone(timezone, planned)}`).join('')
  return [
    {
      timezone,
      start: textOf(face),
      end: textOf(isSkipped ? face.add({ minutes: duration_minutes }) : end.toPlainDateTime()),
      repeating: `RRULE:${ruleWithEnd(row, rrule)}${excluded}`,
    },
    ...[...byPlan].flatMap(([recurrenceId, { started, ended }]) =>
      started === null || ended === null
        ? []
        : [{ timezone, recurrenceId, start: realLocal(started, timezone), end: realLocal(ended, timezone) }],
    ),
  ]
}

/** A local time as the other times of an event are written. */
const inZone = (timezone: string, local: string) => {
  const text = local.replace(/[-:]/g, '')
  return timezone === 'UTC' ? `:${text}Z` : `;TZID=${timezone}:${text}`
}

/** The running occurrence, where its times are not those of the rule. */
function runningOf(row: CalendarRow): WindowException[] {
  const { state, next_starts_at: planned, next_ends_at: ends, actual_started_at: began } = row
  if (state !== 'active' || planned === null || ends === null || began === null) return []
  const plannedEnd = planned.getTime() + row.duration_minutes * 60_000
  const started = new Date(Math.min(began.getTime(), planned.getTime()))
  if (started.getTime() === planned.getTime() && ends.getTime() === plannedEnd) return []
  return [{ planned: planned.toISOString(), started: started.toISOString(), ended: ends.toISOString() }]
}

const iso = (moment: Temporal.ZonedDateTime) => moment.toInstant().toString()
const textOf = (local: Temporal.PlainDateTime) => local.toString({ smallestUnit: 'second' })
const realLocal = (moment: string, timezone: string) =>
  textOf(Temporal.Instant.from(moment).toZonedDateTimeISO(timezone).toPlainDateTime())

function ruleWithEnd({ until, timezone }: CalendarRow, rrule: string): string {
  if (until === null) return rrule
  const end = Temporal.PlainDateTime.from(until).toZonedDateTime(timezone).toInstant().toString()
  return `${rrule};UNTIL=${end.replace(/[-:]|\.\d+/g, '')}`
}
