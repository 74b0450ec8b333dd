import { beforeAll, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { effectiveLimits } from '#contract/plans.ts'
import { sendDue } from '#control-plane/alerting/digest/due.ts'
import { monthlyReports } from '#control-plane/alerting/digest/send-month.ts'
import { monthAt } from '#control-plane/identity/digest/month.ts'
import { attachReport } from '#control-plane/publishing/reports/attach.ts'
import { effectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import { unset } from '#control-plane/tenancy/branding/fields.ts'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { aPerson, type PersonUnderTest } from '#test/control-plane/identity/people.ts'
import { aMonitor, anIncident, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app } from '#test/support/app.ts'
import { fetchPdf, readPdf } from './pdfs.ts'

const { platform } = app.services
const zone = 'Europe/Berlin'
const last = monthAt(new Date(), zone, -1)
const hourMs = 3_600_000
const at = (day: number, hours = 0) => new Date(last.from.getTime() + ((day - 1) * 24 + hours) * hourMs)
const path = `/monthly-report?month=${last.month}&timezone=${zone}`

beforeAll(() => migrateClickhouse(app.stores.clickhouseUrl), 120_000)

/** A reader in Berlin whose monitor was down for an hour of the last month. */
async function aReader() {
  const person = await aPerson()
  await person.patch('/profile', { monthly_report: true, timezone: zone })
  const monitor = await aMonitor(person)
  await platform.query(`update monitors set created_at = '2020-01-01' where id = $1`, [monitor.id])
  await verdicts(person, monitor, [
    [new Date('2024-01-01'), 'up'],
    [at(5, 10), 'down'],
    [at(5, 11), 'up'],
  ])
  await anIncident(person, { monitor, startedAt: at(5, 10), resolvedAt: at(5, 11) })
  return { person, monitor }
}

/** Mails their month to a person, and answers what the mail of a team says. */
async function send(person: PersonUnderTest, of: { tenantId: string } = person) {
  const now = new Date(last.to.getTime() + 8 * hourMs)
  await platform.query('update users set monthly_report_at = $2 where id = $1', [person.userId, now])
  await sendDue(app.services, monthlyReports, { now })
  const mails = (await mailsOf(of)).filter(({ type }) => type === 'monthly_report')
  return mails.at(-1)!.data
}

/** The report that is attached to a mail. */
async function attached({ tenantId }: PersonUnderTest, data: Record<string, unknown>) {
  const branding = effectiveBranding(unset, effectiveLimits('pro', {}), null)
  const file = await attachReport(app.services)({ type: 'monthly_report', tenantId, data, language: 'en', branding })
  if (file === null || file === 'later') throw new Error('Nothing was attached.')
  return readPdf(new Uint8Array(file.content))
}

test('a month that was mailed stays as it was mailed, and says what later results would make of it', async () => {
  const { person, monitor } = await aReader()
  const before = (await person.get(path)).body.data
  expect(before).toMatchObject({ sent: null, downtime_s: 3_600 })
  const mail = await send(person)
  const sent = (await person.get(path)).body.data
  expect(sent).toEqual({ ...before, sent: { at: expect.any(String), now: null } })
  expect(sent.uptime_pct).toBe(mail.uptime_pct)
  await attached(person, mail)

  // results that came late: it was down for three more hours
  await verdicts(person, monitor, [
    [at(9, 1), 'down'],
    [at(9, 4), 'up'],
  ])
  await person.patch(`/monitors/${monitor.id}`, { name: 'Renamed' })
  const after = (await person.get(path)).body.data
  expect(after).toEqual({
    ...sent,
    sent: { at: sent.sent.at, now: { formula_version: before.formula_version, ...after.sent.now } },
  })
  expect(after.sent.now.downtime_s).toBe(4 * 3_600)
  expect(after.sent.now.uptime_pct).toBeLessThan(after.uptime_pct)

  const { text } = await readPdf((await fetchPdf(person, `/monthly-report.pdf?month=${last.month}`)).bytes)
  expect(text).toContain('This month is as it was mailed on')
  expect(text).toContain('down 4 h')
  expect(text).not.toContain('Renamed')
  const german = await readPdf((await fetchPdf(person, `/monthly-report.pdf?month=${last.month}&language=de`)).bytes)
  expect(german.text).toContain('wie er am')

  // in another zone the month is another one, and was not mailed
  const elsewhere = (await person.get(`/monthly-report?month=${last.month}&timezone=UTC`)).body.data
  expect(elsewhere).toMatchObject({ sent: null, downtime_s: 4 * 3_600, monitors: [{ monitor_name: 'Renamed' }] })
})

test('the report that is attached to the mail, and later readers, have what the mail had', async () => {
  const { person, monitor } = await aReader()
  const mail = await send(person)
  await verdicts(person, monitor, [
    [at(9, 1), 'down'],
    [at(9, 4), 'up'],
  ])
  await anIncident(person, { monitor, startedAt: at(9, 1), resolvedAt: at(9, 4) })
  const { text } = await attached(person, mail)
  expect(text).toContain('This month is as it was mailed on')

  // an incident that is found after the attachment is in no later copy of it
  await anIncident(person, { monitor, startedAt: at(12), resolvedAt: at(12, 1) })
  const { rows } = await platform.query('select details from sent_months where tenant_id = $1', [person.tenantId])
  expect(rows).toMatchObject([{ details: { incidents: { count: 2 } } }])

  const other = await aPerson()
  await platform.query(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'member')`, [
    other.userId,
    person.tenantId,
  ])
  await other.patch('/profile', { monthly_report: true, timezone: zone })
  await send(other, person)
  const copies = (await mailsOf(person)).filter(({ type }) => type === 'monthly_report')
  expect(copies.map(({ data }) => data.downtime_s)).toEqual([3_600, 3_600])
})
