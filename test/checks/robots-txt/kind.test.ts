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
    ['lines of the Macs of old', 'User-agent: *\rDisallow: /', '*', '/', false],
  ])('%s', (_, text, agent, path, isAllowed) => expect(readRobots(origin, text).isAllowed(agent, path)).toBe(isAllowed))

  test('are compared by what they say', () => {
    const print = (text: string) => readRobots(origin, text).print
    expect(print('User-Agent:*\n\nDisallow: /a # why')).toBe(print('# made today\r\nuser-agent: *\r\nDISALLOW:/a'))
    expect(print('User-agent: *\nDisallow: /a')).not.toBe(print('User-agent: *\nDisallow: /A'))
    expect(changesBetween(['a', 'b'], ['b', 'c'])).toEqual({ added: ['c'], removed: ['a'] })
  })

  test('are counted and listed', () => {
    expect(readRobots(origin, 'User-agent: a\nDisallow: /x\nSitemap: https://example.com/s.xml\nwhat is this\nSitemap:\n')).toMatchObject({
      rules: 1,
      strange: 1,
      agents: ['a'],
      sitemaps: ['https://example.com/s.xml'],
    })
  })

  test('that are hostile are not followed for long', () => {
    const robots = readRobots(origin, `User-agent: *\n${`Disallow: /${'*a'.repeat(30)}\n`.repeat(8_000)}`)
    expect(robots.isAllowed('*', `/${'a'.repeat(400)}b`)).toBeNull()
    const honest = readRobots(origin, `User-agent: *\n${'Disallow: /shop/*/basket\n'.repeat(5_000)}`)
    expect(honest.isAllowed('*', '/shop/1/basket')).toBe(false)
    expect(readRobots(origin, `${':'.repeat(100_000)}\n${'\n'.repeat(100_000)}`).rules).toBe(0)
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
    ['none there where there must be', { state: 'unavailable', status: 404 }, { must_exist: true }, undefined, 'missing'],
    ['a server that fails', { state: 'unreachable', status: 503 }, {}, undefined, 'unreachable'],
    ['a web page', { is_html: true }, {}, undefined, 'not_robots_txt'],
    ['all shut out', { blocked: ['*'] }, {}, undefined, 'all_blocked'],
    ['all shut out, as is meant', { blocked: ['*'] }, { expect_blocked: true }, undefined, 'up'],
    ['some let in that are not meant to be', { blocked: ['a'] }, { expect_blocked: true, user_agents: ['a', 'b'] }, undefined, 'not_blocked'],
    ['a path that must be open', { refused: [{ agent: '*', path: '/x' }] }, { must_allow: ['/x'] }, undefined, 'path_blocked'],
    ['a path that must be open no more', { refused: [{ agent: '*', path: '/x' }] }, {}, undefined, 'up'],
    ['a path that must be closed', { open: [{ agent: '*', path: '/x' }] }, { must_disallow: ['/x'] }, undefined, 'path_open'],
    ['too long', { truncated: true }, {}, undefined, 'too_large'],
    ['too intricate', { too_complex: true }, {}, undefined, 'too_complex'],
    ['other than before', { print: 'b' }, {}, seen, 'changed'],
    ['other than before, told by the agent', { changes: { added: ['x'], removed: [] } }, {}, seen, 'changed'],
    ['other than before where that does not matter', { print: 'b' }, { detect_changes: false }, seen, 'up'],
    ['the same as before', {}, {}, seen, 'up'],
    ['after a server that failed', { print: 'b' }, {}, { ...seen, state: 'unreachable' }, 'up'],
  ])('%s', (_, more, settings, previous, code) => {
    const verdict = kind.judge(kind.seen.parse({ ...seen, ...more }), kind.settings.parse(settings), { at, phases: noPhases, previous })
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
