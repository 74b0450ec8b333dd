import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { kinds } from '#checks/index.ts'
import { noPhases } from '#contract/check.ts'

const kind = kinds.redirect_chain
const at = new Date('2026-11-21T12:00:00Z')
type Seen = z.input<typeof kind.seen>
type Settings = z.input<typeof kind.settings>

const hop = (url: string, status = 301) => ({
  url,
  status,
  protocol: 'HTTP/1.1',
  tls: url.startsWith('https') ? 'TLSv1.3' : null,
  ms: 1,
})
const arrived = (...urls: string[]): Seen => ({
  hops: urls.map((url, index) => hop(url, index === urls.length - 1 ? 200 : 301)),
  end: 'arrived',
  final_url: urls.at(-1) ?? '',
  failure: null,
})
const a = 'http://a.example/'
const b = 'https://a.example/'
const c = 'https://www.a.example/'
const broken = (code: 'refused' | 'blocked' | 'internal'): Seen => ({
  hops: [hop(a)],
  end: 'failed',
  final_url: b,
  failure: { code, phase: 'connect', message: 'It was not to be.' },
})

describe('judge', () => {
  test.each<[string, Seen, Settings, unknown, string, string]>([
    ['no redirect at all', arrived(b), {}, undefined, 'up', 'up'],
    ['to https and on', arrived(a, b, c), {}, undefined, 'up', 'up'],
    ['as many as allowed', arrived(a, b, c), { max_hops: 2 }, undefined, 'up', 'up'],
    ['one more', arrived(a, b, c), { max_hops: 1 }, undefined, 'warning', 'chain_too_long'],
    ['none allowed', arrived(a, b), { max_hops: 0 }, undefined, 'warning', 'chain_too_long'],
    ['a circle', { ...arrived(a, b), end: 'loop', final_url: a }, {}, undefined, 'down', 'redirect_loop'],
    ['no end', { ...arrived(a, b), end: 'too_many' }, {}, undefined, 'down', 'too_many_redirects'],
    ['back to http', arrived(b, a), {}, undefined, 'warning', 'downgrade'],
    ['back to http on the way', arrived(b, a, c), {}, undefined, 'warning', 'downgrade'],
    ['back to http where it may be', arrived(b, a), { allow_downgrade: true }, undefined, 'up', 'up'],
    ['to where it should', arrived(a, c), { final_url: c }, undefined, 'up', 'up'],
    ['to where it should, with a query', arrived(a, `${c}?session=1`), { final_url: c }, undefined, 'up', 'up'],
    [
      'to where it should, with another query',
      arrived(a, `${c}?l=de`),
      { final_url: `${c}?l=en` },
      undefined,
      'warning',
      'unexpected_final_url',
    ],
    ['elsewhere', arrived(a, b), { final_url: c }, undefined, 'warning', 'unexpected_final_url'],
    ['elsewhere than before', arrived(a, c), {}, arrived(a, b), 'warning', 'final_url_changed'],
    [
      'elsewhere than before, reported by the agent',
      { ...arrived(a, c), replaced: b },
      {},
      arrived(a, c),
      'warning',
      'final_url_changed',
    ],
    [
      'elsewhere than before where that does not matter',
      arrived(a, c),
      { detect_changes: false },
      arrived(a, b),
      'up',
      'up',
    ],
    ['elsewhere than before, yet where it should', arrived(a, c), { final_url: c }, arrived(a, b), 'up', 'up'],
    ['with another query than before', arrived(a, `${c}?t=2`), {}, arrived(a, `${c}?t=1`), 'up', 'up'],
    ['after a chain that did not end', arrived(a, c), {}, broken('refused'), 'up', 'up'],
    [
      'to a page that is not there',
      { ...arrived(a, b), hops: [hop(a), hop(b, 404)] },
      {},
      undefined,
      'warning',
      'final_status',
    ],
    ['to a host that refuses', broken('refused'), {}, undefined, 'down', 'refused'],
    ['to an address inside', broken('blocked'), {}, undefined, 'warning', 'blocked'],
    ['to what we could not request', broken('internal'), {}, undefined, 'unknown', 'internal'],
  ])('%s', (_, seen, settings, previous, status, code) => {
    const verdict = kind.judge(kind.seen.parse(seen), kind.settings.parse(settings), { at, phases: noPhases, previous })
    expect([verdict.status, verdict.code ?? verdict.status]).toEqual([status, code])
    if (verdict.status === 'warning') expect(verdict.event).toBe('warning.redirect_chain')
  })

  test('slow chains are a warning where that is asked for', () => {
    const verdict = kind.judge(kind.seen.parse(arrived(a, b)), kind.settings.parse({ degraded_after_ms: 99 }), {
      at,
      phases: { ...noPhases, total: 100 },
    })
    expect(verdict.code).toBe('slow')
  })

  test('settings are refused where they mean nothing', () => {
    for (const settings of [
      { max_hops: 21 },
      { max_hops: -1 },
      { final_url: 'ftp://a.example/' },
      { final_url: 'nowhere' },
      { timeout_ms: 99 },
    ])
      expect(kind.settings.safeParse(settings).success, JSON.stringify(settings)).toBe(false)
    expect(kind.settings.parse({ final_url: 'https://a.example/b?c' }).final_url).toBe('https://a.example/b?c')
  })
})
