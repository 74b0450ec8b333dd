import { momentOf, shownAt } from './morning.ts'

/** A month in some time zone, such as `2026-01`. */
export interface Month {
  month: string
  timezone: string
  from: Date
  to: Date
}

/** The month of a moment in a time zone, moved by `shift` months. */
export function monthAt(moment: Date, timezone: string, shift = 0): Month {
  const shown = new Date(shownAt(moment.getTime(), timezone))
  return monthOf(shown.getUTCFullYear(), shown.getUTCMonth() + shift, timezone)
}

/** A month by its name. */
export function monthNamed(name: string, timezone: string, shift = 0): Month {
  const [year, nth] = name.split('-').map(Number)
  return monthOf(year ?? 0, (nth ?? 1) - 1 + shift, timezone)
}

function monthOf(year: number, index: number, timezone: string): Month {
  const at = (nth: number) => new Date(momentOf(Date.UTC(year, nth), timezone))
  return {
    month: new Date(Date.UTC(year, index)).toISOString().slice(0, 7),
    timezone,
    from: at(index),
    to: at(index + 1),
  }
}
