import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { refuseExpression, upcoming } from '#checks/cron/schedule.ts'

const cronOf = (expression: string, timezone = 'UTC') => ({ kind: 'cron', expression, timezone }) as const
const minuteMs = 60_000
const watchedMinutes = 36 * 60

/** The next due times in the time of the zone, with its offset. */
function next(expression: string, timezone: string, from: string, count: number): string[] {
  const after = Temporal.PlainDateTime.from(from.slice(0, 16)).toZonedDateTime(timezone)
  return upcoming(cronOf(expression, timezone), after.epochMilliseconds, count).map(at =>
    Temporal.Instant.fromEpochMilliseconds(at)
      .toZonedDateTimeISO(timezone)
      .toString({ smallestUnit: 'minute' })
      .slice(0, 22),
  )
}

describe('the days of an expression', () => {
  test.each<[expression: string, from: string, days: string[]]>([
    // both fields where one begins with a star, else either
    ['1 1 1-7 * */7', '2026-11-28', ['2026-12-06', '2027-01-03', '2027-02-07']],
    ['1 1 */2 * 1', '2026-11-28', ['2026-12-07', '2026-12-21', '2027-01-11']],
    ['1 1 15 * */3', '2026-11-28', ['2027-05-15', '2027-08-15', '2027-09-15']],
    ['1 1 13 * 5', '2026-11-28', ['2026-12-04', '2026-12-11', '2026-12-13']],
    ['1 1 */100,1-7 * MON', '2020-01-01', ['2020-01-06', '2020-02-03', '2020-03-02', '2020-04-06']],
    ['1 1 1-7 * *,1', '2026-11-30', ['2026-12-01', '2026-12-02', '2026-12-03']],
    ['1 1 13 * 1,*', '2026-11-28', ['2026-11-28', '2026-11-29', '2026-11-30']],
    ['1 1 ? * 1', '2026-11-28', ['2026-11-30', '2026-12-07']],
    ['1 1 L * 5', '2026-11-28', ['2026-11-30', '2026-12-04', '2026-12-11']],
    ['1 1 L * */7', '2026-11-28', ['2027-01-31', '2027-02-28', '2027-10-31']],
    // days of the week
    ['1 1 * * */3', '2020-01-01', ['2020-01-01', '2020-01-04', '2020-01-05', '2020-01-08']],
    ['1 1 * * */2', '2026-11-28', ['2026-11-28', '2026-11-29', '2026-12-01', '2026-12-03']],
    ['1 1 * * 0', '2026-11-28', ['2026-11-29', '2026-12-06']],
    ['1 1 * * 7', '2026-11-28', ['2026-11-29', '2026-12-06']],
    ['1 1 * * SUN', '2026-11-28', ['2026-11-29', '2026-12-06']],
    ['1 1 * * 5-7', '2026-11-28', ['2026-11-28', '2026-11-29', '2026-12-04', '2026-12-05']],
    ['1 1 * * 0-2', '2026-11-28', ['2026-11-29', '2026-11-30', '2026-12-01', '2026-12-06']],
    ['1 1 * * sun-tue', '2026-11-28', ['2026-11-29', '2026-11-30', '2026-12-01', '2026-12-06']],
    ['1 1 * * fri-sun', '2026-11-30', ['2026-12-04', '2026-12-05', '2026-12-06', '2026-12-11']],
    ['1 1 * * 1-5/2', '2026-11-28', ['2026-11-30', '2026-12-02', '2026-12-04', '2026-12-07']],
    ['1 1 * * 5/2', '2026-11-30', ['2026-12-04', '2026-12-06', '2026-12-11']],
    ['1 1 * * 1#2', '2020-01-01', ['2020-01-13', '2020-02-10']],
    ['1 1 * * MON#5', '2026-11-28', ['2026-11-30', '2027-03-29']],
    ['1 1 * * 1,2,3#1', '2026-11-28', ['2026-11-30', '2026-12-01', '2026-12-02', '2026-12-07']],
    ['1 1 * * 5L', '2020-01-01', ['2020-01-31', '2020-02-28', '2020-03-27', '2020-04-24', '2020-05-29']],
    ['1 1 * * 0L', '2020-01-01', ['2020-01-26', '2020-02-23']],
    ['1 1 * * 7L', '2020-01-01', ['2020-01-26', '2020-02-23']],
    // days of the month
    ['1 1 L * *', '2020-01-01', ['2020-01-31', '2020-02-29', '2020-03-31']],
    ['1 1 l/2 * *', '2020-01-01', ['2020-01-31', '2020-02-29']],
    ['1 1 LW 5 *', '2020-01-01', ['2020-05-29', '2021-05-31']],
    ['1 1 lw * *', '2026-01-01', ['2026-01-30', '2026-02-27', '2026-03-31']],
    ['1 1 15W * *', '2026-11-01', ['2026-11-16', '2026-12-15', '2027-01-15']],
    ['1 1 1W * *', '2026-07-02', ['2026-08-03', '2026-09-01', '2026-10-01']],
    ['1 1 31W 10 *', '2026-01-01', ['2026-10-30', '2027-10-29']],
    ['1 1 28-31 2 *', '2027-01-01', ['2027-02-28', '2028-02-28', '2028-02-29', '2029-02-28']],
    ['1 1 31 * *', '2026-01-31T12:00', ['2026-03-31', '2026-05-31']],
    ['1 1 1,L * *', '2026-11-28', ['2026-11-30', '2026-12-01', '2026-12-31']],
    // months
    ['1 1 1 JAN-MAR,dec *', '2026-11-28', ['2026-12-01', '2027-01-01', '2027-02-01', '2027-03-01']],
    ['1 1 1 */5 *', '2026-11-28', ['2027-01-01', '2027-06-01', '2027-11-01']],
    ['1 1 1 10/1 *', '2026-11-28', ['2026-12-01', '2027-10-01']],
    ['1 1 29 2 *', '2026-11-28', ['2028-02-29', '2032-02-29']],
    ['1 1 29 2 */7', '2026-11-28', ['2032-02-29', '2060-02-29']],
    ['0 0 * 2 MON#5', '2020-01-01', ['2044-02-29']],
  ])('%s', (expression, from, days) => {
    const found = upcoming(cronOf(expression), Date.parse(from.length > 10 ? `${from}Z` : from), days.length)
    expect(found.map(at => new Date(at).toISOString().slice(0, 10))).toEqual(days)
  })

  test.each<[expression: string, times: string[]]>([
    ['*/15 * * * *', ['00:15', '00:30', '00:45', '01:00']],
    ['5/15 * * * *', ['00:05', '00:20', '00:35', '00:50', '01:05']],
    ['0-10/4,1 0 * * *', ['00:01', '00:04', '00:08']],
    ['*/100 * * * *', ['01:00', '02:00']],
    ['59 23 * * *', ['23:59']],
    ['00 07 * * *', ['07:00']],
    ['0 */7 * * *', ['07:00', '14:00', '21:00']],
    ['30 9-17/4 * * *', ['09:30', '13:30', '17:30']],
    ['@hourly', ['01:00', '02:00']],
  ])('the times of %s', (expression, times) => {
    const found = upcoming(cronOf(expression), Date.parse('2026-11-28'), times.length)
    expect(found.map(at => new Date(at).toISOString().slice(11, 16))).toEqual(times)
  })

  test.each([
    ['@yearly', '2027-01-01T00:00'],
    ['@annually', '2027-01-01T00:00'],
    ['@monthly', '2026-12-01T00:00'],
    ['@weekly', '2026-11-29T00:00'],
    ['@daily', '2026-11-29T00:00'],
    ['@midnight', '2026-11-29T00:00'],
    ['@Hourly', '2026-11-28T20:00'],
  ])('%s', (expression, due) =>
    expect(upcoming(cronOf(expression), Date.parse('2026-11-28T19:00Z'), 1)).toEqual([Date.parse(`${due}Z`)]),
  )

  const bad = [
    '-1',
    '61',
    'ABC',
    '2/',
    '/2',
    '2#',
    '#2',
    '1##1',
    '1//2',
    '¹',
    'LL',
    'LWX',
    '1-',
    '*-5',
    '5-*',
    '~',
    'H',
  ]
  const places = [
    '% * * * *',
    '* % * * *',
    '* * % * *',
    '* * * % *',
    '* * * * %',
    '* * * * * %',
    '1-% * * * *',
    '%-60 * * * *',
    '* * 1-% * *',
    '* * 1,% * *',
    '* * %/1 * *',
    '* * * %-DEC *',
    '* * * JAN-% *',
    '* * * * %-SUN',
    '* * * * MON-%',
  ]
  test('refuses what is no value, wherever it stands', () => {
    for (const place of places)
      for (const value of bad) {
        const expression = place.replace('%', value)
        expect(refuseExpression(expression, 'UTC', new Date()), expression).toEqual(expect.any(String))
      }
  })
  test.each([
    ['* * * *', 'A cron expression has five fields'],
    ['* * * * * *', 'A cron expression has five fields'],
    ['@reboot', 'A cron expression has five fields'],
    ['@every 5m', 'A cron expression has five fields'],
    ['1-1_0 * * * *', '"1-1_0" is not understood'],
    ['0,,5 * * * *', '"" is not understood'],
    ['*/0 * * * *', '"*/0" is not understood'],
    ['5-1 * * * *', '"5-1" is not understood'],
    ['* 22-2 * * *', '"22-2" is not understood'],
    ['* * 5-1 * *', '"5-1" is not understood'],
    ['* * * dec-feb *', '"dec-feb" is not understood'],
    ['* * * * 6-1', '"6-1" is not understood'],
    ['* * * * fri-mon', '"fri-mon" is not understood'],
    ['* * * * 1#0', '"1#0" is not understood'],
    ['* * * * 1#6', '"1#6" is not understood'],
    ['* * * * 5L-6', '"5l-6" is not understood'],
    ['* * * * 5L#1', '"5l" is not understood'],
    ['* * * * 5L/3', '"5l/3" is not understood'],
    ['* * * * MONL', '"monl" is not understood'],
    ['* * 32W * *', '"32" is not understood'],
    ['* * * january *', '"january" is not understood'],
    ['* * 0 * *', '"0" is not understood'],
    ['* * * 0 *', '"0" is not understood'],
    ['* * * * 8', '"8" is not understood'],
    ['60 * * * *', '"60" is not understood'],
    ['* 24 * * *', '"24" is not understood'],
    ['* * 30 2 *', 'never comes due'],
    ['* * 31 4,6,9,11 *', 'never comes due'],
    ['1 1 */100 * MON#4', 'never comes due'],
    ['* * */20 * 1L', 'never comes due'],
  ])('refuses %s and says why', (expression, why) => {
    expect(refuseExpression(expression, 'Europe/Berlin', new Date())).toContain(why)
  })
})

describe('a change of the clock', () => {
  const spring = '2021-03-28'
  const autumn = '2021-10-31'
  test.each<[expression: string, from: string, times: string[]]>([
    ['0 * * * *', `${spring}T01:30`, [`${spring}T02:00+02:00`, `${spring}T04:00+03:00`]],
    ['*/30 * * * *', `${spring}T02:10`, [`${spring}T02:30+02:00`, `${spring}T04:00+03:00`, `${spring}T04:30+03:00`]],
    ['0 */2 * * *', `${spring}T01:30`, [`${spring}T02:00+02:00`, `${spring}T04:00+03:00`, `${spring}T06:00+03:00`]],
    ['30 */2 * * *', `${spring}T01:30`, [`${spring}T02:30+02:00`, `${spring}T04:30+03:00`]],
    ['30 */3 * * *', `${spring}T01:30`, [`${spring}T06:30+03:00`]],
    [
      '0 1,2,3,4,5 * * *',
      `${spring}T01:30`,
      [`${spring}T02:00+02:00`, `${spring}T04:00+03:00`, `${spring}T05:00+03:00`],
    ],
    [
      '30 1,2,3,4,5 * * *',
      `${spring}T01:30`,
      [`${spring}T02:30+02:00`, `${spring}T04:00+03:00`, `${spring}T04:30+03:00`],
    ],
    ['0 3 * * *', '2021-03-27T01:30', ['2021-03-27T03:00+02:00', `${spring}T04:00+03:00`, '2021-03-29T03:00+03:00']],
    ['15 3 * * *', '2021-03-27T00:00', ['2021-03-27T03:15+02:00', `${spring}T04:00+03:00`, '2021-03-29T03:15+03:00']],
    ['0 4 * * *', '2021-03-27T01:30', ['2021-03-27T04:00+02:00', `${spring}T04:00+03:00`, '2021-03-29T04:00+03:00']],
    ['0 1-5 * * *', `${spring}T01:30`, [`${spring}T02:00+02:00`, `${spring}T04:00+03:00`, `${spring}T05:00+03:00`]],
    ['0 1-23/2 * * *', `${spring}T00:30`, [`${spring}T01:00+02:00`, `${spring}T04:00+03:00`, `${spring}T05:00+03:00`]],
    ['5-55/10 3 * * *', `${spring}T00:30`, [`${spring}T04:00+03:00`, '2021-03-29T03:05+03:00']],
    ['*/10 3 * * *', `${spring}T00:30`, ['2021-03-29T03:00+03:00']],
    ['* 1-6 * * *', `${spring}T02:58`, [`${spring}T02:59+02:00`, `${spring}T04:00+03:00`]],
    ['30 3 * * 0', `${spring}T00:00`, [`${spring}T04:00+03:00`, '2021-04-04T03:30+03:00']],
    [
      '0 * * * *',
      `${autumn}T01:30`,
      [`${autumn}T02:00+03:00`, `${autumn}T03:00+03:00`, `${autumn}T03:00+02:00`, `${autumn}T04:00+02:00`],
    ],
    [
      '*/30 3 * * *',
      `${autumn}T02:10`,
      [`${autumn}T03:00+03:00`, `${autumn}T03:30+03:00`, `${autumn}T03:00+02:00`, `${autumn}T03:30+02:00`],
    ],
    ['0 */3 * * *', `${autumn}T01:30`, [`${autumn}T03:00+03:00`, `${autumn}T03:00+02:00`, `${autumn}T06:00+02:00`]],
    [
      '0 1,2,3,4,5 * * *',
      `${autumn}T01:30`,
      [`${autumn}T02:00+03:00`, `${autumn}T03:00+03:00`, `${autumn}T04:00+02:00`],
    ],
    ['30 1-5 * * *', `${autumn}T01:30`, [`${autumn}T02:30+03:00`, `${autumn}T03:30+03:00`, `${autumn}T04:30+02:00`]],
    ['0,30 3 * * *', `${autumn}T01:30`, [`${autumn}T03:00+03:00`, `${autumn}T03:30+03:00`, '2021-11-01T03:00+02:00']],
    ['15 3 * * *', '2021-10-30T00:00', ['2021-10-30T03:15+03:00', `${autumn}T03:15+03:00`, '2021-11-01T03:15+02:00']],
    ['* * * * *', `${autumn}T03:58`, [`${autumn}T03:59+03:00`, `${autumn}T03:00+02:00`, `${autumn}T03:01+02:00`]],
  ])('in Riga, %s after %s', (expression, from, times) =>
    expect(next(expression, 'Europe/Riga', from, times.length)).toEqual(times),
  )

  test.each<[expression: string, timezone: string, from: string, times: string[]]>([
    ['5-55/10 2 * * *', 'Europe/Berlin', '2026-03-29T00:00', ['2026-03-29T03:00+02:00', '2026-03-30T02:05+02:00']],
    ['5-55/10 2 * * *', 'America/New_York', '2026-03-08T00:00', ['2026-03-08T03:00-04:00', '2026-03-09T02:05-04:00']],
    ['5-55/10 2 * * *', 'Australia/Sydney', '2026-10-04T00:00', ['2026-10-04T03:00+11:00', '2026-10-05T02:05+11:00']],
    ['5-55/10 2 * * *', 'Antarctica/Troll', '2026-03-29T00:00', ['2026-03-29T03:00+02:00', '2026-03-30T02:05+02:00']],
    [
      '10 0-6/3 * * sun,wed',
      'America/Santiago',
      '2026-09-05T12:00',
      ['2026-09-06T01:00-03:00', '2026-09-06T03:10-03:00'],
    ],
    ['10 0-6/3 * * sun,wed', 'Asia/Beirut', '2026-03-28T12:00', ['2026-03-29T01:00+03:00', '2026-03-29T03:10+03:00']],
    [
      '10 0-6/3 * * sun,wed',
      'America/Havana',
      '2026-03-07T12:00',
      ['2026-03-08T01:00-04:00', '2026-03-08T03:10-04:00'],
    ],
    [
      '10 0-6/3 * * sun,wed',
      'Atlantic/Azores',
      '2026-03-28T12:00',
      ['2026-03-29T01:00+00:00', '2026-03-29T03:10+00:00'],
    ],
    [
      '0 1-4 * * *',
      'Australia/Lord_Howe',
      '2026-10-04T00:00',
      ['2026-10-04T01:00+10:30', '2026-10-04T02:30+11:00', '2026-10-04T03:00+11:00'],
    ],
    ['40 1 * * *', 'Australia/Lord_Howe', '2026-04-04T12:00', ['2026-04-05T01:40+11:00', '2026-04-06T01:40+10:30']],
    [
      '*/15 1,2 * * *',
      'Europe/Berlin',
      '2026-10-25T01:45',
      [
        '2026-10-25T02:00+02:00',
        '2026-10-25T02:15+02:00',
        '2026-10-25T02:30+02:00',
        '2026-10-25T02:45+02:00',
        '2026-10-25T02:00+01:00',
        '2026-10-25T02:15+01:00',
        '2026-10-25T02:30+01:00',
        '2026-10-25T02:45+01:00',
        '2026-10-26T01:00+01:00',
      ],
    ],
    // the clock goes back over midnight, and then shows the day before once more
    ['30 23 * * *', 'America/St_Johns', '2010-11-06T12:00', ['2010-11-06T23:30-02:30', '2010-11-07T23:30-03:30']],
    [
      '30 * * * *',
      'America/St_Johns',
      '2010-11-06T22:31',
      ['2010-11-06T23:30-02:30', '2010-11-06T23:30-03:30', '2010-11-07T00:30-03:30'],
    ],
    // a day left out, which is no change that cron heeds
    ['0 12 * * *', 'Pacific/Apia', '2011-12-29T00:00', ['2011-12-29T12:00-10:00', '2011-12-31T12:00+14:00']],
  ])('%s in %s after %s', (expression, timezone, from, times) =>
    expect(next(expression, timezone, from, times.length)).toEqual(times),
  )
})

/*
 * The same by another way: a clock is watched minute by minute, and a job runs as crontab(5) says. Times of the clock
 * are minutes since 1970, as if it were UTC.
 */
describe('a clock watched minute by minute agrees', () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Australia/Lord_Howe',
    'Pacific/Chatham',
    'Antarctica/Troll',
    'America/Santiago',
    'Asia/Beirut',
    'Asia/Gaza',
    'America/Havana',
    'Atlantic/Azores',
    'Africa/Casablanca',
    'Asia/Kathmandu',
    'America/St_Johns',
    'Asia/Tehran',
    'Antarctica/Casey',
    'Pacific/Apia',
    'America/Sao_Paulo',
    'Asia/Pyongyang',
  ]
  const changes = zones.flatMap(zone => {
    const found: { zone: string; at: number }[] = []
    let at: Temporal.ZonedDateTime | null = Temporal.ZonedDateTime.from(`2009-01-01T00:00[${zone}]`)
    for (;;) {
      at = at.getTimeZoneTransition('next')
      if (!at || at.year >= 2029) return found
      found.push({ zone, at: at.epochMilliseconds })
    }
  })
  const minutesFrom = (zone: string, from: number, count: number): number[] => {
    const clock = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
    return Array.from({ length: count }, (_, index) => {
      const parts = clock.format(from + index * minuteMs).split(/\D+/)
      const [month, day, year, hour, minute] = parts.map(Number)
      return Date.UTC(year!, month! - 1, day, hour, minute) / minuteMs
    })
  }

  interface Field {
    text: string
    has(value: number): boolean
  }
  const field = (min: number, max: number): fc.Arbitrary<Field> => {
    const value = fc.integer({ min, max })
    const term = fc.oneof(
      { weight: 3, arbitrary: value.map(n => ({ text: `${n}`, has: (x: number) => x === n })) },
      { weight: 2, arbitrary: fc.constant({ text: '*', has: () => true }) },
      {
        weight: 2,
        arbitrary: fc
          .integer({ min: 1, max: 20 })
          .map(step => ({ text: `*/${step}`, has: (x: number) => (x - min) % step === 0 })),
      },
      {
        weight: 2,
        arbitrary: fc.tuple(value, value, fc.integer({ min: 1, max: 15 })).map(([a, b, step]) => {
          const [low, high] = [Math.min(a, b), Math.max(a, b)]
          return { text: `${low}-${high}/${step}`, has: (x: number) => x >= low && x <= high && (x - low) % step === 0 }
        }),
      },
    )
    return fc
      .array(term, { minLength: 1, maxLength: 3 })
      .map(terms => ({ text: terms.map(({ text }) => text).join(','), has: x => terms.some(each => each.has(x)) }))
  }
  const expressions = fc.record({
    minute: field(0, 59),
    hour: field(0, 23),
    day: fc.oneof(fc.constant({ text: '*', has: () => true }), field(1, 31)),
    weekday: fc.oneof(fc.constant({ text: '*', has: () => true }), field(0, 7)),
  })

  test('around every change of eighteen zones in twenty years', () => {
    fc.assert(
      fc.property(expressions, fc.constantFrom(...changes), ({ minute, hour, day, weekday }, { zone, at }) => {
        const isDue = (local: number) => {
          const date = new Date(local * minuteMs)
          const inDays = day.has(date.getUTCDate())
          const inWeek = weekday.has(date.getUTCDay()) || (date.getUTCDay() === 0 && weekday.has(7))
          const isBoth = day.text.startsWith('*') || weekday.text.startsWith('*')
          return (
            minute.has(date.getUTCMinutes()) &&
            hour.has(date.getUTCHours()) &&
            (isBoth ? inDays && inWeek : inDays || inWeek)
          )
        }
        const byClock = minute.text.startsWith('*') || hour.text.startsWith('*')
        const from = at - 18 * 60 * minuteMs
        const shown = minutesFrom(zone, from, watchedMinutes)
        const due: number[] = []
        let latest = shown[0]!
        for (const [index, local] of shown.entries()) {
          if (index === 0) continue
          const jump = local - shown[index - 1]! - 1
          if (Math.abs(jump) >= 180) latest = local - 1
          const times = byClock
            ? [local]
            : Array.from({ length: Math.max(0, local - latest) }, (_, n) => latest + 1 + n)
          if (times.some(isDue)) due.push(from + index * minuteMs)
          latest = Math.max(latest, local)
        }
        const expression = `${minute.text} ${hour.text} ${day.text} * ${weekday.text}`
        const end = from + (watchedMinutes - 1) * minuteMs
        const wanted = upcoming(cronOf(expression, zone), from, due.length + 1).filter(time => time <= end)
        expect(
          wanted.map(time => new Date(time).toISOString()),
          `${expression} ${zone}`,
        ).toEqual(due.map(time => new Date(time).toISOString()))
      }),
      { numRuns: 150 },
    )
  }, 240_000)
})
