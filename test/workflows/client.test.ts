import { randomUUID } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rowChanged, unsnoozed, workflowId } from '#contract/workflows.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { store } from '#test/support/stores.ts'
import { openTemporal, type Temporal } from '#workflows/client.ts'
import { registerSearchAttributes } from '#workflows/search.ts'

const log = pino({ level: 'silent' })
let address: string
let connection: Connection
/** A task queue of this file, which no other file's worker polls. */
let namespace: string
let temporal: Temporal
let served: Serving
beforeAll(async () => {
  ;({ address } = await store('temporal'))
  connection = await Connection.connect({ address })
  namespace = await aNamespace()
  temporal = openTemporal({ address, namespace })
  served = await serving('processes', { roles: ['api', 'worker'], config: { temporal: { address, namespace } } })
  await eventually(
    async () => ((await served.plane.health.readiness()).parts.temporal?.is_ready ? true : undefined),
    120_000,
  )
}, 300_000)
afterAll(async () => {
  await served?.close()
  await temporal?.close()
  await connection?.close()
})

const list = async (query: string, inside = namespace) => {
  const found: string[] = []
  for await (const { workflowId } of new Client({ connection, namespace: inside }).workflow.list({ query }))
    found.push(workflowId)
  return found.toSorted()
}

async function aNamespace(): Promise<string> {
  const name = `test-${randomUUID().slice(0, 8)}`
  await connection.workflowService.registerNamespace({
    namespace: name,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  })
  await eventually(
    async () =>
      connection.workflowService.describeTaskQueue({ namespace: name, taskQueue: { name: 'vedette' } }).then(
        () => true,
        () => undefined,
      ),
    60_000,
  )
  return name
}

const aTrial = (endsInMs = 3_600_000) => {
  const input = { teamId: randomUUID(), tenantId: randomUUID(), endsAtMs: Date.now() + endsInMs }
  return { input, id: workflowId.trial(input.teamId, input.endsAtMs) }
}

describe('a durable process', () => {
  test('is found by tenant and kind, and has no personal search attributes', async () => {
    const [mine, theirs] = [aTrial(), aTrial()]
    const tokenId = randomUUID()
    const token = { tokenId, tenantId: mine.input.tenantId, expiresAtMs: Date.now() }
    await temporal.start('trial', mine.id, mine.input)
    await temporal.start('trial', theirs.id, theirs.input)
    await temporal.start('tokenGrace', workflowId.tokenGrace(tokenId, token.expiresAtMs), token)
    const byTenant = `VedetteTenant = '${mine.input.tenantId}'`
    await eventually(async () => ((await list(byTenant)).length === 2 ? true : undefined), 30_000)
    expect(await list(`${byTenant} AND WorkflowType = 'trial'`)).toEqual([mine.id])
    expect(await list(`${byTenant} AND WorkflowType = 'tokenGrace'`)).toEqual([
      workflowId.tokenGrace(tokenId, token.expiresAtMs),
    ])
    const { searchAttributes, memo } = await new Client({ connection, namespace }).workflow
      .getHandle(mine.id)
      .describe()
    // once it has begun, Temporal adds which worker's code it runs: `@temporalio/worker@…`
    const { BuildIds: _, ...ours } = searchAttributes
    expect(JSON.stringify({ ours, memo })).not.toContain('@')
  })

  test('started twice runs once; a signal to an ended or unknown workflow is ignored', async () => {
    const { id, input } = aTrial()
    await temporal.start('trial', id, input)
    await temporal.start('trial', id, input)
    // the team is not there: it ends at once
    expect(await new Client({ connection, namespace }).workflow.getHandle(id).result()).toBe('superseded')
    await temporal.start('trial', id, input)
    await temporal.signal(id, rowChanged)
    await temporal.signal(`trial:${randomUUID()}:1`, rowChanged)
  })

  test('runs on a server without the search attribute, and is found once it is registered', async () => {
    const other = await aNamespace()
    const foreign = openTemporal({ address, namespace: other })
    try {
      const [first, second] = [aTrial(), aTrial()]
      await eventually(
        async () =>
          foreign.start('trial', first.id, first.input).then(
            () => true,
            () => undefined,
          ),
        60_000,
      )
      await registerSearchAttributes(connection, other, log)
      await registerSearchAttributes(connection, other, log)
      // the server takes a while to know it everywhere
      await eventually(async () => {
        const next = aTrial()
        await foreign.start('trial', next.id, { ...next.input, tenantId: second.input.tenantId })
        return (await list(`VedetteTenant = '${second.input.tenantId}'`, other).catch(() => [])).length > 0
          ? true
          : undefined
      }, 60_000)
      expect(await list(`WorkflowId = '${first.id}'`, other)).toEqual([first.id])
    } finally {
      await foreign.close()
    }
  }, 150_000)

  test('is signalled through the outbox about a change of its row, and ends early', async () => {
    const tenant = await served.tenant()
    const { check } = await served.monitor(tenant, 'http://127.0.0.1:1')
    const untilMs = Date.now() + 3_600_000
    await served.platform.query('update checks set snoozed_until = $2 where id = $1', [check, new Date(untilMs)])
    const id = workflowId.snoozeEnd(check, untilMs)
    const put = (kind: string, name: string, payload: unknown) =>
      served.platform.query('insert into outbox (tenant_id, kind, name, payload) values ($1, $2, $3, $4)', [
        tenant,
        kind,
        name,
        JSON.stringify(payload),
      ])
    await put('workflow', 'snoozeEnd', { id, input: { tenantId: tenant, checkId: check, untilMs } })
    await served.platform.query(`select pg_notify('outbox', '')`)
    const handle = new Client({ connection, namespace }).workflow.getHandle(id)
    await eventually(
      async () =>
        handle.describe().then(
          ({ status }) => (status.name === 'RUNNING' ? true : undefined),
          () => undefined,
        ),
      60_000,
    )
    await put('signal', unsnoozed, { id, signal: unsnoozed })
    await served.platform.query(`select pg_notify('outbox', '')`)
    expect(await handle.result()).toBe('superseded')
    const { metrics } = served.plane.services
    const kinds = async () =>
      (await metrics.outboxHandedOn.get()).values.map(({ labels }) => `${labels.kind} ${labels.outcome}`)
    await eventually(async () => ((await kinds()).includes('signal done') ? true : undefined))
    expect(await kinds()).toEqual(expect.arrayContaining(['workflow done', 'signal done']))
    expect((await metrics.processesStarted.get()).values).toEqual([{ labels: { process: 'snoozeEnd' }, value: 1 }])
  }, 90_000)
})
