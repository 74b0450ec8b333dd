/** A day of the calendar. */
export interface Day {
  /** 1 to 12. */
  month: number
  /** Of the month, from 1. */
  day: number
  /** 0 is Sunday. */
  weekday: number
  /** The number of days of its month. */
  lastDay: number
}

/** A cron expression as crontab(5) of Vixie, Debian and cronie has it. */
export interface CronExpression {
  /** In order. */
  minutes: readonly number[]
  /** In order. */
  hours: readonly number[]
  months: ReadonlySet<number>
  /** The minute or the hour begins with a star: such a job runs by the clock, also in an hour that is repeated. */
  runsByClock: boolean
  isDue(day: Day): boolean
}

const nicknames: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

interface Field {
  min: number
  max: number
  names: readonly string[]
}

const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const fields = {
  minute: { min: 0, max: 59, names: [] },
  hour: { min: 0, max: 23, names: [] },
  day: { min: 1, max: 31, names: [] },
  month: {
    min: 1,
    max: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  weekday: { min: 0, max: 7, names: weekdayNames },
} satisfies Record<string, Field>

/** What is wrong with an expression. */
export class BadExpression extends Error {}

/**
 * Reads an expression: five fields, or a nickname such as `@daily`. Beyond crontab(5): a step behind a single number
 * (`5/15` is 5-59/15), `?` for a star, `L`, `LW` and `15W` as days of the month, `5L` and `MON#2` as days of the week.
 */
export function readExpression(text: string): CronExpression {
  const written = text.trim().toLowerCase()
  const [minute, hour, day, month, weekday, ...more] = (nicknames[written] ?? written).split(/\s+/)
  if (!minute || !hour || !day || !month || !weekday || more.length > 0)
    throw new BadExpression('A cron expression has five fields: minute, hour, day of month, month, day of week.')
  const days = listOf(day, readDay)
  const weekdays = listOf(weekday, readWeekday)
  // both must match where one begins with a star, else either does
  const isBoth = isStar(day) || isStar(weekday)
  return {
    minutes: inOrder(listOf(minute, term => valuesOf(term, fields.minute))),
    hours: inOrder(listOf(hour, term => valuesOf(term, fields.hour))),
    months: new Set(listOf(month, term => valuesOf(term, fields.month)).flat()),
    runsByClock: isStar(minute) || isStar(hour),
    isDue(at) {
      const isDay = days.some(matches => matches(at))
      if (isBoth !== isDay) return isDay
      return weekdays.some(matches => matches(at))
    },
  }
}

const isStar = (field: string) => /^[*?]/.test(field)
const listOf = <Item>(field: string, read: (term: string) => Item) => field.split(',').map(read)
const inOrder = (lists: number[][]) => [...new Set(lists.flat())].toSorted((a, b) => a - b)

/** The values of a star, a number or a range, each with or without a step. */
function valuesOf(term: string, field: Field): number[] {
  const [, star, from = '', to, step] = /^(?:([*?])|([a-z\d]+)(?:-([a-z\d]+))?)(?:\/(\d{1,4}))?$/.exec(term) ?? []
  const by = Number(step ?? 1)
  const low = star === undefined ? numberOf(from, field) : field.min
  const isOpen = star !== undefined || (to === undefined && step !== undefined)
  const high = isOpen ? field.max : to === undefined ? low : numberOf(to, field, low)
  if (by === 0 || !(low <= high)) throw bad(term)
  return Array.from({ length: Math.floor((high - low) / by) + 1 }, (_, index) => low + index * by)
}

/** NaN if it is none. `notBefore`: the beginning of a range, whose end SUN is day 7. */
function numberOf(text: string, { min, max, names }: Field, notBefore = 0): number {
  const named = names.indexOf(text)
  if (named === 0 && min === 0 && notBefore > 0) return 7
  const value = named >= 0 ? named + min : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  return value >= min && value <= max ? value : Number.NaN
}

type DayRule = (day: Day) => boolean

function readDay(term: string): DayRule {
  if (/^l(\/\d{1,4})?$/.test(term)) return ({ day, lastDay }) => day === lastDay
  if (/^lw(\/\d{1,4})?$/.test(term)) return at => at.day === nearestWorkday(at.lastDay, at)
  const near = /^(\d{1,4})w$/.exec(term)?.[1]
  if (near !== undefined) {
    const [wanted = 0] = valuesOf(near, fields.day)
    return at => wanted <= at.lastDay && at.day === nearestWorkday(wanted, at)
  }
  const days = new Set(valuesOf(term, fields.day))
  return ({ day }) => days.has(day)
}

function readWeekday(term: string): DayRule {
  const last = /^(\d)l$/.exec(term)?.[1] ?? /^([a-z\d]+)#l$/.exec(term)?.[1]
  if (last !== undefined) {
    const wanted = (valuesOf(last, fields.weekday)[0] ?? 0) % 7
    return ({ weekday, day, lastDay }) => weekday === wanted && day + 7 > lastDay
  }
  const [, some, nth] = /^([a-z\d-]+)#([1-5])$/.exec(term) ?? []
  const weekdays = new Set(valuesOf(some ?? term, fields.weekday).map(value => value % 7))
  return ({ weekday, day }) => weekdays.has(weekday) && (nth === undefined || Math.ceil(day / 7) === Number(nth))
}

/** The day from Monday to Friday that is next to a day, in the same month. */
function nearestWorkday(wanted: number, { day, weekday, lastDay }: Day): number {
  const wantedWeekday = (((weekday + wanted - day) % 7) + 7) % 7
  if (wantedWeekday === 6) return wanted > 1 ? wanted - 1 : wanted + 2
  if (wantedWeekday === 0) return wanted < lastDay ? wanted + 1 : wanted - 2
  return wanted
}

const bad = (term: string) => new BadExpression(`This is no cron expression: "${term.slice(0, 40)}" is not understood.`)
