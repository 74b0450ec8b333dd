import { expect, test } from 'vitest'
import { deleteExpiredWindows } from '#control-plane/monitoring/maintenance-windows/delete-expired.ts'
import { aMonitor, spans } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'
import { aWindow } from './windows.ts'

const { platform, clock } = app.services
const path = '/maintenance-windows'

test('windows are deleted when they are over for longer than the plan keeps data, and no others', async () => {
  const team = await given.tenant()
  await platform.query(`update tenants set feature_overrides = '{"data_retention_days": 7}' where id = $1`, [
    team.tenantId,
  ])
  const made = async (title: string, verbs: string[], days: number) => {
    const { id } = await aWindow(team, { title })
    for (const verb of verbs) expect((await team.post(`${path}/${id}/${verb}`)).status).toBe(200)
    await platform.query(
      `update maintenance_windows set updated_at = clock_timestamp() - make_interval(days => $2, mins => 1)
       where id = $1`,
      [id, days],
    )
  }
  await made('completed', ['start', 'stop'], 7)
  await made('cancelled', ['cancel'], 7)
  await made('completed lately', ['start', 'stop'], 6)
  await made('active', ['start'], 30)
  await made('scheduled', [], 30)
  await deleteExpiredWindows(platform)
  const left = (await team.get(`${path}?per_page=50`)).body.data
  expect(left.map(({ title }: { title: string }) => title).sort()).toEqual(['active', 'completed lately', 'scheduled'])
})

test('occurrences that pages announced are kept as long as uptime can be asked for', async () => {
  const team = await given.tenant()
  const { id } = await aWindow(team)
  const of = `from maintenance_occurrences where window_id = '${id}'`
  await platform.query(
    `insert into maintenance_occurrences (tenant_id, window_id, monitor_ids, planned_at, started_at, ended_at)
     select $1, $2, '{}', at, at, at from (
       select now() - make_interval(days => days, mins => 1) as at from unnest(array[400, 399]) as d(days)) a`,
    [team.tenantId, id],
  )
  await deleteExpiredWindows(platform)
  expect((await platform.query(`select id ${of}`)).rows).toHaveLength(1)
  await team.delete(`/maintenance-windows/${id}`)
  expect((await platform.query(`select id ${of}`)).rows).toEqual([])
})

test('times of maintenance are kept as long as uptime can be asked for', async () => {
  const team = await given.tenant()
  const monitor = await aMonitor(team)
  const at = (days: number) => clock.nowMs() - days * 86_400_000
  await spans(team, monitor, [
    { from: at(402), to: at(400.01) },
    { from: at(402), to: at(399.99) },
    { from: at(500), to: null },
  ])
  await deleteExpiredWindows(platform)
  const { rows } = await platform.query<{ is_open: boolean }>(
    'select ended_at is null as is_open from maintenance_spans where monitor_id = $1 order by id',
    [monitor.id],
  )
  expect(rows).toEqual([{ is_open: false }, { is_open: true }])
})
