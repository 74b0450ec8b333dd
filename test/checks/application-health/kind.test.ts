import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { readReport } from '#checks/application-health/forms.ts'
import { kinds } from '#checks/index.ts'
import { noPhases } from '#contract/check.ts'

const kind = kinds.application_health
const at = new Date('2026-11-21T12:00:00Z')
const seconds = (minutesAgo: number) => at.getTime() / 1_000 - minutesAgo * 60

describe('a report', () => {
  test.each<[string, unknown, object | null]>([
    [
      'plain',
      { status: 'ok', checks: [{ name: 'db', status: 'warning', message: 'slow' }] },
      { form: 'plain', status: 'ok', parts: [{ name: 'db', status: 'warning', message: 'slow' }] },
    ],
    [
      'plain, of parts alone',
      { checks: [{ name: 'db', status: 'pass' }] },
      { form: 'plain', status: null, parts: [{ name: 'db', status: 'ok', message: null }] },
    ],
    [
      'plain, with its date',
      { finished_at: '2026-11-21T11:59:00Z', checks: [] },
      { finishedAt: new Date('2026-11-21T11:59:00Z') },
    ],
    [
      'of Oh Dear',
      {
        finishedAt: 1_763_726_400,
        checkResults: [
          { name: 'a', label: 'Disk', status: 'crashed', notificationMessage: 'It broke', shortSummary: 'x', meta: {} },
          { name: 'b', label: 'Mail', status: 'skipped', notificationMessage: '', shortSummary: 'later', meta: [] },
        ],
      },
      {
        form: 'ohdear',
        finishedAt: new Date(1_763_726_400_000),
        parts: [
          { name: 'Disk', status: 'failed', message: 'It broke' },
          { name: 'Mail', status: 'skipped', message: 'later' },
        ],
      },
    ],
    ['of Spring, short', { status: 'UP' }, { form: 'spring', status: 'ok', parts: [] }],
    [
      'of Spring, in full',
      {
        status: 'DOWN',
        components: {
          db: { status: 'DOWN', details: { error: 'no route' } },
          disk: { status: 'UP' },
          x: { status: 'UNKNOWN', components: { y: { status: 'OUT_OF_SERVICE' } } },
        },
      },
      {
        form: 'spring',
        status: 'failed',
        parts: [
          { name: 'db', status: 'failed', message: 'no route' },
          { name: 'disk', status: 'ok', message: null },
          { name: 'x', status: 'warning', message: null },
          { name: 'x.y', status: 'failed', message: null },
        ],
      },
    ],
    [
      'with an unknown word',
      { checks: [{ name: 'db', status: 'meh' }] },
      { parts: [{ name: 'db', status: 'warning', message: null }] },
    ],
    ['that is none', { hello: 'world' }, null],
    ['that is a list', [1], null],
    ['that is nothing', undefined, null],
    ['with names that are no names', { checks: [{ name: 1, status: 'ok' }] }, null],
  ])('%s', (_, json, expected) =>
    expected === null ? expect(readReport(json)).toBeNull() : expect(readReport(json)).toMatchObject(expected),
  )

  test('however deep or long it is stays small', () => {
    let deep: unknown = { status: 'DOWN' }
    for (let n = 0; n < 10_000; n++) deep = { status: 'UP', components: { a: deep } }
    expect(readReport(deep)?.parts.length).toBeLessThan(10)
    const wide = {
      checks: Array.from({ length: 100_000 }, (_, n) => ({
        name: 'n'.repeat(500) + n,
        status: 'ok',
        message: 'm'.repeat(500),
      })),
    }
    expect(JSON.stringify(readReport(wide)).length).toBeLessThan(100_000)
    expect(
      readReport(
        JSON.parse('{"status":"UP","components":{"__proto__":{"status":"DOWN"},"constructor":{"status":"UP"}}}'),
      )?.parts.length,
    ).toBeGreaterThan(0)
  })
})

describe('judge', () => {
  type Seen = z.input<typeof kind.seen>
  type Settings = z.input<typeof kind.settings>
  const part = (name: string, status: 'ok' | 'warning' | 'failed' | 'skipped', message: string | null = null) => ({
    name,
    status,
    message,
  })
  const seen: Seen = { http_status: 200, form: 'plain', status: 'ok', finished_at: null, checks: [], total: 0 }
  test.each<[string, Partial<Seen>, Settings, string, string]>([
    ['all well', { checks: [part('a', 'ok'), part('b', 'skipped')], total: 2 }, {}, 'up', 'up'],
    ['a part that failed', { checks: [part('a', 'failed')], total: 1 }, {}, 'down', 'unhealthy'],
    [
      'a part that failed where that is a warning',
      { checks: [part('a', 'failed')], total: 1 },
      { failed_is: 'warning' },
      'warning',
      'unhealthy',
    ],
    [
      'a part that failed and does not matter',
      { status: 'failed', checks: [part('a', 'failed'), part('b', 'ok')], total: 2 },
      { ignored: ['a'] },
      'up',
      'up',
    ],
    ['a part that is unwell', { checks: [part('a', 'warning')], total: 1 }, {}, 'warning', 'degraded'],
    ['the whole, without parts', { status: 'failed' }, {}, 'down', 'unhealthy'],
    [
      'the whole, though every part is well',
      { status: 'failed', checks: [part('a', 'ok')], total: 1 },
      {},
      'down',
      'unhealthy',
    ],
    ['the whole is unwell', { status: 'warning' }, {}, 'warning', 'degraded'],
    [
      'an error that reports its health',
      { http_status: 503, form: 'spring', status: 'failed', checks: [part('db', 'failed')], total: 1 },
      {},
      'down',
      'unhealthy',
    ],
    ['an error that reports nothing', { http_status: 503, form: null, status: null }, {}, 'down', 'wrong_status'],
    ['something else', { form: null, status: null }, {}, 'down', 'no_health_report'],
    ['as old as it may be', { finished_at: '2026-11-21T11:50:00.000Z' }, {}, 'up', 'up'],
    ['older', { finished_at: '2026-11-21T11:49:59.000Z' }, {}, 'warning', 'stale'],
    [
      'old, and failed',
      { finished_at: '2026-11-20T00:00:00.000Z', checks: [part('a', 'failed')], total: 1 },
      {},
      'down',
      'unhealthy',
    ],
    ['from the future', { finished_at: '2026-11-21T12:05:00.000Z' }, {}, 'up', 'up'],
  ])('%s', (_, more, settings, status, code) => {
    const verdict = kind.judge(kind.seen.parse({ ...seen, ...more }), kind.settings.parse(settings), {
      at,
      phases: noPhases,
    })
    expect([verdict.status, verdict.code ?? verdict.status]).toEqual([status, code])
    if (verdict.status === 'warning') expect(verdict.event).toBe('warning.application_health')
  })

  test('says which part, why, and how many more', () => {
    const checks = [part('Disk', 'failed', 'It is full.'), part('Mail', 'failed')]
    expect(
      kind.judge(kind.seen.parse({ ...seen, checks, total: 2 }), kind.settings.parse({}), { at, phases: noPhases })
        .reason,
    ).toBe('Disk: It is full, and 1 more.')
  })

  test('settings are refused where they mean nothing', () => {
    for (const settings of [
      { path: 'health' },
      { path: '//evil.example/' },
      { path: '/\\evil.example' },
      { path: '/a b' },
      { max_age_minutes: 0 },
      { max_age_minutes: 1_441 },
      { headers: { host: 'x\r\n' } },
    ])
      expect(kind.settings.safeParse(settings).success, JSON.stringify(settings)).toBe(false)
  })
})

test('a date of Oh Dear is in seconds', () => {
  expect(readReport({ finishedAt: seconds(3), checkResults: [] })?.finishedAt).toEqual(new Date(at.getTime() - 180_000))
  expect(readReport({ finishedAt: String(seconds(3)), checkResults: [] })?.finishedAt).toEqual(
    new Date(at.getTime() - 180_000),
  )
  expect(readReport({ finishedAt: 'soon', checkResults: [] })?.finishedAt).toBeNull()
})
