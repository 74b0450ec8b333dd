import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { eraseResults, purgeTeam } from '#control-plane/reselling/managed-teams/purge.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { RawAgent } from '#test/control-plane/engine/agents/raw-agent.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

const dayMs = 86_400_000
let served: Serving
beforeAll(async () => {
  served = await serving('purged', { roles: ['api', 'ingest'] })
})
afterAll(() => served?.close())

async function refused(reason: string): Promise<number> {
  const { values } = await served.plane.services.metrics.resultsRefused.get()
  return values.find(({ labels }) => labels.reason === reason)?.value ?? 0
}

async function stored(tenant: string): Promise<number> {
  const answer = await served.plane.services.clickhouse.query({
    query: 'SELECT count() AS n FROM check_results WHERE tenant_id = {tenant: UUID}',
    query_params: { tenant },
    format: 'JSONEachRow',
  })
  return (await answer.json<{ n: number }>())[0]!.n
}

test('results that an agent kept of a tenant purged meanwhile are dropped and counted', async () => {
  const { platform } = served
  const { clickhouse } = served.plane.services
  const agent = await RawAgent.enrolled(served, 'eu-west')
  const stream = await (await agent.work()).synced()
  const resellerId = await createTenant(platform, {
    name: 'Reseller',
    slug: `r-${randomUUID()}`,
    plan: 'pro',
    isReseller: true,
  })
  const tenant = await served.tenant()
  const team = await addManagedTeam(platform, resellerId, tenant, null)
  const { check } = await served.monitor(tenant, 'http://127.0.0.1:1')
  await eventually(() => (stream.checks.has(check) ? true : undefined))
  const madeAt = Date.now()
  const send = (due: number) => agent.results(stream.generation, [{ check, due, at: madeAt, isGood: true }])
  expect((await send(madeAt - 2_000)).body).toMatchObject({ accepted: 1, refused: [] })

  // the grace of thirty days is over at once: the run was assigned before
  const deletedAt = new Date()
  await platform.query('update managed_teams set deleted_at = $2 where id = $1', [team, deletedAt])
  await platform.query('update tenants set deleted_at = $2 where id = $1', [tenant, deletedAt])
  await eventually(() => (stream.checks.has(check) ? undefined : true))
  expect((await send(madeAt - 1_000)).body).toMatchObject({ accepted: 1, refused: [] })
  expect(
    await purgeTeam(platform, team, deletedAt, { now: async () => new Date(deletedAt.getTime() + 30 * dayMs), dayMs }),
  ).toBe('purged')
  await eraseResults(platform, clickhouse, tenant)

  const before = await refused('not_assigned')
  await eventually(async () => ((await send(madeAt)).body.refused.length === 1 ? true : undefined))
  expect((await send(madeAt + 1)).body).toMatchObject({ accepted: 0, refused: [{ seq: 0, reason: 'not_assigned' }] })
  expect(await refused('purged')).toBeGreaterThanOrEqual(2)
  expect(await refused('not_assigned')).toBe(before)
  await eraseResults(platform, clickhouse, tenant)
  expect(await stored(tenant)).toBe(0)
  expect((await platform.query('select 1 from votes where tenant_id = $1', [tenant])).rowCount).toBe(0)

  await served.restart(['api', 'ingest'])
  expect((await served.plane.health.readiness()).parts.ingest?.is_ready).toBe(true)
  stream.break()
})
