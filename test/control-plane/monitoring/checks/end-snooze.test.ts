import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endSnooze } from '#control-plane/monitoring/checks/end-snooze.ts'
import { endLateSnoozes } from '#control-plane/monitoring/checks/late-snoozes.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
beforeAll(async () => {
  served = await serving('snoozes', { roles: ['api'] })
})
afterAll(() => served?.close())

async function snoozed(untilMs: number) {
  const tenant = await served.tenant()
  const { monitor, check } = await served.monitor(tenant, 'http://127.0.0.1:1')
  const until = new Date(untilMs)
  await served.platform.query('update checks set snoozed_until = $2 where id = $1', [check, until])
  return { tenant, monitor, check, until }
}

async function openIncident(tenant: string, monitor: string, check: string): Promise<string> {
  const id = randomUUID()
  await served.platform.query(
    `insert into incidents (
       id, tenant_id, monitor_id, check_id, check_type, number, title, severity, started_at, confirmed_at, quorum,
       notified_at
     )
     values ($1, $2, $3, $4, 'uptime', 1, 'Site is down', 'critical', now(), now(), '{}', null)`,
    [id, tenant, monitor, check],
  )
  return id
}

const notifiedIncidents = async (tenant: string) =>
  (
    await served.platform.query(
      `select payload->>'incident_id' as id from outbox where tenant_id = $1 and name = 'incident.created'`,
      [tenant],
    )
  ).rows.map(({ id }) => id)

describe('the end of a snooze', () => {
  test('clears it once, and repeated calls return the same', async () => {
    const { tenant, check, until } = await snoozed(Date.now() - 1_000)
    expect(await endSnooze(served.platform, check, until)).toBe('ended')
    expect(await endSnooze(served.platform, check, until)).toBe('ended')
    const { rows } = await served.platform.query('select action from audit_entries where tenant_id = $1', [tenant])
    expect(rows).toHaveLength(1)
  })

  test('comes without Temporal too, a few seconds late, and notifies of what is still open', async () => {
    const late = await snoozed(Date.now() - 10_000)
    const incident = await openIncident(late.tenant, late.monitor, late.check)
    const soon = await snoozed(Date.now() - 500)
    const later = await snoozed(Date.now() + 60_000)
    const { log } = served.plane.services
    expect(await endLateSnoozes({ platform: served.platform, log })).toBe(1)
    expect(await notifiedIncidents(late.tenant)).toEqual([incident])
    const { rows } = await served.platform.query<{ id: string }>(
      'select id from checks where snoozed_until is not null and id = any($1)',
      [[late.check, soon.check, later.check]],
    )
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([soon.check, later.check]))
    await served.platform.query('update checks set snoozed_until = null where id = $1', [soon.check])
    expect(await endSnooze(served.platform, late.check, late.until)).toBe('ended')
    expect(await notifiedIncidents(late.tenant)).toEqual([incident])
  })

  test('depends on the clock of the database', async () => {
    const { check, until } = await snoozed(Date.now() + 60_000)
    expect(await endSnooze(served.platform, check, until)).toBe('too_early')
  })

  test('leaves a replaced snooze, a snooze ended by hand and a deleted check alone', async () => {
    const { check, until } = await snoozed(Date.now() - 1_000)
    expect(await endSnooze(served.platform, check, new Date(until.getTime() - 5))).toBe('superseded')
    await served.platform.query('update checks set snoozed_until = null where id = $1', [check])
    expect(await endSnooze(served.platform, check, until)).toBe('superseded')
    expect(await endSnooze(served.platform, randomUUID(), until)).toBe('superseded')
  })

  test('notifies of a suppressed incident, and of none twice', async () => {
    const { tenant, monitor, check, until } = await snoozed(Date.now() - 1_000)
    const incident = await openIncident(tenant, monitor, check)
    await endSnooze(served.platform, check, until)
    expect(await notifiedIncidents(tenant)).toEqual([incident])

    const again = new Date(Date.now() - 500)
    await served.platform.query('update checks set snoozed_until = $2 where id = $1', [check, again])
    await endSnooze(served.platform, check, again)
    expect(await notifiedIncidents(tenant)).toEqual([incident])
  })
})
