import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect } from 'vitest'
import { type Assignment, agentPaths, type Result } from '#contract/agent.ts'
import { shardCount, shardOf } from '#contract/shards.ts'
import { Identity } from '#probe-agent/identity.ts'
import type { RunningAgent } from '#probe-agent/main.ts'
import { Spool } from '#probe-agent/spool.ts'
import { assignmentOf, type FakeControlPlane, type Stored } from './fake-control-plane.ts'
import { type Rig, test, until } from './rig.ts'

const all = Array.from({ length: shardCount }, (_, shard) => shard)
const lower = all.slice(0, shardCount / 2)
const upper = all.slice(shardCount / 2)

const tenantOf = (shard: number) => `${randomUUID().slice(0, -2)}${shard.toString(16).padStart(2, '0')}`

interface Owners {
  a: FakeControlPlane
  b: FakeControlPlane
  /** Of the lower shards, which `a` owns at first, and of the upper ones. */
  checksOfA: Assignment[]
  checksOfB: Assignment[]
}

/** Two owners that know the same checks, listed by the address the agent is given. */
async function twoOwners(rig: Rig, count = 10, changes: Partial<Assignment> = {}): Promise<Owners> {
  const [a, b] = [await rig.owner(lower), await rig.owner(upper)]
  rig.plane.owners = [a.url, b.url]
  const checksOf = (name: string, shards: number[]) =>
    Array.from({ length: count }, (_, n) =>
      assignmentOf(rig.target.url(`${name}${n}`), { tenant: tenantOf(shards[(n * 7) % shards.length]!), ...changes }),
    )
  const checksOfA = checksOf('a', lower)
  const checksOfB = checksOf('b', upper)
  for (const plane of [a, b]) plane.assign(...checksOfA, ...checksOfB)
  return { a, b, checksOfA, checksOfB }
}

const shardsOf = (plane: FakeControlPlane) => new Set(plane.results.map(({ shard }) => shard!))
const keysOf = (plane: FakeControlPlane, isWanted: (stored: Stored) => boolean = () => true) =>
  [...plane.stored].filter(([, stored]) => isWanted(stored)).map(([key]) => key)
const expectOnce = (...planes: FakeControlPlane[]) => {
  const keys = planes.flatMap(plane => keysOf(plane))
  expect(new Set(keys).size).toBe(keys.length)
  for (const plane of planes) expect(keysOf(plane, ({ times }) => times > 1)).toEqual([])
}
/** Leaves results on the disk of the agent, as an earlier boot does. */
async function fillSpool(rig: Rig, count: number, resultOf: (seq: number) => Result) {
  const { secret } = await Identity.open(join(rig.dir, 'agent'), 'eu-west')
  const dir = join(rig.dir, 'agent', 'spool')
  const spool = await Spool.open({ dir, boot: randomUUID(), secret, maxBytes: 50_000_000, freshBytes: 0 })
  for (let n = 0; n < count; n++) {
    const { seq, shard, ...rest } = resultOf(spool.nextSeq())
    spool.append(seq, JSON.stringify({ seq, shard, ...rest }), false)
    if (n % 1_000 === 0) await sleep(2)
  }
  await spool.close()
}

const areServed = ({ a, b }: Owners) => a.results.length >= 20 && b.results.length >= 20

describe.concurrent('an agent with two owners', () => {
  test('delivers to each the results of its shards alone, once, under its own generation', async ({ rig }) => {
    const owners = await twoOwners(rig)
    const { a, b, checksOfA, checksOfB } = owners
    a.generation = 40
    b.revision = 70
    const agent = await rig.agent()
    await until(() => areServed(owners))
    expect(agent.figures()).toMatchObject({ checks: 20, isConnected: true, isActive: true })
    await rig.stop(agent)
    for (const shard of shardsOf(a)) expect(lower).toContain(shard)
    for (const shard of shardsOf(b)) expect(upper).toContain(shard)
    for (const { check, tenant } of checksOfA) expect(a.of(check).map(({ shard }) => shard)).toContain(shardOf(tenant))
    for (const { check } of checksOfB) expect(b.of(check).length).toBeGreaterThan(0)
    expectOnce(a, b)
    expect([a.generation, b.generation]).toEqual([41, 1])
    expect(new Set(a.healths.map(({ revision }) => revision)).has(b.revision)).toBe(false)
    expect(b.healths.at(-1)?.revision).toBe(b.revision)
    expect(agent.figures()).toMatchObject({ spooled: 0, accepted: agent.figures().runs })
    expect(rig.plane.results).toEqual([])
    for (const plane of [rig.plane, a, b]) expect([...plane.ownersHeaders]).toEqual(['1'])
    expect([rig.plane.enrolled.size, a.tokenRequests, b.tokenRequests]).toEqual([1, 1, 1])
  })

  test('delivers what a dead owner did not take to the one that owns its shards now', async ({ rig }) => {
    const owners = await twoOwners(rig)
    const { a, b } = owners
    const agent = await rig.agent()
    await until(() => areServed(owners))
    await a.cut()
    await sleep(3_000)
    expect(agent.figures().checks).toBe(20)
    expect(agent.figures().isConnected).toBe(false)
    for (const shard of shardsOf(b)) expect(upper).toContain(shard)
    rig.plane.owners = [b.url]
    b.own(all)
    await until(() => agent.figures().isConnected, 10_000, 'the session of the dead owner to end')
    await until(() => agent.figures().spooled < 25, 10_000, 'its results to be taken')
    await rig.stop(agent)
    const acknowledged = keysOf(a, ({ isAcknowledged }) => isAcknowledged)
    expect(acknowledged.filter(key => b.stored.has(key))).toEqual([])
    const stored = new Set([...keysOf(a), ...keysOf(b)])
    expect(stored.size).toBe(agent.figures().runs)
    expect(agent.figures()).toMatchObject({ spooled: 0, dropped: 0, corrupt: 0 })
    // the counters of the closed session stay
    expect(agent.figures().accepted).toBeGreaterThanOrEqual(acknowledged.length + b.stored.size)
    expect(keysOf(b, ({ times }) => times > 1)).toEqual([])
  })

  test('is not delayed by one that does not answer', async ({ rig }) => {
    const owners = await twoOwners(rig)
    const { a, b } = owners
    const agent = await rig.agent()
    await until(() => areServed(owners))
    a.hangs = true
    a.isMute = true
    const before = b.results.length
    await sleep(4_000)
    const late = [...b.stored.values()].slice(before).map(({ result, receivedAt }) => receivedAt - result.at)
    expect(late.length).toBeGreaterThan(10)
    expect(Math.max(...late)).toBeLessThan(3_500)
    // its shards move to the other, and what it did not answer with them
    rig.plane.owners = [b.url]
    b.own(all)
    await until(() => agent.figures().spooled < 25, 10_000, 'all results to be taken')
    await rig.stop(agent)
    expect(new Set([...keysOf(a), ...keysOf(b)]).size).toBe(agent.figures().runs)
    expect(agent.figures()).toMatchObject({ spooled: 0, dropped: 0, corrupt: 0 })
  })

  test('keeps the results of each check in order while shards move between owners', async ({ rig }) => {
    const owners = await twoOwners(rig)
    const { a, b, checksOfA, checksOfB } = owners
    const agent = await rig.agent()
    await until(() => areServed(owners))
    for (let round = 0; round < 8; round++) {
      const border = Math.floor(Math.random() * shardCount)
      const [first, second] = round % 2 ? [a, b] : [b, a]
      first.own(first === a ? all.slice(0, border) : all.slice(border))
      await sleep(Math.random() * 300)
      second.own(second === a ? all.slice(0, border) : all.slice(border))
      await sleep(500 + Math.random() * 700)
    }
    await until(() => agent.figures().spooled < 25, 10_000, 'all results to be taken')
    await rig.stop(agent)
    expect(agent.figures()).toMatchObject({ spooled: 0, dropped: 0, corrupt: 0 })
    expect(new Set([...keysOf(a), ...keysOf(b)]).size).toBe(agent.figures().runs)
    const received = [...a.stored.values(), ...b.stored.values()].sort((x, y) => x.receivedAt - y.receivedAt)
    for (const { check } of [...checksOfA, ...checksOfB]) {
      const dues = received.filter(({ result }) => result.check === check).map(({ result }) => result.due)
      expect(dues.length).toBeGreaterThan(3)
      expect(dues).toEqual(dues.toSorted((x, y) => x - y))
    }
  })

  test('continues while the directory is away, and while it has no answer', async ({ rig }) => {
    const owners = await twoOwners(rig)
    const { a, b } = owners
    const agent = await rig.agent()
    await until(() => areServed(owners))
    await rig.plane.cut()
    const before = [a.results.length, b.results.length] as const
    await until(() => a.results.length > before[0] + 20 && b.results.length > before[1] + 20)
    expect(agent.figures()).toMatchObject({ checks: 20, isConnected: true })
    await rig.plane.heal()
    rig.plane.hangs = true
    const later = a.results.length
    await until(() => a.results.length > later + 20)
    expect(agent.figures()).toMatchObject({ checks: 20, isConnected: true })
    expect([a.generation, b.generation]).toEqual([1, 1])
  })

  test('begins with the owners of its last list while the address it was given is away', async ({ rig }) => {
    const owners = await twoOwners(rig)
    const { a, b } = owners
    const first = await rig.agent()
    await until(() => areServed(owners))
    await rig.stop(first)
    await rig.plane.cut()
    const before = [a.results.length, b.results.length] as const
    const agent = await rig.agent()
    await until(() => a.results.length > before[0] + 20 && b.results.length > before[1] + 20)
    expect(agent.figures()).toMatchObject({ checks: 20, isConnected: true })
  })

  test('pauses the checks of one owner alone when another agent serves the region there', async ({ rig }) => {
    const owners = await twoOwners(rig, 3)
    const { a, b } = owners
    a.leaseMs = 60_000
    const agent = await rig.agent()
    await until(() => a.results.length >= 6 && b.results.length >= 6)
    a.fence()
    await until(() => agent.figures().checks === 3)
    expect(agent.figures().isActive).toBe(true)
    await sleep(500)
    const asked = rig.target.log.filter(({ path }) => path.startsWith('/a')).length
    const before = b.results.length
    await until(() => b.results.length > before + 6)
    expect(rig.target.log.filter(({ path }) => path.startsWith('/a')).length).toBe(asked)
  })

  test('withdraws with a complete list the checks of its sender alone', async ({ rig }) => {
    const owners = await twoOwners(rig, 3)
    const { a, b, checksOfA } = owners
    const agent = await rig.agent()
    await until(() => a.results.length >= 6 && b.results.length >= 6)
    const [gone] = checksOfA
    a.forget(gone!.check)
    a.endStream()
    await until(() => a.generation === 2 && agent.figures().checks === 5)
    await sleep(500)
    const count = rig.target.asked('a0').length
    const before = b.results.length
    await until(() => b.results.length > before + 6)
    expect(rig.target.asked('a0').length).toBe(count)
    expect(agent.figures().checks).toBe(5)
    expect(b.generation).toBe(1)
  })

  test('delivers the backlog of an earlier boot to each, and does not wait for the one that is away', async ({
    rig,
  }) => {
    const owners = await twoOwners(rig, 50)
    const { a, b, checksOfA, checksOfB } = owners
    const child = rig.process()
    await until(() => areServed(owners), 60_000)
    await Promise.all([a.cut(), b.cut()])
    const before = rig.target.log.length
    await until(() => rig.target.log.length > before + 400, 60_000)
    await sleep(500)
    await rig.end(child, 'SIGKILL')
    const killedAt = rig.plane.now()
    const delivered = { a: a.results.length, b: b.results.length }

    await b.heal()
    const agent = await rig.agent()
    expect(agent.figures().spooled).toBeGreaterThan(300)
    const old = (plane: FakeControlPlane) => [...plane.stored.values()].filter(({ boot }) => boot !== agent.boot).length
    await until(() => old(b) > delivered.b + 150, 60_000, 'the backlog of the owner that is there')
    expect(old(a)).toBe(delivered.a)
    expect(agent.figures().spooled).toBeGreaterThan(150)
    await a.heal()
    await until(() => old(a) > delivered.a + 150 && agent.figures().spooled < 110, 60_000, 'the backlog of both')
    for (const shard of shardsOf(a)) expect(lower).toContain(shard)
    for (const shard of shardsOf(b)) expect(upper).toContain(shard)
    await rig.stop(agent)
    expect(agent.figures()).toMatchObject({ spooled: 0, dropped: 0, corrupt: 0 })
    expect(keysOf(a).filter(key => b.stored.has(key))).toEqual([])
    // whatever was requested long enough before the kill was on disk
    const paths = new Map([...checksOfA, ...checksOfB].map(({ check, url }) => [new URL(url).pathname, check]))
    const lost = rig.target.log.filter(({ path, at }) => {
      const results = [a, b].flatMap(plane => plane.of(paths.get(path)!))
      // a request falls into its run, however long that takes on a busy machine
      const isOf = (result: (typeof results)[number]) => at > result.at - 500 && at < result.at + result.took + 500
      return at < killedAt - 1_500 && !results.some(isOf)
    })
    expect(lost).toEqual([])
  }, 240_000)

  test('delivers its backlog to one while the other answers no upload', async ({ rig }) => {
    const owners = await twoOwners(rig, 3, { interval_ms: 60_000 })
    const { a, b, checksOfA, checksOfB } = owners
    const first = await rig.agent()
    await until(() => a.results.length >= 3 && b.results.length >= 3)
    await rig.stop(first)
    const [model] = a.results
    const checks = [...checksOfA, ...checksOfB]
    await fillSpool(rig, 18_000, seq => {
      const { check, tenant } = checks[seq % checks.length]!
      return { ...model!, seq, check, shard: shardOf(tenant), due: model!.due - seq, attempt: 1 }
    })
    a.hangs = agentPaths.results
    const agent = await rig.agent()
    const ofBacklog = (plane: FakeControlPlane) => plane.results.filter(({ attempt }) => attempt === 1).length
    await until(() => ofBacklog(b) === 9_000, 20_000, 'the backlog of the owner that answers')
    expect(ofBacklog(a)).toBe(0)
    rig.plane.owners = [b.url]
    b.own(all)
    await until(() => ofBacklog(b) === 18_000, 20_000, 'the backlog of the other')
    await until(() => agent.figures().spooled === 0)
    await rig.stop(agent)
    expect(agent.figures()).toMatchObject({ dropped: 0, corrupt: 0 })
    expectOnce(b)
  }, 60_000)

  test('delivers the backlog of an older agent, which names no shards, by its checks', async ({ rig }) => {
    const owners = await twoOwners(rig, 3)
    const { a, b, checksOfA, checksOfB } = owners
    const first = await rig.agent()
    await until(() => a.results.length >= 3 && b.results.length >= 3)
    await rig.stop(first)
    const { shard: _, ...model } = a.results[0]!
    const unknown = randomUUID()
    const checks = [...checksOfA, ...checksOfB].map(({ check }) => check)
    await fillSpool(rig, 700, seq => {
      const check = seq % 7 === 6 ? unknown : checks[seq % 7]!
      return { ...model, seq, check, due: model.due - 60_000 * seq, attempt: 1 }
    })
    const agent = await rig.agent()
    const ofOld = (plane: FakeControlPlane) => plane.results.filter(({ shard }) => shard === undefined)
    await until(() => ofOld(a).length + ofOld(b).length === 700, 15_000, 'the results of the older agent')
    for (const [plane, others] of [
      [a, checksOfB],
      [b, checksOfA],
    ] as const)
      expect(ofOld(plane).filter(({ check }) => others.some(other => other.check === check))).toEqual([])
    expect(agent.figures().refused).toEqual({})
    expectOnce(a, b)
  })
})

describe.concurrent('the owners of a control plane', () => {
  test('are one, at the given address, where it lists none', async ({ rig }) => {
    rig.plane.owners = []
    const check = assignmentOf(rig.target.url('x'))
    rig.plane.assign(check)
    const agent = await rig.agent()
    await until(() => rig.plane.of(check.check).length >= 3)
    expect(agent.figures()).toMatchObject({ checks: 1, isActive: true, isConnected: true })
    expect(rig.plane.generation).toBe(1)
    expect(rig.plane.tokenRequests).toBe(1)
  })

  test('become several and one again, without a result lost', async ({ rig }) => {
    const owners = await twoOwners(rig)
    const { a, b, checksOfA, checksOfB } = owners
    const listed = rig.plane.owners
    rig.plane.owners = undefined
    rig.plane.assign(...checksOfA, ...checksOfB)
    const agent = await rig.agent()
    await until(() => rig.plane.results.length >= 40)
    rig.plane.owners = listed
    rig.plane.endStream()
    await until(() => areServed(owners), 15_000)
    const before = rig.plane.results.length
    rig.plane.owners = undefined
    await until(() => rig.plane.results.length > before + 40, 15_000)
    await rig.stop(agent)
    expect(new Set([rig.plane, a, b].flatMap(plane => keysOf(plane))).size).toBe(agent.figures().runs)
    expect(agent.figures()).toMatchObject({ spooled: 0, dropped: 0 })
  })

  test('are asked for at once when a stream ends, and otherwise every two seconds', async ({ rig }) => {
    const owners = await twoOwners(rig, 1)
    await rig.agent()
    await until(() => owners.a.isConnected && owners.b.isConnected)
    await sleep(500)
    const before = rig.plane.ownerRequests
    owners.b.endStream()
    await until(() => rig.plane.ownerRequests > before, 500)
    const count = rig.plane.ownerRequests
    await sleep(5_000)
    expect(rig.plane.ownerRequests - count).toBeLessThanOrEqual(4)
    expect(rig.plane.ownerRequests - count).toBeGreaterThanOrEqual(1)
  })

  test('are asked at a known one while the given address is away', async ({ rig }) => {
    const owners = await twoOwners(rig)
    const { a, b } = owners
    rig.plane.owners = [a.url]
    const agent = await rig.agent()
    await until(() => a.results.length >= 10)
    await rig.plane.cut()
    a.owners = [a.url, b.url]
    await until(() => areServed(owners), 15_000)
    // one that lists none does not make the other the only one
    a.owners = []
    a.endStream()
    const before = b.results.length
    await until(() => a.ownerRequests > 3 && b.results.length > before + 20, 15_000)
    expect(agent.figures().isConnected).toBe(true)
  })

  test('receive nothing at an unencrypted address unless the operator allows it', async ({ rig }) => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: line => void lines.push(line) })
    const check = assignmentOf(rig.target.url('x'))
    rig.plane.assign(check)
    const agent: RunningAgent = await rig.agent({}, { log })
    await until(() => rig.plane.of(check.check).length >= 1)
    rig.plane.owners = ['http://192.0.2.7:8080']
    rig.plane.endStream()
    await until(() => lines.some(line => line.includes('http://192.0.2.7:8080')))
    const before = rig.plane.of(check.check).length
    await until(() => rig.plane.of(check.check).length > before)
    expect(agent.figures().isConnected).toBe(true)
  })
})
