import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Change,
  daysOf,
  type Interval,
  judgedSpans,
  judgements,
  timeOf,
  uptimePct,
} from '#control-plane/monitoring/statistics/judged-time.ts'

const minute = 60_000
const change = (at: number, verdict: string): Change => ({ at, verdict })
const spansOf = (changes: Change[], monitoringGaps: Interval[], maintenance: Interval[], from: number, to: number) =>
  judgedSpans({ changes, monitoringGaps, maintenance }, from, to)
const times = (changes: Change[], gaps: Interval[], from: number, to: number, inMaintenance: Interval[] = []) => {
  const { up, warning, down, maintenance, paused, no_data } = timeOf(spansOf(changes, gaps, inMaintenance, from, to))
  return [up, warning, down, maintenance, paused, no_data]
}

describe('judgedSpans', () => {
  test.each([
    ['nothing is known before the first change', [change(4, 'up')], [], [6, 0, 0, 0, 0, 4]],
    [
      'the last change before the window holds into it',
      [change(-9, 'up'), change(-5, 'down')],
      [],
      [0, 0, 10, 0, 0, 0],
    ],
    ['a change at the very start holds from there', [change(-9, 'up'), change(0, 'down')], [], [0, 0, 10, 0, 0, 0]],
    ['a change at the very end is not of this window', [change(-1, 'up'), change(10, 'down')], [], [10, 0, 0, 0, 0, 0]],
    [
      'each holds until the next',
      [change(0, 'up'), change(3, 'warning'), change(5, 'down'), change(6, 'maintenance'), change(8, 'paused')],
      [],
      [3, 2, 1, 2, 2, 0],
    ],
    [
      'of two changes at one moment the last counts',
      [change(0, 'up'), change(5, 'down'), change(5, 'up')],
      [],
      [10, 0, 0, 0, 0, 0],
    ],
    ['an unknown verdict is no data', [change(0, 'up'), change(5, 'none')], [], [5, 0, 0, 0, 0, 5]],
    ['a monitoring gap is no data', [change(0, 'down')], [{ from: 2, to: 5 }], [0, 0, 7, 0, 0, 3]],
    [
      'monitoring gaps may overlap and reach beyond the window',
      [change(0, 'up')],
      [
        { from: 3, to: 5 },
        { from: -5, to: 1 },
        { from: 4, to: 6 },
        { from: 9, to: 99 },
      ],
      [5, 0, 0, 0, 0, 5],
    ],
    [
      'a monitoring gap over a change hides both sides of it',
      [change(0, 'up'), change(5, 'down')],
      [{ from: 4, to: 7 }],
      [4, 0, 3, 0, 0, 3],
    ],
    ['no change at all is no data', [], [{ from: 2, to: 5 }], [0, 0, 0, 0, 0, 10]],
  ])('%s', (_, changes, gaps, expected) => {
    expect(times(changes, gaps, 0, 10)).toEqual(expected)
  })

  test.each([
    [
      'counts as neither up nor down',
      [change(0, 'up'), change(4, 'down')],
      [],
      [{ from: 3, to: 7 }],
      [3, 0, 3, 4, 0, 0],
    ],
    [
      'of several windows that overlap counts once',
      [change(0, 'up')],
      [],
      [
        { from: 4, to: 6 },
        { from: -3, to: 2 },
        { from: 5, to: 7 },
        { from: 1, to: 2 },
      ],
      [5, 0, 0, 5, 0, 0],
    ],
    [
      'comes before a monitoring gap',
      [change(0, 'up')],
      [{ from: 2, to: 8 }],
      [{ from: 4, to: 6 }],
      [4, 0, 0, 2, 0, 4],
    ],
    [
      'comes before a pause and before the first verdict',
      [change(5, 'paused')],
      [],
      [{ from: 4, to: 6 }],
      [0, 0, 0, 2, 4, 4],
    ],
  ])('maintenance %s', (_, changes, gaps, maintenance, expected) => {
    expect(times(changes, gaps, 0, 10, maintenance)).toEqual(expected)
  })

  test('joins neighbouring spans of one verdict', () => {
    expect(spansOf([change(0, 'up'), change(2, 'up'), change(4, 'none')], [{ from: 3, to: 5 }], [], 0, 10)).toEqual([
      { verdict: 'up', from: 0, to: 3 },
      { verdict: 'no_data', from: 3, to: 10 },
    ])
  })
})

const window = fc
  .tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 1, max: 500 }))
  .map(([from, length]) => ({ from, to: from + length }))
const history = fc
  .array(
    fc.record({
      at: fc.integer({ min: -200, max: 1_200 }),
      verdict: fc.constantFrom('up', 'warning', 'down', 'maintenance', 'paused', 'none'),
    }),
    {
      maxLength: 25,
    },
  )
  .map(changes => changes.sort((a, b) => a.at - b.at))
const anyGaps = fc.array(
  fc
    .tuple(fc.integer({ min: -200, max: 1_200 }), fc.integer({ min: 0, max: 150 }))
    .map(([from, length]) => ({ from, to: from + length })),
  { maxLength: 8 },
)

/** The rule said moment by moment: slow, and too plain to be wrong. */
function judgedAt(moment: number, changes: Change[], gaps: Interval[], maintenance: Interval[]): string {
  if (maintenance.some(({ from, to }) => from <= moment && moment < to)) return 'maintenance'
  if (gaps.some(({ from, to }) => from <= moment && moment < to)) return 'no_data'
  const verdict = changes.findLast(({ at }) => at <= moment)?.verdict ?? 'no_data'
  return (judgements as readonly string[]).includes(verdict) ? verdict : 'no_data'
}

describe('for any history', () => {
  test('spans cover the window without gap or overlap, and neighbours differ', () =>
    fc.assert(
      fc.property(history, anyGaps, anyGaps, window, (changes, gaps, maintenance, { from, to }) => {
        const spans = spansOf(changes, gaps, maintenance, from, to)
        expect(spans[0]?.from).toBe(from)
        expect(spans.at(-1)?.to).toBe(to)
        for (const [index, span] of spans.entries()) {
          expect(span.to).toBeGreaterThan(span.from)
          const next = spans[index + 1]
          if (!next) continue
          expect(next.from).toBe(span.to)
          expect(next.verdict).not.toBe(span.verdict)
        }
      }),
      { numRuns: 500 },
    ))

  test('each moment has the judgement of the rule', () =>
    fc.assert(
      fc.property(history, anyGaps, anyGaps, window, (changes, gaps, maintenance, { from, to }) => {
        const time = timeOf(spansOf(changes, gaps, maintenance, from, to))
        const counted = timeOf([])
        for (let moment = from; moment < to; moment++)
          counted[judgedAt(moment, changes, gaps, maintenance) as keyof typeof counted]++
        expect(time).toEqual(counted)
      }),
      { numRuns: 500 },
    ))

  test('two halves add up to the whole, and days to the period', () =>
    fc.assert(
      fc.property(
        history,
        anyGaps,
        anyGaps,
        window,
        fc.nat(1_000),
        (changes, gaps, maintenance, { from, to }, share) => {
          const middle = from + Math.floor(((to - from) * share) / 1_000)
          const whole = timeOf(spansOf(changes, gaps, maintenance, from, to))
          const halves = [
            timeOf(spansOf(changes, gaps, maintenance, from, middle)),
            timeOf(spansOf(changes, gaps, maintenance, middle, to)),
          ]
          for (const verdict of judgements) expect(halves[0]![verdict] + halves[1]![verdict]).toBe(whole[verdict])
        },
      ),
      { numRuns: 300 },
    ))

  test('uptime is a share, 100 only without any time down, and null only when nothing was judged', () =>
    fc.assert(
      fc.property(fc.nat(1e12), fc.nat(1e12), fc.nat(1e12), (up, warning, down) => {
        const pct = uptimePct({ up, warning, down })
        if (up + warning + down === 0) return expect(pct).toBeNull()
        expect(pct).toBeGreaterThanOrEqual(0)
        expect(pct).toBeLessThanOrEqual(100)
        expect(pct === 100).toBe(down === 0)
        expect(Math.abs(pct! - (100 * (up + warning)) / (up + warning + down))).toBeLessThan(1.1e-4)
      }),
      { numRuns: 1_000 },
    ))
})

describe('uptimePct', () => {
  test.each([
    [{ up: 199, warning: 0, down: 1 }, 99.5],
    [{ up: 0, warning: 3, down: 1 }, 75],
    [{ up: 0, warning: 0, down: 9 }, 0],
    [{ up: 86_400_000 * 365, warning: 0, down: 1 }, 99.9999],
    [{ up: 2, warning: 0, down: 1 }, 66.6666],
  ])('%j is %d', (judged, pct) => expect(uptimePct(judged)).toBe(pct))
})

test('days are cut to the period', () => {
  const from = Date.parse('2026-03-01T22:00:00Z')
  expect(daysOf(from, from + 26 * 60 * minute).map(day => [day.date, (day.to - day.from) / minute])).toEqual([
    ['2026-03-01', 120],
    ['2026-03-02', 1_440],
  ])
})
