import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { kinds } from '#checks/index.ts'
import { defaultDays, defaultSteps } from '#checks/ssl/ladder.ts'
import { certificate } from '#checks/ssl/report.ts'
import { noPhases } from '#contract/check.ts'
import { causeIn } from '#control-plane/alerting/notifications/causes.ts'

const { ssl } = kinds
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const begin = Date.parse('2026-01-01T05:17:00Z')

const seenOf = (from: number, to: number): z.output<typeof ssl.seen> =>
  ssl.seen.parse({
    issuer: 'CN=Authority',
    subject: 'CN=example.com',
    names: ['example.com'],
    valid_from: new Date(from).toISOString(),
    valid_to: new Date(to).toISOString(),
    days_left: 0,
    fingerprint: `${from}`,
    protocol: 'TLSv1.3',
    cipher: null,
    matches_host: true,
    chain_error: null,
  })
const judge = (from: number, to: number, at: number, settings: z.input<typeof ssl.settings> = {}) =>
  ssl.judge(seenOf(from, to), ssl.settings.parse(settings), { at: new Date(at), phases: noPhases })

/** What an engine publishes: an event when a warning begins, and again each time it is deeper. */
function eventsOf(lifeDays: number, renewsAt: (left: number, life: number) => boolean, spanDays = 730) {
  const life = lifeDays * dayMs
  const events: { leftDays: number; reason: string }[] = []
  let from = begin
  let depth = 0
  let end: string | undefined
  for (let at = begin; at < begin + spanDays * dayMs; at += hourMs) {
    // a client of ACME runs twice a day
    if ((at - begin) % (12 * hourMs) === 0 && renewsAt(from + life - at, life)) from = at - hourMs
    const judgement = judge(from, from + life, at)
    if (judgement.status === 'down') {
      end = judgement.code
      break
    }
    const now = judgement.status === 'warning' ? (judgement.depth ?? 0) : 0
    if (now > depth) events.push({ leftDays: (from + life - at) / dayMs, reason: String(judgement.reason) })
    depth = now
  }
  return { events, end }
}

describe('a certificate for which no days were chosen', () => {
  const lives = [6, 6.5, 10, 11, 45, 47, 64, 90, 100, 200, 398]

  test.each(lives)('of %s days that is renewed as planned causes no warning in two years', life => {
    const share = life <= 10 ? 1 / 2 : 1 / 3
    // the planned moment passes up to half a day before the client runs, which is more than a short life allows
    const ahead = life <= 11 ? 12 * hourMs : 0
    expect(eventsOf(life, (left, whole) => left - ahead <= whole * share)).toEqual({ events: [], end: undefined })
  })

  test.each<[number, number[]]>([
    [1, [0.45, 0.17]],
    [6, [2.7, 1]],
    [6.5, [2.9, 1.1, 1]],
    [10, [4.5, 1.7, 1]],
    [11, [3.3, 1.8, 1]],
    [45, [13.5, 7.5, 3, 1]],
    [90, [27, 15, 3, 1]],
    [200, [60, 33.3, 3, 1]],
    [398, [119.4, 66.3, 3, 1]],
  ])('of %s days that is renewed no more warns once at each step', (life, steps) => {
    const { events, end } = eventsOf(life, () => false)
    expect(events).toHaveLength(steps.length)
    for (const [index, { leftDays, reason }] of events.entries()) {
      expect(leftDays).toBeLessThanOrEqual(steps[index]! + 0.1)
      expect(leftDays).toBeGreaterThan(steps[index]! - 0.2)
      expect(causeIn('de', reason)).toMatch(/^Das Zertifikat läuft (heute|in \d+ Tag(en)?) ab\.$/)
    }
    expect(end).toBe('certificate_expired')
  })

  test('never warns before a third of its life is left, of a short one a half', () => {
    for (let life = 1; life <= 400; life++) {
      const [first = 0, ...later] = defaultSteps(life * dayMs)
      expect(first).toBeLessThan((life * dayMs) / (life <= 10 ? 2 : 3))
      expect(later).toEqual(later.toSorted((a, b) => b - a))
      expect(new Set([first, ...later]).size).toBe(later.length + 1)
    }
  })

  test('half a day old of six and a half days, or sixteen old of 45, is up', () => {
    expect(judge(begin, begin + 6.5 * dayMs, begin + dayMs / 2)).toEqual({ status: 'up' })
    expect(judge(begin, begin + 45 * dayMs, begin + 16 * dayMs)).toEqual({ status: 'up' })
  })

  test('shows its steps in the statistic', () => {
    expect(defaultDays(new Date(begin), new Date(begin + 90 * dayMs))).toEqual([27, 15, 3, 1])
    expect(certificate.view(seenOf(begin, begin + 45 * dayMs))).toMatchObject({ usual_warn_days: [13.5, 7.5, 3, 1] })
  })
})

describe('the days that an owner chose', () => {
  test.each<[string, number, number, string, number | undefined]>([
    ['hold for any life', 90, 14.5, 'warning', 1],
    ['reach the next step', 90, 7, 'warning', 2],
    ['are not reached yet', 90, 15.1, 'up', undefined],
    ['hold for a short life too', 6, 5.9, 'warning', 2],
  ])('%s', (_, life, left, status, depth) => {
    const to = begin + life * dayMs
    expect(judge(begin, to, to - left * dayMs, { warn_days: [14, 7] })).toMatchObject({
      status,
      ...(depth && { depth }),
    })
  })

  test('are given up by null, and are absent then', () => {
    expect(ssl.settings.parse({ warn_days: null })).toEqual(ssl.settings.parse({}))
    expect(JSON.parse(JSON.stringify(ssl.settings.parse({ warn_days: null })))).not.toHaveProperty('warn_days')
    expect(ssl.settings.parse({ warn_days: [30, 14, 7, 3, 1] }).warn_days).toEqual([30, 14, 7, 3, 1])
  })
})
