import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { assignmentOf, type FakeControlPlane } from './fake-control-plane.ts'
import { type Rig, test, until } from './rig.ts'

/** Every result was decided on once and is in the archive. */
const isArchived = ({ stored }: FakeControlPlane) => [...stored.values()].every(({ archived }) => archived > 0)
const decidedAgain = ({ stored }: FakeControlPlane) => [...stored.values()].filter(({ times }) => times !== 1)
const newestOf = ({ results }: FakeControlPlane) => Math.max(...results.map(({ at }) => at))

function assign({ plane, target }: Rig, count: number) {
  const checks = Array.from({ length: count }, (_, n) => assignmentOf(target.url(`c${n}`)))
  plane.assign(...checks)
  return checks
}

describe.concurrent('results that are decided on and not stored', () => {
  for (const archive of ['refuses', 'hangs', 'breaks', 'forgets'] as const)
    test(`are passed by newer ones, are decided on once, and are stored when the archive that ${archive} is back`, async ({
      rig,
    }) => {
      const { plane } = rig
      assign(rig, 10)
      const agent = await rig.agent()
      await until(() => plane.results.length >= 20)
      plane.archive = archive
      const from = plane.now()
      await until(() => newestOf(plane) > from + 8_000, 20_000, 'results of the time without an archive')
      await until(
        () => (plane.healths.at(-1)?.unstored_since_ms ?? Infinity) < from + 6_000,
        40_000,
        'a report of what waits',
      )
      const late = [...plane.stored.values()].map(({ result, receivedAt }) => receivedAt - result.at)
      expect(Math.max(...late)).toBeLessThan(6_000)
      expect(agent.figures().spooled).toBeGreaterThanOrEqual(50)
      plane.archive = 'up'
      await until(() => isArchived(plane) && plane.healths.at(-1)?.unstored_since_ms === null, 60_000, 'the archive')
      expect(decidedAgain(plane)).toEqual([])
      expect(agent.figures()).toMatchObject({ dropped: 0, corrupt: 0 })
      await rig.stop(agent)
      expect(agent.figures().spooled).toBe(0)
    }, 150_000)

  test('survive kill -9 of the agent, and leave its folder when they are stored', async ({ rig }) => {
    const { plane } = rig
    const checks = assign(rig, 20)
    plane.archive = 'refuses'
    for (let life = 0; life < 3; life++) {
      const before = plane.results.length
      const child = rig.process()
      await until(() => plane.results.length >= before + 40, 30_000, 'results')
      await rig.end(child, 'SIGKILL')
    }
    const known = new Set(plane.stored.keys())
    const last = rig.process()
    await until(() => plane.storeRequests > 0 && plane.results.length > known.size + 40, 30_000, 'results')
    expect([...known].filter(key => plane.stored.get(key)!.archived > 0)).toEqual([])
    plane.archive = 'up'
    await until(() => [...known].every(key => plane.stored.get(key)!.archived > 0), 30_000, 'the archive')
    await rig.end(last)
    await until(() => isArchived(plane), 5_000, 'the rest')
    for (const { check } of checks) {
      const dues = plane.of(check).map(({ due }) => due)
      expect(new Set(dues).size).toBe(dues.length)
    }
  }, 120_000)

  test('are sent to the owner of their shards when these move', async ({ rig }) => {
    const { plane } = rig
    const other = await rig.owner([])
    const everything = Array.from({ length: 64 }, (_, shard) => shard)
    plane.shards = everything
    plane.owners = [plane.url, other.url]
    const checks = assign(rig, 10)
    const agent = await rig.agent()
    await until(() => plane.results.length >= 20)
    plane.archive = 'refuses'
    await until(() => agent.figures().spooled > 30, 20_000)
    other.assign(...checks)
    plane.own([])
    other.own(everything)
    await until(() => other.storeRequests > 0, 20_000, 'a request of the other owner')
    await until(() => agent.figures().spooled < 30 && other.results.length > 30, 20_000, 'the archive')
    const archived = new Map([...plane.stored].map(([key, { archived }]) => [key, archived]))
    for (const [key, row] of other.stored) archived.set(key, (archived.get(key) ?? 0) + row.archived)
    const newest = plane.now() - 5_000
    const missing = [...plane.stored, ...other.stored].filter(
      ([key, { result }]) => result.at < newest && !archived.get(key),
    )
    expect(missing).toEqual([])
    await rig.stop(agent)
  }, 90_000)

  test('are refused once, where they are refused', async ({ rig }) => {
    const { plane } = rig
    const [one] = assign(rig, 5)
    plane.refuses = ({ check }) => (check === one!.check ? 'not_assigned' : undefined)
    plane.archive = 'refuses'
    const agent = await rig.agent()
    await until(() => plane.storeRequests > 2 && plane.refused.length > 3, 20_000)
    await sleep(2_000)
    const seqs = plane.refused.map(({ result }) => (result as { seq: number }).seq)
    expect(new Set(seqs).size).toBe(seqs.length)
    await rig.stop(agent)
  }, 60_000)
})

test('of a control plane that answers once are done when it answers', async ({ rig }) => {
  rig.plane.isOld = true
  assign(rig, 5)
  const agent = await rig.agent()
  await until(() => rig.plane.results.length > 20)
  await rig.stop(agent)
  expect(agent.figures().spooled).toBe(0)
  expect(rig.plane.storeRequests).toBe(0)
})
