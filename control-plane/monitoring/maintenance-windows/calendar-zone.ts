import { Temporal } from 'temporal-polyfill'

/** Transitions of a zone are written for so many years after the first start, or after now if that is later. */
const years = 10

/**
 * A time zone as RFC 5545, 3.6.5 has it, for calendar programs without a zone of this name: each change of its offset
 * is an observance of its own. `first`: the first local time that a calendar names.
 */
export function vtimezone(zone: string, first: string): string {
  const start = Temporal.PlainDateTime.from(first).toZonedDateTime(zone)
  const now = Temporal.Now.zonedDateTimeISO(zone)
  const end = (Temporal.ZonedDateTime.compare(start, now) > 0 ? start : now).add({ years })
  const before = start.getTimeZoneTransition('previous')
  const observances = [before ? observance(before) : constant(start)]
  for (let at = start.getTimeZoneTransition('next'); at && Temporal.ZonedDateTime.compare(at, end) < 0; ) {
    observances.push(observance(at))
    at = at.getTimeZoneTransition('next')
  }
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...observances.flat(), 'END:VTIMEZONE'].join('\r\n')
}

function observance(at: Temporal.ZonedDateTime): string[] {
  const before = at.subtract({ nanoseconds: 1 })
  const kind = at.offsetNanoseconds > before.offsetNanoseconds ? 'DAYLIGHT' : 'STANDARD'
  // the moment as the clocks showed it that were changed then
  const local = at.withTimeZone(before.offset).toPlainDateTime()
  return lines(kind, local, before.offset, at.offset)
}

const constant = ({ offset }: Temporal.ZonedDateTime) =>
  lines('STANDARD', Temporal.PlainDateTime.from('1970-01-01T00:00:00'), offset, offset)

const lines = (kind: 'DAYLIGHT' | 'STANDARD', local: Temporal.PlainDateTime, from: string, to: string): string[] => [
  `BEGIN:${kind}`,
  `DTSTART:${local.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '')}`,
  `TZOFFSETFROM:${from.replaceAll(':', '')}`,
  `TZOFFSETTO:${to.replaceAll(':', '')}`,
  `END:${kind}`,
]
