import { beforeAll, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { sendDue } from '#control-plane/alerting/digest/due.ts'
import { digests } from '#control-plane/alerting/digest/send.ts'
import { monthlyReports } from '#control-plane/alerting/digest/send-month.ts'
import { monthAt } from '#control-plane/identity/digest/month.ts'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { aPerson } from '#test/control-plane/identity/people.ts'
import { aMonitor, anIncident, minutesAgo, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { fetchPdf, readPdf } from '#test/control-plane/publishing/reports/pdfs.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
const last = monthAt(new Date(), 'UTC', -1)
const [hourMs, dayMs] = [3_600_000, 86_400_000]
const day = (date: number) => new Date(last.from.getTime() + (date - 1) * dayMs)
const later = (at: Date, hours: number) => new Date(at.getTime() + hours * hourMs)

beforeAll(() => migrateClickhouse(app.stores.clickhouseUrl), 120_000)

/** Two monitors, of which one was down for two hours of the last month. */
async function twoMonitors(owner: CallerUnderTest) {
  const [gone, stays] = [
    await aMonitor(owner, { name: 'Old shop', url: 'https://old.example/', tags: ['prod'] }),
    await aMonitor(owner, { name: 'New shop' }),
  ]
  await platform.query(`update monitors set created_at = '2024-01-01' where tenant_id = $1`, [owner.tenantId])
  for (const monitor of [gone, stays]) await verdicts(owner, monitor, [[new Date('2024-01-02'), 'up']])
  await verdicts(owner, gone, [
    [day(3), 'down'],
    [later(day(3), 2), 'up'],
  ])
  const incident = await anIncident(owner, { monitor: gone, startedAt: day(3), resolvedAt: later(day(3), 2) })
  return { gone, stays, incident }
}

test('the incidents of a deleted monitor stay, with its name and address as they were', async () => {
  const team = await given.tenant()
  const { gone, incident } = await twoMonitors(team)
  const open = await anIncident(team, { monitor: gone, startedAt: minutesAgo(5) })
  const before = (await team.get(`/incidents/${incident}`)).body.data
  expect(before).toMatchObject({ is_monitor_removed: false, check_id: gone.check })
  expect((await team.delete(`/monitors/${gone.id}`)).status).toBe(204)

  expect((await team.get(`/incidents/${incident}`)).body.data).toMatchObject({
    ...{ monitor_id: gone.id, monitor_name: 'Old shop', monitor_url: 'https://old.example/' },
    ...{ is_monitor_removed: true, check_id: null, duration_s: before.duration_s, number: before.number },
  })
  expect((await team.get(`/incidents/${open}`)).body.data).toMatchObject({ status: 'resolved', resolution: 'deleted' })
  for (const query of [`monitor_id=${gone.id}`, 'tag=prod', 'search=old%20shop'])
    expect((await team.get(`/incidents?${query}`)).body.data.map(({ id }: { id: string }) => id)).toEqual([
      open,
      incident,
    ])
  expect((await team.post(`/incidents/${incident}/archive`)).status).toBe(200)
  expect((await team.get(`/monitors/${gone.id}`)).status).toBe(404)
  expect((await team.get('/dashboard/stats')).body.data.open_incidents.total).toBe(0)
})

test('reports of the time before name a deleted monitor; those of the time after do not', async () => {
  const person = await aPerson()
  const { gone, stays } = await twoMonitors(person)
  // in the range of a digest, which ends at seven
  const seven = new Date(Math.floor((app.services.clock.nowMs() - 7 * hourMs) / dayMs) * dayMs + 7 * hourMs)
  await anIncident(person, { monitor: gone, startedAt: later(seven, -2), resolvedAt: later(seven, -1) })
  const path = `/monthly-report?month=${last.month}`
  const before = (await person.get(path)).body.data
  expect(before).toMatchObject({ monitors_count: 2, incidents_count: 1, downtime_s: 7_200 })
  expect((await person.delete(`/monitors/${gone.id}`)).status).toBe(204)

  const after = (await person.get(path)).body.data
  const { monitors_count, incidents_count, downtime_s, uptime_pct } = before
  expect(after).toMatchObject({
    ...{ monitors_count, incidents_count, downtime_s, uptime_pct },
    incidents: [{ monitor_name: 'Old shop' }],
  })
  expect(after.monitors.find(({ monitor_id }: { monitor_id: string }) => monitor_id === gone.id)).toMatchObject({
    ...{ monitor_name: 'Old shop', monitor_url: 'https://old.example/', is_removed: true },
    ...{ incidents_count: 1, longest_s: 7_200, mttr_s: 7_200 },
  })
  const { text } = await readPdf((await fetchPdf(person, `/monthly-report.pdf?month=${last.month}`)).bytes)
  expect(text).toContain('Old shop (deleted)')

  // a digest of the day
  await person.patch('/profile', { digest: 'daily' })
  await platform.query('update users set digest_at = clock_timestamp() where id = $1', [person.userId])
  await sendDue(app.services, digests)
  const [digest] = (await mailsOf(person)).filter(({ type }) => type === 'digest')
  expect(digest!.data).toMatchObject({
    monitors_count: 1,
    incidents: [{ monitor_name: 'Old shop', duration_s: 3_600 }],
  })

  await platform.query(`update removed_monitors set removed_at = $2 where id = $1`, [gone.id, later(day(4), 0)])
  await platform.query(`update monitor_changes set at = $2 where monitor_id = $1 and verdict = 'none'`, [
    gone.id,
    later(day(4), 0),
  ])
  const next = monthAt(new Date(), 'UTC')
  await person.patch('/profile', { monthly_report: true, timezone: 'UTC' })
  const due = later(next.to, 7)
  await platform.query('update users set monthly_report_at = $2 where id = $1', [person.userId, due])
  await platform.query('delete from incidents where monitor_id = $1 and started_at > $2', [gone.id, next.from])
  await sendDue(app.services, monthlyReports, { now: due })
  const [report] = (await mailsOf(person)).filter(({ type }) => type === 'monthly_report')
  expect(report!.data).toMatchObject({ monitors_count: 1, before: { incidents_count: 1 } })
  expect(stays.id).not.toBe(gone.id)
})

test('a purged team leaves nothing of its deleted monitors', async () => {
  const team = await given.tenant()
  const { gone } = await twoMonitors(team)
  await team.delete(`/monitors/${gone.id}`)
  await platform.query('delete from tenants where id = $1', [team.tenantId])
  for (const table of ['removed_monitors', 'incidents', 'imported_histories'])
    expect((await platform.query(`select 1 from ${table} where tenant_id = $1`, [team.tenantId])).rows).toEqual([])
})
