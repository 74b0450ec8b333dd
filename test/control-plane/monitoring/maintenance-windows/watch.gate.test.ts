import { beforeEach, expect, test } from 'vitest'
import { moveWindows } from '#control-plane/monitoring/maintenance-windows/watch.ts'
import { app, given } from '#test/support/app.ts'
import { aWindow, maintenanceEvents, minutesFromNow } from './windows.ts'

const { platform, log, bounded } = app.services
const path = '/maintenance-windows'
const move = () => moveWindows({ platform, log, bounded })

// windows of other tests whose moment has come
beforeEach(move)

const shift = (id: string, column: 'next_starts_at' | 'next_ends_at', by: string) =>
  platform.query(`update maintenance_windows set ${column} = clock_timestamp() + $2::interval where id = $1`, [id, by])

test('a window starts and ends by itself when its moment has come, and not before', async () => {
  const team = await given.tenant()
  const { id } = await aWindow(team, { timezone: 'UTC', starts_at: minutesFromNow(1) })
  const state = async () => (await team.get(`${path}/${id}`)).body.data.state
  await move()
  expect(await state()).toBe('scheduled')
  await shift(id, 'next_starts_at', '-1 millisecond')
  await move()
  expect(await state()).toBe('active')
  await move()
  expect(await state()).toBe('active')
  await shift(id, 'next_ends_at', '-1 millisecond')
  await move()
  const { data } = (await team.get(`${path}/${id}`)).body
  expect(data).toMatchObject({ state: 'completed', next_starts_at: null, next_ends_at: null })
  expect(data.actual_ended_at > data.actual_started_at).toBe(true)
  expect(await maintenanceEvents(team)).toEqual(['maintenance.scheduled', 'maintenance.started', 'maintenance.ended'])
})

test('a window that recurs is scheduled again, and completed after its last occurrence', async () => {
  const team = await given.tenant()
  const { id } = await aWindow(team, { timezone: 'UTC', starts_at: minutesFromNow(-30), rrule: 'FREQ=DAILY;COUNT=2' })
  const first = (await team.get(`${path}/${id}`)).body.data
  await move()
  await shift(id, 'next_ends_at', '-1 millisecond')
  await move()
  const second = (await team.get(`${path}/${id}`)).body.data
  expect(second.state).toBe('scheduled')
  expect(Date.parse(second.next_starts_at) - Date.parse(first.next_starts_at)).toBe(86_400_000)
  await team.post(`${path}/${id}/start`)
  await shift(id, 'next_ends_at', '-1 millisecond')
  await move()
  expect((await team.get(`${path}/${id}`)).body.data.state).toBe('completed')
})

test('a rule that cannot be read ends its window, goes into quarantine, and stops no other tenant', async () => {
  const [bad, good] = [await given.tenant(), await given.tenant()]
  const daily = { timezone: 'UTC', starts_at: minutesFromNow(-30), rrule: 'FREQ=DAILY' }
  const [broken, sound] = [await aWindow(bad, daily), await aWindow(good, daily)]
  await move()
  await platform.query(`update maintenance_windows set rrule = 'FREQ=NEVER' where id = $1`, [broken.id])
  for (const { id } of [broken, sound]) await shift(id, 'next_ends_at', '-1 millisecond')
  await move()
  expect((await bad.get(`${path}/${broken.id}`)).body.data).toMatchObject({ state: 'scheduled', next_starts_at: null })
  expect((await good.get(`${path}/${sound.id}`)).body.data.next_starts_at).not.toBeNull()
  const { rows } = await platform.query(
    `select tenant_id, attempts from quarantined_rows where kind = 'maintenance_window' and key = $1`,
    [broken.id],
  )
  expect(rows).toEqual([{ tenant_id: bad.tenantId, attempts: 1 }])
  await move()
  const again = await platform.query(`select attempts from quarantined_rows where key = $1`, [broken.id])
  expect(again.rows).toEqual([{ attempts: 1 }])
  await platform.query('delete from quarantined_rows where key = $1', [broken.id])
  await platform.query('delete from maintenance_windows where id = $1', [broken.id])
})

test('ten thousand windows that start in the same minute start in one round, each once', async () => {
  const team = await given.tenant()
  await platform.query(
    `insert into monitors (id, tenant_id, name, url, type, region_policy, check_interval, timeout, confirmations,
       recovery_confirmations)
     select gen_random_uuid(), $1, 'Shop ' || n, 'https://shop.example/', 'website', '{"mode":"any","count":null}', 60,
       10, 2, 2 from generate_series(1, 10000) n`,
    [team.tenantId],
  )
  await platform.query(
    `insert into maintenance_windows (id, tenant_id, title, monitor_ids, starts_at, timezone, duration_minutes, mode,
       next_starts_at, next_ends_at, notify_on_start)
     select gen_random_uuid(), $1, 'Window', array[id], '2026-01-01T00:00:00', 'UTC', 60, 'pause_checks',
       clock_timestamp() - interval '1 second', clock_timestamp() + interval '1 hour', true
     from monitors where tenant_id = $1`,
    [team.tenantId],
  )
  const began = performance.now()
  await Promise.all([move(), move()])
  const ms = performance.now() - began
  const active = await platform.query(
    `select count(*)::int as windows from maintenance_windows where tenant_id = $1 and state = 'active'`,
    [team.tenantId],
  )
  const events = await platform.query(
    `select count(*)::int as events, count(distinct payload ->> 'maintenance_window_id')::int as windows from outbox
     where tenant_id = $1 and name = 'maintenance.started'`,
    [team.tenantId],
  )
  const covered = await platform.query(
    `select count(*)::int as spans, count(distinct (window_id, monitor_id))::int as pairs from maintenance_spans
     where tenant_id = $1 and ended_at is null`,
    [team.tenantId],
  )
  expect(covered.rows).toEqual([{ spans: 10_000, pairs: 10_000 }])
  console.log(`10,000 windows started in ${Math.round(ms)} ms`)
  expect([...active.rows, ...events.rows]).toEqual([{ windows: 10_000 }, { events: 10_000, windows: 10_000 }])
  await platform.query('delete from outbox where tenant_id = $1', [team.tenantId])
  await platform.query('delete from maintenance_windows where tenant_id = $1', [team.tenantId])
  await platform.query('delete from monitors where tenant_id = $1', [team.tenantId])
}, 180_000)
