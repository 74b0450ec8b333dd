import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '#control-plane/base/refusal.ts'
import type { Config } from '#control-plane/config.ts'
import { refuseWeakPassword } from '#control-plane/identity/users/password-policy.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'

const strong = 'mild otters juggle seven kettles'
const guard = new Guard(parseAllowList('127.0.0.0/8'))
let nowMs = Date.now()

/** The code of the refusal, or null for a password that is taken. */
async function judge(
  password: string,
  { words = [], ...breachedPasswords }: { words?: string[]; folder?: string; rangeUrl?: string } = {},
) {
  const config = { breachedPasswords } as unknown as Config
  const clock = { nowMs: () => nowMs, now: () => new Date(nowMs) }
  try {
    await refuseWeakPassword({ config, guard, log: pino({ level: 'silent' }), clock }, 'password', password, words)
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    expect([error.status, Object.keys(error.errors ?? {})]).toEqual([422, ['password']])
    return error.code
  }
}

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase()

describe('length', () => {
  test.each([
    ['', 'password_short'],
    ['kQ8#vN2$xR5', 'password_short'],
    ['kQ8#vN2$xR5!', null],
    // code points, not units: six satellites are six characters
    ['🛰️🛰️🛰️🛰️', 'password_short'],
    ['ライオンと七つの古い湯沸かし', null],
    // eleven once it is brought to one form
    ['ﬁve otters', 'password_short'],
  ])('%j: %s', async (password, code) => expect(await judge(password)).toBe(code))

  test('at most a thousand characters', async () => {
    const long = Array.from({ length: 1_001 }, (_, index) => String.fromCharCode(33 + ((index * 37) % 90))).join('')
    expect(await judge(long)).toBe('password_long')
    expect(await judge(long.slice(1))).toBe(null)
    expect(await judge('ﷺ'.repeat(1_000))).toBe('password_long')
  })

  test('the longest takes no longer than its beginning: under 50 ms of computing each', async () => {
    const hard = [
      'a'.repeat(1_000),
      'Pa55w0rd!'.repeat(111),
      '4@8({[<3€6#9&!|1'.repeat(62),
      'x1X'.repeat(333),
      '01011990'.repeat(125),
      '($0!|@§'.repeat(142),
    ]
    for (const password of hard) await judge(password)
    const spent = []
    for (const password of hard) {
      const before = process.cpuUsage()
      await judge(password)
      const { user, system } = process.cpuUsage(before)
      spent.push((user + system) / 1_000)
    }
    console.log(`judging 1,000 characters: at most ${Math.max(...spent).toFixed(1)} ms of computing`)
    expect(Math.max(...spent)).toBeLessThan(50)
  })
})

describe('strength', () => {
  test.each([
    'Password1234!',
    'passwordpassword',
    'qwertyuiop123456',
    'aaaaaaaaaaaaaaaaaaaaaaaa',
    '123456789012',
    'abcdefghijkl',
    'P@ssw0rd2024',
    'iloveyou123456',
  ])('%s is too easy', async password => expect(await judge(password)).toBe('password_weak'))
  test.each([strong, 'correct horse battery staple', 'x7Kq!m2Wp#9z', 'äußerst-fröhliche-Öltanks-19'])(
    '%s will do',
    async password => expect(await judge(password)).toBe(null),
  )
})

describe('public data of the owner', () => {
  const words = ['Acme Kettles GmbH', 'Northwind', 'Jo Wilhelmina O’Neil', 'jo.wilhelmina@mail.fabrikam.test']
  test.each([
    'acme-otters-juggle-seven',
    'seven ACME otters juggle',
    'otters juggle NorthWind 77',
    'four fabrikam otters jump',
    'the ａｃｍｅ otters juggle',
    'a.c.m.e otters juggle seven',
    'wilhelmina otters juggle',
  ])('%s is refused', async password => expect(await judge(password, { words })).toBe('password_context'))

  test('short words and the end of an address are allowed', async () => {
    expect(await judge('the test otters juggle jobs', { words })).toBe(null)
    expect(await judge(strong, { words: ['', 'x', '@', 'a@b'] })).toBe(null)
  })
})

describe('lists of breached passwords in a folder', () => {
  let folder = ''
  let sorted = ''
  const listed = 'kQ8#vN2$xR5!'
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vedette-breached-'))
    const hash = sha1(listed)
    await writeFile(
      join(folder, `${hash.slice(0, 5)}.txt`),
      `${'0'.repeat(35)}:3\r\n${hash.slice(5)}:12\r\n${'F'.repeat(35)}:1\r\n`,
    )
    sorted = await mkdtemp(join(tmpdir(), 'vedette-breached-'))
    const lines = Array.from({ length: 40_000 }, (_, index) => sha1(`known ${index}`)).sort()
    await writeFile(join(sorted, 'pwnedpasswords.txt'), `${lines.map(line => `${line}:7`).join('\r\n')}\r\n`)
  })
  afterAll(() => Promise.all([folder, sorted].map(each => rm(each, { recursive: true }))))

  test('a file for each prefix', async () => {
    expect(await judge(listed, { folder })).toBe('password_breached')
    expect(await judge(listed)).toBe(null)
    expect(await judge(strong, { folder })).toBe(null)
  })

  test('its twin in full-width letters is the same password', async () => {
    const twin = [...listed].map(letter => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join('')
    expect(twin.normalize('NFKC')).toBe(listed)
    expect(await judge(twin, { folder })).toBe('password_breached')
  })

  test('one sorted file, from its first line to its last', async () => {
    const known = Array.from({ length: 40_000 }, (_, index) => `known ${index}`).sort((a, b) =>
      sha1(a) < sha1(b) ? -1 : 1,
    )
    const { findSuffix } = await import('#control-plane/identity/users/breach-files.ts')
    const find = (text: string) => findSuffix(sorted, sha1(text).slice(0, 5), sha1(text).slice(5))
    for (const text of [
      known[0]!,
      known[1]!,
      known[20_000]!,
      known[39_998]!,
      known[39_999]!,
      ...known.filter((_, index) => index % 997 === 0),
    ])
      expect(await find(text), text).toBe(true)
    for (let i = 0; i < 50; i++) expect(await find(`unknown ${i}`)).toBe(false)
  })

  test('an unreadable folder refuses no password', async () => {
    expect(await judge(strong, { folder: join(folder, 'not-there') })).toBe(null)
  })
})

describe('a service asked by k-anonymity', () => {
  const listed = 'vX3&tM7*zL1?'
  const asked: IncomingMessage[] = []
  let mode: 'answers' | 'fails' | 'hangs' = 'answers'
  const server = createServer((request, response) => {
    asked.push(request)
    if (mode === 'hangs') return
    if (mode === 'fails') return void response.writeHead(500).end()
    response.end(`${'0'.repeat(35)}:9\r\n${sha1(listed).slice(5)}:42\r\n${sha1(strong).slice(5)}:0\r\n`)
  })
  let rangeUrl = ''
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    rangeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/range/`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  test('five hex digits leave, padded; a line of padding is no hit', async () => {
    expect(await judge(listed, { rangeUrl })).toBe('password_breached')
    expect(await judge(strong, { rangeUrl })).toBe(null)
    expect(asked.map(request => request.url)).toEqual([
      `/range/${sha1(listed).slice(0, 5)}`,
      `/range/${sha1(strong).slice(0, 5)}`,
    ])
    for (const { headers, method } of asked) {
      expect([method, headers['add-padding']]).toEqual(['GET', 'true'])
      expect(JSON.stringify(headers)).not.toContain(sha1(listed).slice(5, 12))
    }
  })

  test('a service that fails or hangs refuses no password, and is not asked for half a minute', async () => {
    for (const trouble of ['fails', 'hangs'] as const) {
      nowMs += 60_000
      mode = trouble
      asked.length = 0
      expect(await judge(listed, { rangeUrl })).toBe(null)
      expect(await judge(listed, { rangeUrl })).toBe(null)
      expect(asked).toHaveLength(1)
      mode = 'answers'
      nowMs += 31_000
      expect(await judge(listed, { rangeUrl })).toBe('password_breached')
    }
  })

  test('is reached through the guard: no address of the inside', async () => {
    nowMs += 60_000
    asked.length = 0
    const config = { breachedPasswords: { rangeUrl } } as unknown as Config
    const clock = { nowMs: () => nowMs, now: () => new Date(nowMs) }
    await refuseWeakPassword(
      { config, guard: new Guard(), log: pino({ level: 'silent' }), clock },
      'password',
      listed,
      [],
    )
    expect(asked).toEqual([])
  })
})
