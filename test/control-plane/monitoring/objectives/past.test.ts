import { beforeAll, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { monthAt } from '#control-plane/identity/digest/month.ts'
import { aMonitor, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { fetchPdf, readPdf } from '#test/control-plane/publishing/reports/pdfs.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
const last = monthAt(new Date(), 'UTC', -1)
const before = monthAt(new Date(), 'UTC', -2)
const [strict, loose] = [
  { target_pct: 99.99, window_days: 30 },
  { target_pct: 99, window_days: 7 },
]

beforeAll(() => migrateClickhouse(app.stores.clickhouseUrl), 120_000)

async function aShop(team: CallerUnderTest) {
  const monitor = await aMonitor(team)
  await platform.query(`update monitors set created_at = '2020-01-01' where id = $1`, [monitor.id])
  await verdicts(team, monitor, [[new Date('2024-01-01'), 'up']])
  return monitor
}
/** Moves the beginnings of a monitor's objectives, the first first. */
async function beganAt({ id }: { id: string }, ...moments: Date[]) {
  const { rows } = await platform.query(
    'select since::text from slo_spans where monitor_id = $1 order by slo_spans.since',
    [id],
  )
  expect(rows).toHaveLength(moments.length)
  for (const [n, { since }] of rows.entries())
    await platform.query('update slo_spans set since = $3, ended_at = $4 where monitor_id = $1 and since = $2', [
      id,
      since,
      moments[n],
      moments[n + 1] ?? null,
    ])
}
const sloIn = async (team: CallerUnderTest, { month }: { month: string }) =>
  (await team.get(`/monthly-report?month=${month}`)).body.data.monitors[0].slo

test('a month has the objective of its end, and none before one was set', async () => {
  const team = await given.tenant()
  const monitor = await aShop(team)
  await team.patch(`/monitors/${monitor.id}`, { slo: loose })
  expect(await sloIn(team, last)).toBeNull()
  expect((await team.get(`/monitors/${monitor.id}/slo`)).body.data).toMatchObject(loose)

  await team.patch(`/monitors/${monitor.id}`, { slo: strict })
  await beganAt(monitor, new Date(before.from.getTime() + 1), new Date(last.from.getTime() + 1))
  expect(await sloIn(team, before)).toMatchObject({ ...loose, left_pct: 100 })
  expect(await sloIn(team, last)).toMatchObject(strict)
  const { text } = await readPdf((await fetchPdf(team, `/monthly-report.pdf?month=${before.month}`)).bytes)
  expect(text).toContain('99 %')

  await team.patch(`/monitors/${monitor.id}`, { slo: null })
  expect(await sloIn(team, last)).toMatchObject(strict)
  expect((await team.get(`/monitors/${monitor.id}/slo`)).status).toBe(404)
  const day = last.from.toISOString().slice(0, 10)
  const report = async (from: string, to: string) =>
    (await team.get(`/monitors/${monitor.id}/report?from=${from}&to=${to}`)).body.data.slo
  expect(await report(day, day)).toMatchObject(strict)
  const today = new Date().toISOString().slice(0, 10)
  expect(await report(today, today)).toBeNull()
})

test('an objective ends with its monitor, and a purged team leaves none', async () => {
  const team = await given.tenant()
  const monitor = await aShop(team)
  await team.patch(`/monitors/${monitor.id}`, { slo: strict })
  await beganAt(monitor, new Date('2024-01-01'))
  await team.delete(`/monitors/${monitor.id}`)
  const { rows } = await platform.query('select ended_at from slo_spans where monitor_id = $1', [monitor.id])
  expect(rows).toEqual([{ ended_at: expect.any(Date) }])
  await team.patch(`/monitors/${(await aShop(team)).id}`, { slo: loose })
  await platform.query('delete from tenants where id = $1', [team.tenantId])
  expect((await platform.query('select 1 from slo_spans where tenant_id = $1', [team.tenantId])).rows).toEqual([])
})
