import { describe, expect, test } from 'vitest'
import { agent, defaultThresholds } from '#checks/agent/kind.ts'
import { type ExceededThreshold, exceededAfter, type MetricMinutes, type Threshold } from '#checks/agent/thresholds.ts'
import { noPhases } from '#contract/check.ts'

const now = Date.UTC(2026, 0, 5, 12, 0, 30)
const minute = Math.floor(now / 60_000)
const cpu: Threshold = { metric: 'cpu', label: null, above: 90, for_minutes: 3, severity: 'warning' }
const disk: Threshold = { metric: 'disk', label: '/', above: 80, for_minutes: 1, severity: 'critical' }

/** Means from the oldest to that of the minute under way; null: no report. */
const of = (metric: MetricMinutes['metric'], label: string, ...means: (number | null)[]): MetricMinutes => ({
  metric,
  label,
  averages: new Map(
    means.flatMap((mean, index): [number, number][] =>
      mean === null ? [] : [[minute - means.length + 1 + index, mean]],
    ),
  ),
})
const passed = (threshold: Threshold, label = '', value = 95): ExceededThreshold => ({ ...threshold, label, value })

describe('thresholds', () => {
  const table: [
    what: string,
    threshold: Threshold,
    series: MetricMinutes[],
    before: ExceededThreshold[],
    passed: string[],
  ][] = [
    ['above for as long as it takes', cpu, [of('cpu', '', 95, 96, 97, 98)], [], ['']],
    ['above for a minute less', cpu, [of('cpu', '', 50, 96, 97, 98)], [], []],
    ['nothing is known of the beginning', cpu, [of('cpu', '', 96, 97, 98)], [], []],
    ['one minute within it was good', cpu, [of('cpu', '', 95, 96, 89, 98, 99)], [], []],
    ['exactly at the limit is not above it', cpu, [of('cpu', '', 90, 90, 90, 90, 90)], [], []],
    ['the minute under way is good', cpu, [of('cpu', '', 95, 96, 97, 98, 99, 10)], [], []],
    ['reported every two minutes', cpu, [of('cpu', '', 95, null, 97, null, 99, null)], [], ['']],
    ['reported once, five minutes ago', cpu, [of('cpu', '', 95, null, null, null, null, null)], [], ['']],
    ['reported once, long ago', cpu, [of('cpu', '', 95, null, null, null, null, null, null, null, null)], [], []],
    ['nothing was ever reported', cpu, [], [], []],
    ['another metric', cpu, [of('memory', '', 99, 99, 99, 99, 99)], [], []],
    [
      'each disk for itself',
      { ...disk, label: null },
      [of('disk', '/', 85, 85), of('disk', '/srv', 10, 10), of('disk', '/var', 99, 99)],
      [],
      ['/', '/var'],
    ],
    ['one disk alone', disk, [of('disk', '/', 10, 10), of('disk', '/srv', 99, 99)], [], []],
    ['passed, and just below', cpu, [of('cpu', '', 89, 89, 89, 89, 89)], [passed(cpu)], ['']],
    ['passed, and well below for long enough', cpu, [of('cpu', '', 95, 80, 80, 80, 80)], [passed(cpu)], []],
    ['passed, and well below for a minute', cpu, [of('cpu', '', 95, 95, 95, 80)], [passed(cpu)], ['']],
    ['passed, and nothing more is reported', cpu, [], [passed(cpu)], ['']],
    [
      'passed, by a threshold there is no more',
      { ...cpu, above: 99 },
      [of('cpu', '', 95, 95, 95, 95)],
      [passed(cpu)],
      [],
    ],
    ['an hour of it', { ...cpu, for_minutes: 60 }, [of('cpu', '', ...Array.from({ length: 62 }, () => 95))], [], ['']],
    [
      'an hour of it but for one minute',
      { ...cpu, for_minutes: 60 },
      [of('cpu', '', ...Array.from({ length: 62 }, (_, index) => (index === 30 ? 1 : 95)))],
      [],
      [],
    ],
  ]
  test.each(table)('%s', (_, threshold, series, before, labels) => {
    expect(exceededAfter([threshold], series, before, now).map(({ label }) => label)).toEqual(labels)
  })

  test.each([
    [31, false],
    [59, false],
    [60, true],
    [90, true],
  ])('for a minute, %i seconds after the first value: %s', (seconds, isExceeded) => {
    const first = now - seconds * 1_000
    const firsts = new Map([[Math.floor(first / 60_000), first]])
    const series = [{ ...of('disk', '/', 99, 99), firsts }]
    expect(exceededAfter([disk], series, [], now)).toHaveLength(isExceeded ? 1 : 0)
  })

  test('what is critical comes first, and there is an end to it', () => {
    const series = Array.from({ length: 60 }, (_, index) => of('disk', `/${index}`, 99, 99))
    const thresholds: Threshold[] = [
      { ...disk, label: null, severity: 'warning' },
      { ...disk, label: '/59' },
    ]
    const exceeded = exceededAfter(thresholds, series, [], now)
    expect(exceeded).toHaveLength(30)
    expect(exceeded[0]).toMatchObject({ label: '/59', severity: 'critical', value: 99 })
  })
})

describe('what is judged of a server', () => {
  const settings = agent.settings.parse({})
  const judge = (silent_minutes: number | null, exceeded: ExceededThreshold[]) =>
    agent.judge(agent.seen.parse({ silent_minutes, passed: exceeded }), settings, {
      at: new Date(now),
      phases: noPhases,
    })

  test.each([
    ['all is well', null, [], { status: 'up' }],
    [
      'a warning',
      null,
      [passed(cpu)],
      {
        status: 'warning',
        code: 'threshold',
        event: 'warning.server_resources',
        details: { passed: [passed(cpu)] },
        reason: 'CPU above 90 % for 3 minutes (95 %).',
      },
    ],
    [
      'something critical beside it',
      null,
      [passed(cpu), passed(disk, '/', 99.94)],
      { status: 'down', code: 'threshold', reason: 'Disk of / above 80 % for 1 minute (99.9 %).' },
    ],
    [
      'silence goes before all',
      12,
      [passed(cpu)],
      { status: 'down', code: 'no_data', reason: 'Nothing was heard of the server for 12 minutes.' },
    ],
  ] as const)('%s', (_, silent, exceeded, judgement) => expect(judge(silent, [...exceeded])).toEqual(judgement))

  test('many at once are named in one bounded sentence', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      passed({ ...disk, severity: 'warning' }, `/${'x'.repeat(100)}${index}`),
    )
    const judgement = judge(null, many)
    expect(judgement.reason).toMatch(/and 27 more\.$/)
    expect(judgement.reason?.length).toBeLessThanOrEqual(500)
  })
})

describe('settings', () => {
  const threshold = { metric: 'cpu', above: 90 }
  test('have defaults', () => {
    expect(agent.settings.parse({})).toEqual({ thresholds: defaultThresholds, no_data_after_minutes: 10 })
    expect(agent.settings.parse({ thresholds: [threshold] }).thresholds).toEqual([
      { metric: 'cpu', label: null, above: 90, for_minutes: 5, severity: 'warning' },
    ])
  })

  test.each([
    [{ no_data_after_minutes: 2 }, true],
    [{ no_data_after_minutes: 1 }, false],
    [{ no_data_after_minutes: 1_440 }, true],
    [{ no_data_after_minutes: 1_441 }, false],
    [{ no_data_after_minutes: null }, true],
    [{ thresholds: [{ ...threshold, for_minutes: 60 }] }, true],
    [{ thresholds: [{ ...threshold, for_minutes: 61 }] }, false],
    [{ thresholds: [{ ...threshold, for_minutes: 0 }] }, false],
    [{ thresholds: [{ ...threshold, above: 100 }] }, false],
    [{ thresholds: [{ metric: 'load', above: 100 }] }, true],
    [{ thresholds: [{ ...threshold, above: -1 }] }, false],
    [{ thresholds: [{ metric: 'mood', above: 1 }] }, false],
    [{ thresholds: [threshold, { ...threshold, above: 95 }] }, false],
    [{ thresholds: [threshold, { ...threshold, severity: 'critical', above: 95 }] }, true],
    [
      { thresholds: Array.from({ length: 31 }, (_, index) => ({ metric: 'disk', label: `/${index}`, above: 90 })) },
      false,
    ],
    [{ thresholds: [{ metric: 'disk', label: 'x'.repeat(121), above: 90 }] }, false],
  ])('%j: %s', (given, isGood) => expect(agent.settings.safeParse(given).success).toBe(isGood))
})
