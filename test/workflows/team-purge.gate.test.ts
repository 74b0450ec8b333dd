import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowChanged } from '#contract/workflows.ts'
import { dayMs, hourMs, type Start, type Team, World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await World.open('purges')
}, 300_000)
afterAll(() => world?.close())

async function deleted(): Promise<{ team: Team; deletedAtMs: number }> {
  const team = await world.team()
  const deletedAtMs = await world.now()
  await world.setDeleted(team, deletedAtMs)
  await world.clickhouse.insert({
    table: 'check_results',
    columns: ['tenant_id', 'monitor_id', 'check_id', 'region', 'due', 'at', 'outcome'],
    values: [[team.tenantId, randomUUID(), randomUUID(), 'eu-west', Date.now(), Date.now(), 'up']],
    format: 'JSONCompactEachRow',
  })
  return { team, deletedAtMs }
}

const run = (start: Start, team: Team, deletedAtMs: number) =>
  start('teamPurge', { teamId: team.id, tenantId: team.tenantId, deletedAtMs })
const isThere = async (team: Team) => (await world.planOf(team)) !== undefined

async function results({ tenantId }: Team): Promise<number> {
  const answer = await world.clickhouse.query({
    query: `SELECT (SELECT count() FROM check_results WHERE tenant_id = {t: UUID}) + (SELECT count()
       FROM latest_results WHERE tenant_id = {t: UUID}) AS n`,
    query_params: { t: tenantId },
    format: 'JSONEachRow',
  })
  return (await answer.json<{ n: number }>())[0]!.n
}

describe('a deleted team', () => {
  test('is there for thirty days and gone after', async () => {
    const { team, deletedAtMs } = await deleted()
    world.steps.length = 0
    await world.working(async start => {
      const process = await run(start, team, deletedAtMs)
      await world.sleep(30 * dayMs - hourMs)
      expect(await isThere(team)).toBe(true)
      expect(await results(team)).toBe(2)
      expect(await process.result()).toBe('purged')
    })
    expect(await isThere(team)).toBe(false)
    expect(await results(team)).toBe(0)
    const purge = world.steps.find(({ outcome }) => outcome === 'purged')!
    expect(purge.at).toBeGreaterThanOrEqual(deletedAtMs + 30 * dayMs)
    expect(purge.at).toBeLessThan(deletedAtMs + 30 * dayMs + hourMs)
    const { rows } = await world.platform.query(
      'select action, entity_type, entity_id, changes from audit_entries where tenant_id = $1',
      [team.resellerId],
    )
    expect(rows).toEqual([
      {
        action: 'managed_tenant.purged',
        entity_type: 'managed_tenant',
        entity_id: team.id,
        changes: { tenant_id: team.tenantId, deleted_at: expect.any(String) },
      },
    ])
  })

  test.each([
    ['on day 29', 29 * dayMs],
    ['a minute before the end', 30 * dayMs - 60_000],
  ])('restored %s is kept whole', async (_when, afterMs) => {
    const { team, deletedAtMs } = await deleted()
    await world.working(async start => {
      const process = await run(start, team, deletedAtMs)
      await world.sleep(afterMs)
      await world.setDeleted(team, null)
      expect(await process.result()).toBe('kept')
    })
    expect(await isThere(team)).toBe(true)
    expect(await results(team)).toBe(2)
  })

  test('restored, its workflow ends at once when signalled', async () => {
    const { team, deletedAtMs } = await deleted()
    await world.working(async start => {
      const process = await run(start, team, deletedAtMs)
      await world.setDeleted(team, null)
      await process.signal(rowChanged)
      expect(await process.result()).toBe('kept')
      expect(world.steps.at(-1)!.at).toBeLessThan(deletedAtMs + dayMs)
    })
  })

  test('and restored and deleted again has thirty days from the newest deletion', async () => {
    const { team, deletedAtMs } = await deleted()
    await world.working(async start => {
      const first = await run(start, team, deletedAtMs)
      await world.sleep(10 * dayMs)
      await world.setDeleted(team, null)
      await world.sleep(10 * dayMs)
      const againMs = await world.now()
      await world.setDeleted(team, againMs)
      const second = await run(start, team, againMs)
      expect(await first.result()).toBe('kept')
      await world.sleep(againMs + 30 * dayMs - hourMs - (await world.now()))
      expect(await isThere(team)).toBe(true)
      expect(await second.result()).toBe('purged')
    })
    expect(await isThere(team)).toBe(false)
  })

  test('is purged once though every step fails before and after doing it', async () => {
    const { team, deletedAtMs } = await deleted()
    for (const step of ['purgeTeam', 'eraseResults'])
      for (const when of ['before', 'after', 'before', 'after', 'after'] as const) world.faults.push({ step, when })
    await world.working(async start => expect(await (await run(start, team, deletedAtMs)).result()).toBe('purged'))
    expect(world.faults).toEqual([])
    expect(await results(team)).toBe(0)
    const { rowCount } = await world.platform.query(
      `select 1 from audit_entries where tenant_id = $1 and action = 'managed_tenant.purged'`,
      [team.resellerId],
    )
    expect(rowCount).toBe(1)
  })
})
