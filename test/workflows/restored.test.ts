import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveMark, unknownMark } from '#analytics/restore-marks.ts'
import { workflowId } from '#contract/workflows.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { noticeSetback } from '#control-plane/platform/restored/notice.ts'
import { dayMs, hourMs, World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await World.open('restored_timers')
}, 300_000)
afterAll(() => world?.close())

interface Started {
  name: string
  payload: { id: string; input: Record<string, unknown> }
}

const started = async () =>
  (
    await world.platform.query<Started>(
      `select name, payload from outbox where kind = 'workflow' and done_at is null order by name`,
    )
  ).rows

/** As after a restore: ClickHouse has a mark that PostgreSQL lacks. */
async function restored(): Promise<void> {
  await leaveMark(world.clickhouse, unknownMark())
  expect(await noticeSetback(world.platform, world.clickhouse)).toEqual({ as: 'restored' })
}

test('after a restore without the data of Temporal a trial, a purge and a grace still happen, once', async () => {
  expect(await noticeSetback(world.platform, world.clickhouse)).toBeNull()
  const now = await world.now()
  const [onTrial, expired, deleted] = [await world.team(), await world.team(), await world.team()]
  const endsAtMs = now + 5 * dayMs
  await world.setTrial(onTrial, endsAtMs)
  await world.setTrial(expired, now - dayMs)
  await world.platform.query('update managed_teams set trial_expired_at = now() where id = $1', [expired.id])
  await world.setDeleted(deleted, now)
  const { tenantId } = await world.team()
  const expiresAtMs = now + hourMs
  const token = await createToken(world.platform, {
    kind: 'rk',
    tenantId,
    userId: null,
    name: 'old',
    scopes: [],
    expiresAt: new Date(expiresAtMs),
  })
  await world.platform.query('update tokens set rotated_at = now() where id = $1', [token.id])

  expect(await started()).toEqual([])
  await restored()
  const ended = [
    {
      name: 'teamPurge',
      payload: {
        id: workflowId.teamPurge(deleted.id, now),
        input: { teamId: deleted.id, tenantId: deleted.tenantId, deletedAtMs: now },
      },
    },
    {
      name: 'tokenGrace',
      payload: {
        id: workflowId.tokenGrace(token.id, expiresAtMs),
        input: { tokenId: token.id, tenantId, expiresAtMs },
      },
    },
    {
      name: 'trial',
      payload: {
        id: workflowId.trial(onTrial.id, endsAtMs),
        input: { teamId: onTrial.id, tenantId: onTrial.tenantId, endsAtMs },
      },
    },
  ]
  expect(await started()).toEqual(ended)
  // those that wait to be started are not added again
  await restored()
  expect(await started()).toEqual(ended)

  // every start twice, as one that was lost may be found again: the row decides that it happens once
  await world.working(async start => {
    const running = []
    for (const { name, payload } of [...(await started()), ...(await started())])
      running.push(await start(name, payload.input))
    await world.sleep(31 * dayMs)
    for (const process of running) await process.result()
  })
  expect(await world.planOf(deleted)).toBeUndefined()
  expect(await world.planOf(onTrial)).toBe('free')
  const names = (await world.publishedTo(onTrial)).map(({ name }) => name)
  expect(names).toEqual(['team.trial_ending', 'team.trial_ending', 'team.trial_expired'])
  const { rows } = await world.platform.query('select action from audit_entries where entity_id = $1', [token.id])
  expect(rows).toEqual([{ action: 'reseller_token.expired' }])
})

test('after a restore invoices that fall due, snoozes, deliveries and migrations under way are started again', async () => {
  const { tenantId } = await world.team()
  const [monitor, check, channel, delivery] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const [underWay, cutOver] = [randomUUID(), randomUUID()]
  const at = new Date('2031-05-06T07:08:09.123Z')
  await world.platform.query(`insert into subscriptions (tenant_id, next_due_at, revision) values ($1, $2, 4)`, [
    tenantId,
    at,
  ])
  await world.platform.query(
    `insert into provider_migrations (id, tenant_id, provider, name, state, revision)
     values ($1, $3, 'csv', 'Ours', 'shadow', 2), ($2, $3, 'csv', 'Ours', 'cutover', 0)`,
    [underWay, cutOver, tenantId],
  )
  const owner = await world.owner.connect()
  await owner.query(`set session_replication_role = replica`)
  await owner.query(
    `insert into checks (id, tenant_id, monitor_id, type, snoozed_until) values ($1, $2, $3, 'uptime', $4)`,
    [check, tenantId, monitor, at],
  )
  await owner.query(
    `insert into deliveries (id, tenant_id, channel_id, event, status, attempts, replays, next_at)
     values ($1, $2, $3, 'monitor.down', 'retrying', 2, 1, now())`,
    [delivery, tenantId, channel],
  )
  owner.release(true)
  await restored()
  const found = (await started()).filter(({ payload }) => payload.input.tenantId === tenantId)
  const dueAtMs = at.getTime()
  expect(found).toEqual([
    { name: 'billing', payload: { id: workflowId.billing(tenantId, 4), input: { tenantId, dueAtMs } } },
    {
      name: 'deliveryRetry',
      payload: { id: workflowId.deliveryRetry(delivery, 1), input: { tenantId, deliveryId: delivery } },
    },
    {
      name: 'migration',
      payload: { id: workflowId.migration(underWay, 2), input: { tenantId, migrationId: underWay } },
    },
    {
      name: 'snoozeEnd',
      payload: { id: workflowId.snoozeEnd(check, dueAtMs), input: { tenantId, checkId: check, untilMs: dueAtMs } },
    },
  ])
})
