import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Relay } from '#test/control-plane/relay.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { store } from '#test/support/stores.ts'

let served: Serving
let relay: Relay
beforeAll(async () => {
  relay = new Relay(`http://${(await store('temporal')).address}`)
  const address = new URL(await relay.url()).host
  await relay.mend()
  served = await serving('durable', { roles: ['worker'], config: { temporal: { address, namespace: 'default' } } })
}, 300_000)
afterAll(async () => {
  await served?.close()
  await relay?.cut()
})

async function snoozedCheck(ms: number): Promise<{ tenant: string; check: string; untilMs: number }> {
  const tenant = await served.tenant()
  const { check } = await served.monitor(tenant, 'http://127.0.0.1:1')
  const untilMs = Date.now() + ms
  await served.platform.query('update checks set snoozed_until = $2 where id = $1', [check, new Date(untilMs)])
  await served.platform.query(
    `insert into outbox (tenant_id, kind, name, payload) values ($1, 'workflow', 'snoozeEnd', $2)`,
    [
      tenant,
      JSON.stringify({ id: `snooze-end-${check}-${untilMs}`, input: { tenantId: tenant, checkId: check, untilMs } }),
    ],
  )
  await served.platform.query(`select pg_notify('outbox', '')`)
  return { tenant, check, untilMs }
}

describe('durable work on a Temporal server', () => {
  test('says when the worker is at work', async () => {
    await eventually(
      async () => ((await served.plane.health.readiness()).parts.temporal?.is_ready ? true : undefined),
      60_000,
    )
  })

  test('a snooze put into the outbox ends at its moment, once, with an audit entry', async () => {
    const { tenant, check, untilMs } = await snoozedCheck(1_500)
    await eventually(async () => {
      const { rows } = await served.platform.query('select snoozed_until from checks where id = $1', [check])
      return rows[0].snoozed_until === null ? true : undefined
    }, 30_000)
    expect(Date.now()).toBeGreaterThanOrEqual(untilMs)
    const { rows: audits } = await served.platform.query('select action from audit_entries where tenant_id = $1', [
      tenant,
    ])
    expect(audits.map(({ action }) => action)).toEqual(['check.snooze_ended'])
    const { rows: left } = await served.platform.query(
      'select id from outbox where tenant_id = $1 and done_at is null',
      [tenant],
    )
    expect(left).toEqual([])
  })

  test('the same row handed on again starts nothing twice', async () => {
    const { tenant } = await snoozedCheck(500)
    await eventually(async () => {
      const { rows } = await served.platform.query('select done_at from outbox where tenant_id = $1', [tenant])
      return rows[0].done_at ? true : undefined
    })
    await served.platform.query('update outbox set done_at = null, next_at = now() where tenant_id = $1', [tenant])
    await served.platform.query(`select pg_notify('outbox', '')`)
    const again = await eventually(async () => {
      const { rows } = await served.platform.query('select done_at, error, attempts from outbox where tenant_id = $1', [
        tenant,
      ])
      return rows[0].attempts === 2 && rows[0].done_at ? rows[0] : undefined
    })
    expect(again.error).toBeNull()
  })

  test('what comes while Temporal is away waits, and is seen to when it is back', async () => {
    await relay.cut()
    const { tenant, check } = await snoozedCheck(200)
    const { error } = await eventually(async () => {
      const { rows } = await served.platform.query(
        'select error from outbox where tenant_id = $1 and error is not null',
        [tenant],
      )
      return rows[0]
    }, 20_000)
    expect(error).toEqual(expect.any(String))
    expect((await served.plane.health.readiness()).parts.temporal?.is_ready).toBe(false)
    await relay.mend()
    await eventually(async () => {
      const { rows } = await served.platform.query('select snoozed_until from checks where id = $1', [check])
      return rows[0].snoozed_until === null ? true : undefined
    }, 90_000)
  }, 120_000)
})
