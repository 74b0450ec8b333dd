import { describe, expect, test } from 'vitest'
import { type CronSettings, cron, scheduleOf } from '#checks/cron/kind.ts'
import { dueAfterPing, nextAfter, refuseExpression, upcoming, zoneNamed } from '#checks/cron/schedule.ts'
import { noPhases } from '#contract/check.ts'

const parse = (given: Record<string, unknown>) => {
  const parsed = cron.settings.safeParse(given)
  return parsed.success ? [] : parsed.error.issues.map(issue => issue.path.join('.'))
}
const at = (text: string) => Date.parse(text)
const cronOf = (expression: string, timezone = 'UTC') => ({ kind: 'cron', expression, timezone }) as const
const iso = (moments: (number | null)[]) => moments.map(moment => moment && new Date(moment).toISOString().slice(0, 16))

describe('settings', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['a period', { period_minutes: 1 }, []],
    ['the longest period', { period_minutes: 525_600 }, []],
    ['no period', { period_minutes: 0 }, ['period_minutes']],
    ['a period of more than a year', { period_minutes: 525_601 }, ['period_minutes']],
    ['a period that is null', { period_minutes: null }, ['period_minutes']],
    ['the shortest grace', { grace_minutes: 1 }, []],
    ['the longest grace', { grace_minutes: 1_440 }, []],
    ['no grace', { grace_minutes: 0 }, ['grace_minutes']],
    ['more than a day of grace', { grace_minutes: 1_441 }, ['grace_minutes']],
    ['half a minute of grace', { grace_minutes: 1.5 }, ['grace_minutes']],
    ['the longest run', { max_run_minutes: 10_080 }, []],
    ['a run longer than a week', { max_run_minutes: 10_081 }, ['max_run_minutes']],
    ['an expression', { schedule_kind: 'cron', schedule: '30 2 * * *', timezone: 'Europe/Berlin' }, []],
    ['no expression', { schedule_kind: 'cron' }, ['schedule']],
    ['an unknown zone', { schedule_kind: 'cron', schedule: '@daily', timezone: 'Mars/Olympus' }, ['timezone']],
    ['an offset for a zone', { timezone: '+01:00' }, ['timezone']],
    ['both wrong', { schedule_kind: 'cron', schedule: '* * *', timezone: '' }, ['timezone', 'schedule']],
  ])('%s', (_, given, refused) => expect(parse(given)).toEqual(refused))

  test.each([
    '* * * *',
    '*/1 * * * * *',
    '0 0 30 2 *',
    '0 0 31 2,4,6 *',
    '60 * * * *',
    '0 24 * * *',
    '*/0 * * * *',
    '5-1 * * * *',
    '@reboot',
    '@often',
    'a b c d e',
    '0 0 1 1 * 2020',
    '*'.repeat(129),
    `${'1,'.repeat(60)}1 * * * * *`,
  ])('%s is no expression', expression => {
    expect(refuseExpression(expression, 'Europe/Berlin', new Date())).toEqual(expect.any(String))
    expect(new Set(parse({ schedule_kind: 'cron', schedule: expression }))).toEqual(new Set(['schedule']))
  })

  test.each([
    '* * * * *',
    '0 0 29 2 *',
    '@daily',
    '@Hourly',
    '0 0 L * *',
    '0 9 * * MON-FRI',
    '0 0 * * MON#2',
    '0 0 15W * *',
    '  5 4 * * *  ',
  ])('%s is one', expression =>
    expect(refuseExpression(expression, 'UTC', new Date('2026-01-01T00:00:00Z'))).toBeNull(),
  )

  test('a zone has a name', () => {
    expect(zoneNamed('Europe/Berlin')).toBe('Europe/Berlin')
    expect(zoneNamed('UTC')).toBe('UTC')
    for (const name of ['', 'Europe/Nowhere', '+02:00', 'x'.repeat(64), '../etc'])
      expect(zoneNamed(name), name).toBeNull()
  })
})

describe('the next moment due', () => {
  test.each([
    [
      '02:30 on the night clocks go forward comes right after the jump',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00Z',
      ['2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      'every half hour of that night is half an hour from the next',
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-03-29T00:30Z',
      ['2026-03-29T01:00', '2026-03-29T01:30'],
    ],
    [
      '02:30 on the night clocks go back comes once',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'and so does a list of minutes',
      '0,30 2 * * *',
      'Europe/Berlin',
      '2026-10-25T00:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:00'],
    ],
    [
      'every hour comes in the repeated hour too',
      '0 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:30Z',
      ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00'],
    ],
    [
      'a day on which midnight is left out begins at one',
      '0 0 * * *',
      'America/Sao_Paulo',
      '2018-11-03T12:00Z',
      ['2018-11-04T03:00', '2018-11-05T02:00'],
    ],
    ['zones differ', '0 9 * * *', 'Asia/Tokyo', '2026-01-01T12:00Z', ['2026-01-02T00:00']],
    ['and have halves', '0 9 * * *', 'Asia/Kolkata', '2026-01-01T12:00Z', ['2026-01-02T03:30']],
    ['the last day of a month', '0 0 L * *', 'UTC', '2028-02-01T00:00Z', ['2028-02-29T00:00', '2028-03-31T00:00']],
  ] as const)('%s', (_, expression, timezone, from, wanted) =>
    expect(iso(upcoming(cronOf(expression, timezone), at(from), wanted.length))).toEqual(wanted),
  )

  test('what is remembered of a schedule is what it would say', () => {
    const schedule = cronOf('*/7 3,4 * * *', 'Europe/Berlin')
    for (let moment = at('2026-03-28T00:00Z'); moment < at('2026-03-31T00:00Z'); moment += 13 * 60_000)
      expect(nextAfter(schedule, moment)).toBe(upcoming(schedule, moment, 1)[0])
  })

  test('a ping a little early is the one that was due', () => {
    const daily = cronOf('0 2 * * *')
    expect(iso([dueAfterPing(daily, at('2026-01-01T01:59:30Z'))])).toEqual(['2026-01-02T02:00'])
    expect(iso([dueAfterPing(daily, at('2026-01-01T01:58:59Z'))])).toEqual(['2026-01-01T02:00'])
    expect(iso([dueAfterPing(daily, at('2026-01-01T02:00:01Z'))])).toEqual(['2026-01-02T02:00'])
    // of a schedule that comes every minute only a quarter of it is early
    const often = cronOf('* * * * *')
    expect(iso([dueAfterPing(often, at('2026-01-01T02:00:40Z'))])).toEqual(['2026-01-01T02:01'])
    expect(iso([dueAfterPing(often, at('2026-01-01T02:00:46Z'))])).toEqual(['2026-01-01T02:02'])
    expect(dueAfterPing({ kind: 'simple', periodMs: 60_000 }, 5)).toBe(60_005)
  })

  test('takes a moment, not more', () => {
    const started = performance.now()
    for (let i = 0; i < 20; i++) nextAfter(cronOf(`${i} ${i} 29 2 1`, 'Europe/Berlin'), at('2026-01-01T00:00Z'))
    expect((performance.now() - started) / 20).toBeLessThan(25)
  })
})

test.each<[Partial<Parameters<typeof cron.judge>[0]>, string, string | undefined]>([
  [{ report: 'ok' }, 'up', undefined],
  [{ report: 'fail' }, 'down', 'The job reported a failure.'],
  [{ report: 'fail', exit_code: 3 }, 'down', 'The job reported a failure (exit code 3).'],
  [
    { report: 'missed', due: '2026-03-29 03:00 (Europe/Berlin)' },
    'down',
    'No ping came: one was due at 2026-03-29 03:00 (Europe/Berlin).',
  ],
  [{ report: 'overrun' }, 'down', 'A run has taken longer than 30 minutes.'],
])('%j is %s', (seen, status, reason) => {
  const settings: CronSettings = cron.settings.parse({ max_run_minutes: 30 })
  const judgement = cron.judge({ report: 'ok', exit_code: null, due: null, ...seen }, settings, {
    at: new Date(),
    phases: noPhases,
  })
  expect([judgement.status, judgement.reason]).toEqual([status, reason])
})

test('a schedule is read off the settings', () => {
  expect(scheduleOf(cron.settings.parse({ period_minutes: 5 }))).toEqual({ kind: 'simple', periodMs: 300_000 })
  expect(
    scheduleOf(cron.settings.parse({ schedule_kind: 'cron', schedule: '@daily', timezone: 'Asia/Tokyo' })),
  ).toEqual(cronOf('@daily', 'Asia/Tokyo'))
})
