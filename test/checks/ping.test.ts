import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { kinds } from '#checks/index.ts'
import { parsePing, pingFrom, pingSupported } from '#checks/ping/probe.ts'
import { runCheck } from '#checks/probes.ts'
import { noPhases, RunFailure } from '#contract/check.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'

const { ping } = kinds
const guard = new Guard(parseAllowList('127.0.0.0/8'))

describe('judge', () => {
  const answered = (sent: number, received: number, avg = 10) => ({
    sent,
    received,
    min_ms: 1,
    avg_ms: received ? avg : null,
    max_ms: 20,
  })
  test.each<[string, z.input<typeof ping.seen>, z.input<typeof ping.settings>, string]>([
    ['no loss', answered(5, 5), {}, 'up'],
    ['one of five lost', answered(5, 4), {}, 'up'],
    ['two of five lost', answered(5, 3), {}, 'warning packet_loss'],
    ['four of five lost', answered(5, 1), {}, 'warning packet_loss'],
    ['all lost', answered(5, 0), {}, 'down no_reply'],
    ['all lost, whatever the limits', answered(1, 0), { warn_loss_percent: 100 }, 'down no_reply'],
    ['at the limit of down', answered(10, 5), { down_loss_percent: 50 }, 'down packet_loss'],
    ['below it', answered(10, 6), { down_loss_percent: 50 }, 'warning packet_loss'],
    ['two thirds, rounded down', answered(3, 1), { down_loss_percent: 67 }, 'warning packet_loss'],
    ['more answers than questions', answered(3, 4), {}, 'up'],
    ['as slow as allowed', answered(5, 5, 50), { degraded_after_ms: 50 }, 'up'],
    ['slower', answered(5, 5, 51), { degraded_after_ms: 50 }, 'warning slow'],
  ])('%s', (_, seen, settings, outcome) => {
    const verdict = ping.judge(seen, ping.settings.parse(settings), { at: new Date(), phases: noPhases })
    expect([verdict.status, verdict.code].filter(Boolean).join(' ')).toBe(outcome)
  })
})

test.each<[unknown, boolean]>([
  [{ packets: 10 }, true],
  [{ packets: 11 }, false],
  [{ packets: 0 }, false],
  [{ warn_loss_percent: 0 }, false],
  [{ warn_loss_percent: 101 }, false],
])('settings %j', (settings, isGood) => expect(ping.settings.safeParse(settings).success).toBe(isGood))

describe('what ping prints', () => {
  test.each([
    [
      'iputils',
      '5 packets transmitted, 5 received, 0% packet loss, time 4005ms\nrtt min/avg/max/mdev = 0.021/0.035/0.041/0.007 ms',
      { sent: 5, received: 5, min_ms: 0.021, avg_ms: 0.035, max_ms: 0.041 },
    ],
    [
      'iputils with errors',
      '4 packets transmitted, 1 received, +3 errors, 75% packet loss, time 3ms\nrtt min/avg/max/mdev = 1/1/1/0 ms',
      { sent: 4, received: 1, min_ms: 1, avg_ms: 1, max_ms: 1 },
    ],
    [
      'busybox',
      '3 packets transmitted, 2 packets received, 33% packet loss\nround-trip min/avg/max = 0.1/0.2/0.3 ms',
      { sent: 3, received: 2, min_ms: 0.1, avg_ms: 0.2, max_ms: 0.3 },
    ],
    [
      'BSD',
      '2 packets transmitted, 2 packets received, 0.0% packet loss\nround-trip min/avg/max/stddev = 10.1/11.2/12.3/0.4 ms',
      { sent: 2, received: 2, min_ms: 10.1, avg_ms: 11.2, max_ms: 12.3 },
    ],
    [
      'nothing back',
      '2 packets transmitted, 0 received, 100% packet loss, time 1001ms',
      { sent: 2, received: 0, min_ms: null, avg_ms: null, max_ms: null },
    ],
  ])('%s', (_, output, seen) => expect(parsePing(output, 5)).toEqual(seen))
})

describe('a run', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vedette-ping-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function withPing(script: string, { url = 'host://127.0.0.1', signal = AbortSignal.timeout(2_000) } = {}) {
    await writeFile(join(folder, 'ping'), `#!/bin/sh\n${script}\n`)
    await chmod(join(folder, 'ping'), 0o755)
    return pingFrom([folder])({ url }, ping.settings.parse({}), { guard, signal, now: Date.now })
  }
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => 'none',
      (error: unknown) => (error instanceof RunFailure ? error.code : String(error)),
    )

  test('passes the validated address on, never the name', async () => {
    const { seen, address } = await withPing(
      'echo "$@" > "$(dirname "$0")/asked"; echo "5 packets transmitted, 5 received"; echo "rtt min/avg/max/mdev = 1/2/3/0 ms"',
      { url: 'host://localhost' },
    )
    expect(seen).toMatchObject({ sent: 5, received: 5, avg_ms: 2 })
    expect(address).toBe('127.0.0.1')
    const { readFile } = await import('node:fs/promises')
    expect(await readFile(join(folder, 'asked'), 'utf8')).toMatch(/^-4 -n -q -c 5 -i 0.2 -W \d 127\.0\.0\.1\n$/)
  })

  test('reports what stands in its way', async () => {
    expect(await failure(withPing('echo "ping: socket: Operation not permitted" >&2; exit 2'))).toBe('unsupported')
    expect(await failure(withPing('echo "ping: connect: Network is unreachable" >&2; exit 2'))).toBe('unreachable')
    expect(await failure(withPing('echo "ping: what" >&2; exit 2'))).toBe('unexpected')
    expect(await failure(withPing('echo "ping: unrecognized option" >&2; exit 2'))).toBe('unsupported')
    expect(await failure(withPing('echo "ping: sendmsg: No buffer space available" >&2; exit 2'))).toBe('overloaded')
    expect(await failure(withPing('kill -KILL $$'))).toBe('overloaded')
    expect(await failure(withPing('exec sleep 30', { signal: AbortSignal.timeout(200) }))).toBe('timeout')
    expect(await failure(withPing('trap "" INT; sleep 1; sleep 30', { signal: AbortSignal.timeout(200) }))).toBe(
      'timeout',
    )
    expect(await failure(withPing('true', { url: 'host://10.0.0.1' }))).toBe('blocked')
  })

  test('that runs out of time reports what came back so far', async () => {
    const script =
      'trap \'echo "3 packets transmitted, 1 received, 66% packet loss"; exit 1\' INT; while :; do sleep 0.05; done'
    expect((await withPing(script, { signal: AbortSignal.timeout(200) })).seen).toMatchObject({ sent: 3, received: 1 })
  })

  test('that finds its tenant’s processes all in use waits, and says that it was ours; another tenant’s runs', async () => {
    const of = (tenant: string, signal: AbortSignal) => {
      const reach = { guard, signal, now: Date.now, tenant }
      return failure(pingFrom([folder])({ url: 'host://127.0.0.1' }, ping.settings.parse({}), reach))
    }
    await failure(withPing('exec sleep 30', { signal: AbortSignal.timeout(1) }))
    const ending = new AbortController()
    const many = Array.from({ length: 160 }, () => of('hog', ending.signal))
    expect(await of('other', AbortSignal.timeout(600))).toBe('timeout')
    ending.abort()
    const codes = await Promise.all(many)
    expect(codes.filter(code => code === 'timeout')).toHaveLength(128)
    expect(codes.filter(code => code === 'overloaded')).toHaveLength(32)
    expect(await of('hog', AbortSignal.timeout(200))).toBe('timeout')
  }, 30_000)

  test('where there is no ping says so clearly', async () => {
    const nowhere = join(folder, 'nowhere')
    expect(pingSupported([nowhere])).toBe('This region cannot ping: the program "ping" is not installed there.')
    expect(
      await failure(
        pingFrom([nowhere])({ url: 'host://127.0.0.1' }, ping.settings.parse({}), {
          guard,
          signal: AbortSignal.timeout(500),
          now: Date.now,
        }),
      ),
    ).toBe('unsupported')
  })

  test('that cannot be started is not supported, whatever error the system gives', async () => {
    const broken = await mkdtemp(join(tmpdir(), 'vedette-ping-'))
    const program = join(broken, 'ping')
    const reach = { guard, signal: AbortSignal.timeout(5_000), now: Date.now }
    const run = () => pingFrom([broken])({ url: 'host://127.0.0.1' }, ping.settings.parse({}), reach)
    const why = (code: string) => `This region cannot ping: the program "ping" cannot be started (${code}).`
    // interpreted by itself: an error that Node throws, as it does EPERM
    await writeFile(program, `#!${program}\n`, { mode: 0o755 })
    await expect(run()).rejects.toMatchObject({ name: 'RunFailure', code: 'unsupported', message: why('ELOOP') })
    // interpreted by a folder: one that Node emits
    await writeFile(program, `#!${broken}\n`)
    await expect(run()).rejects.toMatchObject({ code: 'unsupported', message: why('EACCES') })
    await rm(broken, { recursive: true })
  })

  test.runIf(pingSupported() === null)('with the real ping reaches loopback', async () => {
    const result = await runCheck('ping', { url: 'host://127.0.0.1' }, ping.settings.parse({ packets: 2 }), {
      guard,
      timeoutMs: 4_000,
      now: Date.now,
    })
    if (result.fault) return expect(result.fault.code).toBe('unsupported') // a machine may have ping and forbid it
    expect(result.seen).toMatchObject({ sent: 2, received: 2 })
    expect(ping.responseMs?.(ping.seen.parse(result.seen), result.phases)).toBeGreaterThan(0)
  })
})
