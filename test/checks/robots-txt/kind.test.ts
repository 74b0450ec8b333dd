import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { kinds } from '#checks/index.ts'
import { changesBetween, readRobots } from '#checks/robots-txt/rules.ts'
import { noPhases } from '#contract/check.ts'

const kind = kinds.robots_txt
const at = new Date('2026-11-21T12:00:00Z')
const origin = 'https://example.com'

describe('the rules', () => {
  test.each<[string, string, string, string, boolean]>([
    ['nothing said', '', '*', '/', true],
    ['nothing disallowed', 'User-agent: *\nDisallow:', '*', '/a', true],
    ['everything disallowed', 'User-agent: *\nDisallow: /', '*', '/', false],
    ['a name of its own', 'User-agent: *\nDisallow: /\n\nUser-agent: googlebot\nDisallow:', 'Googlebot', '/', true],
    ['a name, in another case and with a version', 'User-agent: GoogleBot\nDisallow: /', 'googlebot/2.1', '/', false],
    ['groups of the same name are one', 'User-agent: a\nDisallow: /x\nUser-agent: a\nDisallow: /y', 'a', '/y', false],
    ['several names before the rules', 'User-agent: a\nUser-agent: b\nDisallow: /', 'a', '/', false],
    ['the longest rule wins', 'User-agent: *\nDisallow: /shop\nAllow: /shop/open', '*', '/shop/open/1', true],
    ['of rules alike, allow wins', 'User-agent: *\nDisallow: /a\nAllow: /a', '*', '/a', true],
    ['a star stands for anything', 'User-agent: *\nDisallow: /*.pdf$', '*', '/x/y.pdf', false],
    ['a dollar is the end', 'User-agent: *\nDisallow: /*.pdf$', '*', '/x/y.pdf?z', true],
    ['comments say nothing', 'User-agent: * # all\nDisallow: / # closed', '*', '/', false],
    ['a named group without rules', 'User-agent: a\nDisallow:\n\nUser-agent: *\nDisallow: /', 'a', '/x', true],
    ['a rule before any name', 'Disallow: /\nUser-agent: *\nAllow: /x', '*', '/y', true],
    [
      'a sitemap between two names',
      'User-agent: a\nSitemap: https://example.com/s\nUser-agent: b\nDisallow: /',
      'a',
      '/',
      false,
    ],
    ['escapes in either case', 'User-agent: *\nDisallow: /%c3%a9', '*', '/%C3%A9t%C3%A9', false],
    ['letters beyond ASCII', 'User-agent: *\nDisallow: /café', '*', '/caf%C3%A9/menu', false],
    ['a star before the end', 'User-agent: *\nDisallow: /a*b$', '*', '/axbxb', false],
    ['a star before the end, and more after it', 'User-agent: *\nDisallow: /a*b$', '*', '/axbxbc', true],
    ['a dollar in the middle', 'User-agent: *\nDisallow: /a$b', '*', '/a$b/c', false],
    ['stars only', 'User-agent: *\nDisallow: /***', '*', '/', false],
    ['a query', 'User-agent: *\nDisallow: /*?sort=', '*', '/list?sort=up', false],
    ['lines of the Macs of old', 'User-agent: *\rDisallow: /', '*', '/', false],
  ])('%s', (_, text, agent, path, isAllowed) => expect(readRobots(text).isAllowed(agent, path)).toBe(isAllowed))

  test('are compared by what they say', () => {
    const print = (text: string) => readRobots(text).print
    expect(print('User-Agent:*\n\nDisallow: /a # why')).toBe(print('# made today\r\nuser-agent: *\r\nDISALLOW:/a'))
    expect(print('User-agent: *\nDisallow: /a')).not.toBe(print('User-agent: *\nDisallow: /A'))
    expect(changesBetween(['a', 'b'], ['b', 'c'])).toEqual({ added: ['c'], removed: ['a'] })
  })

  test('are counted and listed', () => {
    expect(
      readRobots('User-agent: a\nDisallow: /x\nSitemap: https://example.com/s.xml\nwhat is this\nSitemap:\n'),
    ).toMatchObject({
      rules: 1,
      strange: 1,
      agents: ['a'],
      sitemaps: ['https://example.com/s.xml'],
    })
  })

  test('that are hostile are not followed for long', () => {
    const robots = readRobots(`User-agent: *\n${`Disallow: /${'*a'.repeat(30)}\n`.repeat(8_000)}`)
    expect(robots.isAllowed('*', `/${'a'.repeat(400)}b`)).toBeNull()
    const honest = readRobots(`User-agent: *\n${'Disallow: /shop/*/basket\n'.repeat(5_000)}`)
    expect(honest.isAllowed('*', '/shop/1/basket')).toBe(false)
    expect(readRobots(`${':'.repeat(100_000)}\n${'\n'.repeat(100_000)}`).rules).toBe(0)
  })
})

describe('a file of 512 KB made to be expensive', () => {
  const size = 512_000
  const fill = (line: string) => line.repeat(Math.floor(size / line.length))
  const agents = Array.from({ length: 10 }, (_, n) => `robot-${n}`)
  const path = (n: number) => `/${'a'.repeat(470)}${n}`
  const stacked = Array.from({ length: 15_000 }, (_, n) => `User-agent: r${n}\n`).join('')

  test.each<[string, string]>([
    ['of rules that all match', `User-agent: *\n${fill('Disallow: /a\n')}`],
    ['of rules that nearly match', `User-agent: *\n${fill(`Disallow: /${'a'.repeat(200)}b\n`)}`],
    ['of stars', `User-agent: *\n${fill(`Disallow: /${'*a'.repeat(100)}b\n`)}`],
    ['of crawlers that share all rules', `${stacked}${'Disallow: /a\n'.repeat(18_000)}`],
    ['of nothing', '\n'.repeat(size)],
  ])('%s costs little', (_, text) => {
    const before = process.threadCpuUsage()
    const robots = readRobots(text)
    for (const agent of agents) for (let n = 0; n < 40; n++) robots.isAllowed(agent, path(n))
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1_000, 'milliseconds of the processor').toBeLessThan(400)
  })

  test('is followed as far as five thousand rules go', () => {
    const rules = (count: number) => Array.from({ length: count }, (_, n) => `Disallow: /shop/${n}/\n`).join('')
    expect(readRobots(`User-agent: *\n${rules(5_000)}`).isAllowed('*', '/shop/4999/x')).toBe(false)
    expect(readRobots(`User-agent: *\n${rules(5_001)}`).isAllowed('*', '/shop/1/x')).toBeNull()
    expect(readRobots(`${rules(20_000)}User-agent: *\nDisallow: /`).isAllowed('*', '/')).toBe(false)
  })
})

describe('judge', () => {
  type Seen = z.input<typeof kind.seen>
  type Settings = z.input<typeof kind.settings>
  const seen: Seen = {
    url: `${origin}/robots.txt`,
    status: 200,
    state: 'read',
    bytes: 10,
    truncated: false,
    too_complex: false,
    is_html: false,
    print: 'a',
    rules: 1,
    strange_lines: 0,
    agents: ['*'],
    sitemaps: [],
    blocked: [],
    refused: [],
    open: [],
  }
  test.each<[string, Partial<Seen>, Settings, unknown, string]>([
    ['all well', {}, {}, undefined, 'up'],
    ['none there', { state: 'unavailable', status: 404 }, {}, undefined, 'up'],
    [
      'none there where there must be',
      { state: 'unavailable', status: 404 },
      { must_exist: true },
      undefined,
      'missing',
    ],
    ['a server that fails', { state: 'unreachable', status: 503 }, {}, undefined, 'unreachable'],
    ['a web page', { is_html: true }, {}, undefined, 'not_robots_txt'],
    ['all shut out', { blocked: ['*'] }, {}, undefined, 'all_blocked'],
    ['all shut out, as is meant', { blocked: ['*'] }, { expect_blocked: true }, undefined, 'up'],
    [
      'some let in that are not meant to be',
      { blocked: ['a'] },
      { expect_blocked: true, user_agents: ['a', 'b'] },
      undefined,
      'not_blocked',
    ],
    [
      'a path that must be open',
      { refused: [{ agent: '*', path: '/x' }] },
      { must_allow: ['/x'] },
      undefined,
      'path_blocked',
    ],
    ['a path that must be open no more', { refused: [{ agent: '*', path: '/x' }] }, {}, undefined, 'up'],
    [
      'a path that must be closed',
      { open: [{ agent: '*', path: '/x' }] },
      { must_disallow: ['/x'] },
      undefined,
      'path_open',
    ],
    ['too long', { truncated: true }, {}, undefined, 'too_large'],
    ['too intricate', { too_complex: true }, {}, undefined, 'too_complex'],
    ['other than before', { print: 'b' }, {}, seen, 'changed'],
    ['other than before, reported by the agent', { changes: { added: ['x'], removed: [] } }, {}, seen, 'changed'],
    ['other than before where that does not matter', { print: 'b' }, { detect_changes: false }, seen, 'up'],
    ['the same as before', {}, {}, seen, 'up'],
    ['after a server that failed', { print: 'b' }, {}, { ...seen, state: 'unreachable' }, 'up'],
  ])('%s', (_, more, settings, previous, code) => {
    const verdict = kind.judge(kind.seen.parse({ ...seen, ...more }), kind.settings.parse(settings), {
      at,
      phases: noPhases,
      previous,
    })
    expect(verdict.code ?? verdict.status).toBe(code)
    if (verdict.status === 'warning') expect(verdict.event).toBe('warning.robots_txt')
  })

  test('settings are refused where they mean nothing', () => {
    for (const settings of [
      { user_agents: [] },
      { user_agents: ['a:b'] },
      { must_allow: ['x'] },
      { must_allow: Array(21).fill('/') },
      { must_disallow: ['/ x'] },
    ])
      expect(kind.settings.safeParse(settings).success, JSON.stringify(settings)).toBe(false)
  })
})
