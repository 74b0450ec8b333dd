import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Audience, selectionOf } from '#control-plane/alerting/plan/plan.ts'
import type { Suppression } from '#control-plane/db/model/shapes.ts'
import { defaultSuppression } from '#control-plane/engine/suppression/rules.ts'
import { applySuppression } from '#control-plane/engine/suppression/watch.ts'
import { WriteBatch } from '#control-plane/engine/verdicts/batch.ts'
import { writeBatch } from '#control-plane/engine/verdicts/write-batch.ts'
import { aProof } from '#test/support/a-proof.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { takeEpoch } from '#test/support/epoch.ts'
import { aWindow } from './windows.ts'

const { platform, log } = app.services
const path = '/maintenance-windows'
const pass = () => applySuppression({ platform, log })

async function aMonitor(team: CallerUnderTest) {
  const { body } = await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })
  return { id: body.data.id as string, check: body.data.checks[0].id as string }
}

const evidence = { error_code: 'http_status', http_status: 503, phase: 'ttfb', snippet: null }

/** What the engine writes when a check goes down or comes back. */
async function write(check: string, fill: (writes: ReturnType<WriteBatch['of']>) => void) {
  const batch = new WriteBatch()
  fill(batch.of(check))
  await writeBatch(platform, await takeEpoch(platform), batch, defaultSuppression)
}
const goDown = (check: string) =>
  write(check, writes => {
    const at = Date.now()
    const words = { title: 'Shop is down', cause: 'The connection was refused.', severity: 'critical' }
    writes.opens = { check_id: check, ...words, started_at: at, confirmed_at: at, quorum: aProof, evidence } as never
  })
const comeBack = (check: string) =>
  write(check, writes => {
    writes.resolvedAt = Date.now()
  })
const warn = (check: string) =>
  write(check, writes => {
    writes.warning = {
      check_id: check,
      event: 'warning.ssl_expiring',
      depth: 1,
      since: Date.now(),
      code: 'ssl_expiring',
      reason: 'The certificate expires in 7 days.',
      regions: ['eu-west'],
      details: {},
    }
  })

/** Events of a team's incidents and warnings that its channels, or those of its reseller, are notified of. */
async function notified(team: { tenantId: string }, audience: Audience = 'team'): Promise<string[]> {
  const { rows } = await platform.query<{ name: string; suppression: Suppression | null }>(
    `select name, suppression from outbox where tenant_id = $1 and kind = 'event' and name ~ '^(incident|warning|monitor.flapping)' order by id`,
    [team.tenantId],
  )
  return rows
    .filter(({ suppression }) => selectionOf(suppression, audience).channels !== 'none')
    .map(({ name }) => name)
}

test('what begins in a window and is still down at its end is notified then, once', async () => {
  const team = await given.tenant()
  const { check } = await aMonitor(team)
  const { id } = await aWindow(team)
  await team.post(`${path}/${id}/start`)
  await goDown(check)
  await pass()
  expect((await team.get('/dashboard/stats')).body.data.open_incidents.total).toBe(1)
  for (const audience of ['team', 'reseller'] as const) expect(await notified(team, audience)).toEqual([])
  await team.post(`${path}/${id}/stop`)
  for (let time = 0; time < 2; time++) await pass()
  for (const audience of ['team', 'reseller'] as const)
    expect(await notified(team, audience), audience).toEqual(['incident.created'])
  await comeBack(check)
  for (const audience of ['team', 'reseller'] as const)
    expect(await notified(team, audience), audience).toEqual(['incident.created', 'incident.resolved'])
})

test('what begins and recovers in a window is not notified', async () => {
  const team = await given.tenant()
  const { check } = await aMonitor(team)
  const { id } = await aWindow(team)
  await team.post(`${path}/${id}/start`)
  for (let time = 0; time < 4; time++) {
    await goDown(check)
    await comeBack(check)
  }
  await team.post(`${path}/${id}/stop`)
  await pass()
  for (const audience of ['team', 'reseller'] as const) expect(await notified(team, audience)).toEqual([])
  const { rows } = await platform.query('select 1 from incidents where tenant_id = $1', [team.tenantId])
  expect(rows).toHaveLength(4)
})

test('what was down before a window is notified of its recovery in the window', async () => {
  const team = await given.tenant()
  const { check } = await aMonitor(team)
  const { id } = await aWindow(team)
  await goDown(check)
  await team.post(`${path}/${id}/start`)
  await comeBack(check)
  expect(await notified(team)).toEqual(['incident.created', 'incident.resolved'])
})

test('a monitor that the window does not cover is notified as always', async () => {
  const team = await given.tenant()
  const [covered, other] = [await aMonitor(team), await aMonitor(team)]
  const { id } = await aWindow(team, { scope: { monitor_ids: [covered.id] } })
  await team.post(`${path}/${id}/start`)
  await goDown(other.check)
  expect(await notified(team)).toEqual(['incident.created'])
})

test('a snooze that outlasts the window keeps the alert from the team, and not from the reseller', async () => {
  const team = await given.tenant()
  const { check } = await aMonitor(team)
  const { id } = await aWindow(team)
  await team.post(`${path}/${id}/start`)
  await team.post(`/checks/${check}/snooze`, { minutes: 60 })
  await goDown(check)
  await team.post(`${path}/${id}/stop`)
  await pass()
  expect([await notified(team), await notified(team, 'reseller')]).toEqual([[], ['incident.created']])
  await team.post(`/checks/${check}/unsnooze`)
  for (let time = 0; time < 2; time++) await pass()
  expect([await notified(team), await notified(team, 'reseller')]).toEqual([['incident.created'], ['incident.created']])
})

test('a warning of a window is notified at its end', async () => {
  const team = await given.tenant()
  const { check } = await aMonitor(team)
  const { id } = await aWindow(team)
  await team.post(`${path}/${id}/start`)
  await warn(check)
  await pass()
  expect(await notified(team)).toEqual([])
  await team.post(`${path}/${id}/stop`)
  for (let time = 0; time < 2; time++) await pass()
  expect(await notified(team)).toEqual(['warning.ssl_expiring'])
})

test('an incident that is opened in a window names it, and no other does', async () => {
  const team = await given.tenant()
  const [covered, other] = [await aMonitor(team), await aMonitor(team)]
  const { id } = await aWindow(team, { scope: { monitor_ids: [covered.id] } })
  await goDown(covered.check)
  await comeBack(covered.check)
  await team.post(`${path}/${id}/start`)
  await goDown(covered.check)
  await goDown(other.check)
  const { data } = (await team.get('/incidents')).body
  const windowOf = (monitor: string) =>
    data
      .filter((incident: { monitor_id: string }) => incident.monitor_id === monitor)
      .map((incident: { maintenance_window_id: string | null }) => incident.maintenance_window_id)
  expect([windowOf(covered.id), windowOf(other.id)]).toEqual([[id, null], [null]])
})

test('a change in a window is recorded, and no channel is notified of it, not even after the window', async () => {
  const team = await given.tenant()
  const [covered, other] = [await aMonitor(team), await aMonitor(team)]
  const { id } = await aWindow(team, { scope: { monitor_ids: [covered.id] } })
  await team.post(`${path}/${id}/start`)
  const renew = (check: string) =>
    write(check, writes => {
      writes.detected.push({
        id: randomUUID(),
        check_id: check,
        at: Date.now(),
        event: 'certificate.renewed',
        regions: ['eu-west'],
        payload: {},
        is_muted: false,
      })
    })
  await renew(covered.check)
  await team.post(`${path}/${id}/stop`)
  await pass()
  await renew(other.check)
  const changes = await platform.query('select check_id from check_changes where tenant_id = $1 order by at', [
    team.tenantId,
  ])
  expect(changes.rows).toEqual([{ check_id: covered.check }, { check_id: other.check }])
  const events = await platform.query<{ suppression: Suppression }>(
    `select suppression from outbox where tenant_id = $1 and name = 'certificate.renewed' order by id`,
    [team.tenantId],
  )
  for (const audience of ['team', 'reseller'] as const)
    expect(events.rows.map(({ suppression }) => selectionOf(suppression, audience))).toEqual([
      { channels: 'none', reason: 'maintenance' },
      { channels: 'all' },
    ])
})
