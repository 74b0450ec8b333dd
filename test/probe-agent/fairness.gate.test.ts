import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { systemLookup } from '#egress/names.ts'
import { a, DnsServer } from '#test/egress/dns-server.ts'
import { assignmentOf } from './fake-control-plane.ts'
import { type Rig, test, until } from './rig.ts'

const bad = { interval_ms: 1_000, timeout_ms: 1_000 }
const wellEveryMs = 2_000
const runs = 8

/** Four hundred monitors of one tenant first, eight of others when that has begun: each of these must have its runs. */
async function expectRuns(
  rig: Rig,
  urlOf: (path: string) => string,
  start: () => Promise<unknown>,
  hasBegun: () => boolean,
) {
  const hog = randomUUID()
  rig.plane.assign(...Array.from({ length: 400 }, (_, n) => assignmentOf(urlOf(`bad-${n}`), { tenant: hog, ...bad })))
  const well = Array.from({ length: 8 }, (_, n) =>
    assignmentOf(urlOf(`well-${n}`), { tenant: randomUUID(), interval_ms: wellEveryMs, timeout_ms: 10_000 }),
  )
  await start()
  await until(hasBegun, 15_000, 'the first runs')
  rig.plane.assign(...well)
  await until(() => well.every(({ check }) => rig.plane.of(check).length >= 1), 30_000, 'a run of each newcomer')
  await until(() => well.every(({ check }) => rig.plane.of(check).length >= runs), 90_000, 'runs of each newcomer')
  for (const { check } of well) {
    const results = rig.plane.of(check)
    expect(results.filter(({ seen }) => seen?.status === 200).length, 'runs that were answered').toBe(results.length)
    const dues = results.filter(({ attempt }) => attempt === 0).map(({ due }) => due)
    expect(
      dues.length / ((dues.at(-1)! - dues[0]!) / wellEveryMs + 1),
      'share of the runs that were due',
    ).toBeGreaterThanOrEqual(0.8)
  }
}

describe.concurrent('an agent with few slots runs the checks of one tenant beside hundreds of another', () => {
  for (const mood of ['hang', 'drip', 'reset'] as const)
    test(`whose targets ${mood}`, async ({ rig }) => {
      rig.target.answer = (response, path) => {
        if (path.startsWith('/well')) return response.end('ok')
        if (mood === 'reset') return response.socket?.resetAndDestroy()
        if (mood === 'drip') response.writeHead(200, { 'content-length': '1000' }).write('.')
      }
      const start = () => rig.agent({ MAX_IN_FLIGHT: '60' })
      await expectRuns(
        rig,
        path => rig.target.url(path),
        start,
        () => rig.target.log.length >= 15,
      )
    }, 180_000)

  test('whose names time out', async ({ rig, onTestFinished }) => {
    const dns = await DnsServer.open((name, type) =>
      name.startsWith('bad-') ? 'silent' : type === 'A' ? a(name, '127.0.0.1') : [],
    )
    onTestFinished(() => dns.close())
    const guard = new Guard(parseAllowList('127.0.0.0/8'), { lookup: systemLookup({ servers: [dns.address] }) })
    await expectRuns(
      rig,
      path => `http://${path}.test:${rig.target.port}/${path}`,
      () => rig.agent({ MAX_IN_FLIGHT: '60' }, { guard }),
      () => dns.asked.length >= 15,
    )
  }, 180_000)
})
