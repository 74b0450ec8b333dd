const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** A date without a time means the end of that day, so that no warning comes a day early. */
const endOfDay = [23, 59, 59] as const

/**
 * A date as registries write them, as ISO 8601 in UTC; null for anything else. Where day and month are ambiguous, the
 * day comes first, as with every known registry that writes so.
 */
export function parseDate(text: string): string | null {
  const found = text.slice(0, 100).trim()
  return iso(found) ?? compact(found) ?? named(found) ?? dayFirst(found)
}

/** `2026-11-21T10:00:00Z`, `2026/11/21`, `2026. 11. 21.`, with or without a time and its zone. */
function iso(text: string): string | null {
  const match = /^(\d{4})(?:[-/]|\. ?)(\d{1,2})(?:[-/]|\. ?)(\d{1,2})\.?(.*)$/s.exec(text)
  return match ? moment(match[1], match[2], match[3], match[4]) : null
}

/** `20261121`, `20261121 10:00:00`, `20261121000000`. */
function compact(text: string): string | null {
  const match = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?(?!\d)(.*)$/s.exec(text)
  if (!match) return null
  const [, year, month, day, hour, minute, second, rest] = match
  return moment(year, month, day, hour ? ` ${hour}:${minute}:${second}` : rest)
}

/** `21-Nov-2026`, `21 November 2026`, `2026-Nov-21`, `Nov 21 2026`, `Sat Nov 21 10:00:00 GMT 2026`. */
function named(text: string): string | null {
  const dayMonthYear = /^(\d{1,2})[-. ]{1,2}([a-z]{3})[a-z]{0,6}[-. ,]{1,2}(\d{4})(.*)$/is.exec(text)
  if (dayMonthYear) return moment(dayMonthYear[3], monthOf(dayMonthYear[2]), dayMonthYear[1], dayMonthYear[4])
  const yearMonthDay = /^(\d{4})[-. ]([a-z]{3})[a-z]{0,6}[-. ](\d{1,2})(.*)$/is.exec(text)
  if (yearMonthDay) return moment(yearMonthDay[1], monthOf(yearMonthDay[2]), yearMonthDay[3], yearMonthDay[4])
  const asDate =
    /^(?:[a-z]{3},? )?([a-z]{3})[a-z]{0,6} {1,2}(\d{1,2}),? (?:(\d\d:\d\d:\d\d) (?:([a-z]{3,4}) )?)?(\d{4})/i.exec(text)
  if (!asDate) return null
  return moment(asDate[5], monthOf(asDate[1]), asDate[2], asDate[3] ? ` ${asDate[3]}` : '')
}

/** `21.11.2026`, `21/11/2026 10:00`, `21-11-2026`. */
function dayFirst(text: string): string | null {
  const match = /^(\d{1,2})[-./](\d{1,2})[-./](\d{4})(.*)$/s.exec(text)
  if (!match) return null
  const [, first, second, year, rest] = match
  return Number(second) > 12 ? moment(year, first, second, rest) : moment(year, second, first, rest)
}

const monthOf = (name = '') => String(months.indexOf(name.toLowerCase()) + 1)

function moment(year = '', month = '', day = '', rest = ''): string | null {
  const [y, m, d] = [Number(year), Number(month), Number(day)]
  if (y < 1980 || y > 2200 || m < 1 || m > 12 || d < 1 || d > 31) return null
  const time =
    /^[T ]{0,3}(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*(?:Z|UTC|GMT|\((?:UTC|GMT)([+-]\d{1,2})(?::?(\d\d))?\)|([+-]\d\d):?(\d\d)?)?/i.exec(
      rest,
    )
  const [hours, minutes, seconds] = time ? [Number(time[1]), Number(time[2]), Number(time[3] ?? 0)] : endOfDay
  if (hours > 24 || minutes > 59 || seconds > 60) return null
  const offset = time ? Number(time[4] ?? time[6] ?? 0) : 0
  const offsetMinutes = time ? Number(time[5] ?? time[7] ?? 0) * (offset < 0 ? -1 : 1) : 0
  const at = new Date(Date.UTC(y, m - 1, d, hours - offset, minutes - offsetMinutes, seconds))
  return new Date(Date.UTC(y, m - 1, d)).getUTCDate() === d ? at.toISOString() : null
}
