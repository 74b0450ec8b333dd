import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stamp } from '#contract/time.ts'
import { rowChanged } from '#contract/workflows.ts'
import { dayMs, hourMs, type Start, type Team, World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await World.open('trials')
}, 300_000)
afterAll(() => world?.close())

async function onTrial(days: number, plan = 'pro'): Promise<{ team: Team; endsAtMs: number }> {
  const team = await world.team({ plan })
  const endsAtMs = (await world.now()) + days * dayMs
  await world.setTrial(team, endsAtMs)
  return { team, endsAtMs }
}

const run = (start: Start, team: Team, endsAtMs: number) =>
  start('trial', { teamId: team.id, tenantId: team.tenantId, endsAtMs })
const names = async (team: Team) =>
  (await world.publishedTo(team)).map(({ name, payload }) =>
    name === 'team.trial_ending' ? `${name} ${payload.days_remaining}` : name,
  )

describe('a trial', () => {
  test('is announced three days and one day before its end, and then reverts to free', async () => {
    const { team, endsAtMs } = await onTrial(14)
    world.steps.length = 0
    await world.working(async start => expect(await (await run(start, team, endsAtMs)).result()).toBe('expired'))
    expect(await world.publishedTo(team)).toEqual([
      ...[3, 1].map(days => ({
        name: 'team.trial_ending',
        payload: {
          managed_team_id: team.id,
          tenant_id: team.tenantId,
          tenant_name: 'Acme',
          label: 'VIP',
          plan: 'pro',
          trial_ends_at: stamp(new Date(endsAtMs)),
          days_remaining: days,
          plan_after_trial: 'free',
        },
      })),
      {
        name: 'team.trial_expired',
        payload: {
          managed_team_id: team.id,
          tenant_id: team.tenantId,
          tenant_name: 'Acme',
          previous_plan: 'pro',
          plan: 'free',
        },
      },
    ])
    expect(await world.planOf(team)).toBe('free')
    const late = [endsAtMs - 3 * dayMs, endsAtMs - dayMs, endsAtMs].map(
      (moment, index) => world.steps[index + 1]!.at - moment,
    )
    for (const ms of late) expect(ms).toBeGreaterThanOrEqual(0)
    for (const ms of late) expect(ms).toBeLessThan(60_000)
    const { rows } = await world.platform.query(
      `select tenant_id, changes from audit_entries where entity_id = $1 and action = 'managed_tenant.trial_expired'`,
      [team.id],
    )
    expect(rows.map(({ tenant_id }) => tenant_id).sort()).toEqual([team.resellerId, team.tenantId].sort())
    expect(rows[0].changes).toEqual({ plan: { before: 'pro', after: 'free' } })
  })

  test.each([
    [3.5, ['team.trial_ending 3', 'team.trial_ending 1', 'team.trial_expired']],
    [3, ['team.trial_ending 1', 'team.trial_expired']],
    [2, ['team.trial_ending 1', 'team.trial_expired']],
    [1, ['team.trial_expired']],
    [0.5, ['team.trial_expired']],
  ])('of %s days is announced only at the moments that still lie ahead', async (days, expected) => {
    const { team, endsAtMs } = await onTrial(days)
    await world.working(async start => (await run(start, team, endsAtMs)).result())
    expect(await names(team)).toEqual(expected)
  })

  test('extended on its last day continues, and is announced again before its new end', async () => {
    const { team, endsAtMs } = await onTrial(5)
    await world.working(async start => {
      const first = await run(start, team, endsAtMs)
      await world.sleep(4 * dayMs + 12 * hourMs)
      expect(await names(team)).toEqual(['team.trial_ending 3', 'team.trial_ending 1'])
      const extendedMs = endsAtMs + 7 * dayMs
      await world.setTrial(team, extendedMs)
      const second = await run(start, team, extendedMs)
      expect(await first.result()).toBe('superseded')
      expect(await world.planOf(team)).toBe('pro')
      expect(await second.result()).toBe('expired')
    })
    expect(await names(team)).toEqual([
      'team.trial_ending 3',
      'team.trial_ending 1',
      'team.trial_ending 3',
      'team.trial_ending 1',
      'team.trial_expired',
    ])
  })

  test('extended by two days on its last day is announced once more, a day before', async () => {
    const { team, endsAtMs } = await onTrial(5)
    await world.working(async start => {
      await run(start, team, endsAtMs)
      await world.sleep(4 * dayMs + 12 * hourMs)
      await world.setTrial(team, endsAtMs + 2 * dayMs)
      expect(await (await run(start, team, endsAtMs + 2 * dayMs)).result()).toBe('expired')
    })
    expect(await names(team)).toEqual([
      'team.trial_ending 3',
      'team.trial_ending 1',
      'team.trial_ending 1',
      'team.trial_expired',
    ])
  })

  test('shortened ends at its new end, and only then', async () => {
    const { team, endsAtMs } = await onTrial(14)
    await world.working(async start => {
      const first = await run(start, team, endsAtMs)
      const soonMs = (await world.now()) + 2 * dayMs
      await world.setTrial(team, soonMs)
      expect(await (await run(start, team, soonMs)).result()).toBe('expired')
      expect(await first.result()).toBe('superseded')
    })
    expect(await names(team)).toEqual(['team.trial_ending 1', 'team.trial_expired'])
  })

  test('cleared keeps the plan, and the signalled workflow ends at once', async () => {
    const { team, endsAtMs } = await onTrial(14)
    await world.working(async start => {
      const process = await run(start, team, endsAtMs)
      await world.setTrial(team, null)
      await process.signal(rowChanged)
      expect(await process.result()).toBe('superseded')
      expect(world.steps.at(-1)!.at).toBeLessThan(endsAtMs - 10 * dayMs)
    })
    expect(await world.planOf(team)).toBe('pro')
    expect(await names(team)).toEqual([])
  })

  test('signalled without a change continues unchanged', async () => {
    const { team, endsAtMs } = await onTrial(2)
    await world.working(async start => {
      const process = await run(start, team, endsAtMs)
      await process.signal(rowChanged)
      expect(await process.result()).toBe('expired')
    })
    expect(await names(team)).toEqual(['team.trial_ending 1', 'team.trial_expired'])
  })

  test('does each thing once though its step fails before or after doing it', async () => {
    const { team, endsAtMs } = await onTrial(5)
    for (let i = 0; i < 4; i++)
      world.faults.push({ step: 'advanceTrial', when: 'after' }, { step: 'advanceTrial', when: 'before' })
    await world.working(async start => expect(await (await run(start, team, endsAtMs)).result()).toBe('expired'))
    expect(world.faults).toEqual([])
    expect(await names(team)).toEqual(['team.trial_ending 3', 'team.trial_ending 1', 'team.trial_expired'])
    const { rowCount } = await world.platform.query(
      `select 1 from audit_entries where tenant_id = $1 and action = 'managed_tenant.trial_expired'`,
      [team.tenantId],
    )
    expect(rowCount).toBe(1)
  })

  test('of a team in the trash rests, and ends when the team comes back', async () => {
    const { team, endsAtMs } = await onTrial(5)
    await world.setDeleted(team, await world.now())
    await world.working(async start => expect(await (await run(start, team, endsAtMs)).result()).toBe('superseded'))
    expect(await names(team)).toEqual([])
    expect(await world.planOf(team)).toBe('pro')
    await world.sleep(6 * dayMs)
    await world.setDeleted(team, null)
    await world.working(async start => expect(await (await run(start, team, endsAtMs)).result()).toBe('expired'))
    expect(await names(team)).toEqual(['team.trial_expired'])
    expect(await world.planOf(team)).toBe('free')
  })

  test('goes on in a newer build that is deployed while it waits', async () => {
    const { team, endsAtMs } = await onTrial(5)
    const taskQueue = randomUUID()
    const process = await world.working(
      async start => {
        const started = await run(start, team, endsAtMs)
        await world.sleep(2 * dayMs + hourMs)
        return started
      },
      { taskQueue },
    )
    expect(await names(team)).toEqual(['team.trial_ending 3'])
    const { code } = await bundleWorkflowCode({
      workflowsPath: join(import.meta.dirname, 'redeployed', 'index.ts'),
      logger: new DefaultLogger('ERROR'),
    })
    await world.working(async () => expect(await process.result()).toBe('expired'), { taskQueue, code })
    expect(await names(team)).toEqual(['team.trial_ending 3', 'team.trial_ending 1', 'team.trial_expired'])
  }, 90_000)

  test('of a team that was purged meanwhile ends without a word', async () => {
    const { team, endsAtMs } = await onTrial(60)
    const deletedAtMs = await world.now()
    await world.setDeleted(team, deletedAtMs)
    await world.working(async start => {
      const trial = await run(start, team, endsAtMs)
      const purge = await start('teamPurge', { teamId: team.id, tenantId: team.tenantId, deletedAtMs })
      expect(await purge.result()).toBe('purged')
      expect(await trial.result()).toBe('superseded')
    })
    expect(await names(team)).toEqual([])
  })
})
