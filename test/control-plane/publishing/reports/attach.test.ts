import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { percent, plain } from '#contract/figures.ts'
import type { Attach } from '#control-plane/alerting/mail/mail-worker.ts'
import { attachReport } from '#control-plane/publishing/reports/attach.ts'
import { aReader, ask, gone, platformAt, Town } from '#test/control-plane/alerting/mail/posted.ts'
import { aMonitor, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'
import type { MailServer } from '#test/support/mail-server.ts'
import { readPdf } from './pdfs.ts'

const { platform } = app.services
const attach = attachReport(app.services)
let town: Town
let server: MailServer
/** How often a report could not be made yet. */
let refusals = 0
beforeAll(async () => {
  await migrateClickhouse(app.stores.clickhouseUrl)
  town = await Town.found()
  server = await town.server({ encryption: 'ssl' })
  const unreliable: Attach = async mail => (refusals-- > 0 ? 'later' : attach(mail))
  town.mailWorker(town.mailer(platformAt(server)), undefined, unreliable)
}, 120_000)
afterAll(() => town?.close())

const reader = (language: string) => ({ ...aReader, email: `${randomUUID()}@example.net`, language })
const arrivedAt = (address: string) => server.arrived.filter(({ to }) => to.includes(address))

test('the mail of a month has its report as a PDF, in the reader’s language and time zone', async () => {
  const team = await given.tenant()
  const monitor = await aMonitor(team, { name: 'Bäckerei' })
  await platform.query(`update monitors set created_at = '2020-01-01' where id = $1`, [monitor.id])
  // the month of the example, January 2026 in Berlin
  await verdicts(team, monitor, [
    [new Date('2025-12-01T00:00:00Z'), 'up'],
    [new Date('2026-01-10T10:00:00Z'), 'down'],
    [new Date('2026-01-10T11:00:00Z'), 'up'],
  ])
  const to = reader('de')
  await gone(await ask(team.tenantId, 'monthly_report', { to }))
  const [arrived, ...others] = arrivedAt(to.email)
  expect(others).toEqual([])
  const [attachment] = arrived!.mail.attachments
  expect(attachment).toMatchObject({ filename: 'report-2026-01.pdf', mimeType: 'application/pdf' })
  const { text, language } = await readPdf(new Uint8Array(attachment!.content as ArrayBuffer))
  const { data } = (await team.get('/monthly-report?month=2026-01&timezone=Europe/Berlin')).body
  expect(language).toBe('de')
  expect(text).toContain('Bäckerei')
  expect(text).toContain('Januar 2026')
  expect(text).toContain(plain(percent(data.uptime_pct, 'de')))
  expect(text).toMatch(/Die Zeiten sind die von Europe\/ ?Berlin\./)
  const { rows } = await platform.query(`select 1 from outbox where payload::text like '%JVBER%'`)
  expect(rows).toEqual([])
})

test('a mail waits for a report that cannot be made yet, and is sent once', async () => {
  const team = await given.tenant()
  refusals = 1
  const to = reader('en')
  await gone(await ask(team.tenantId, 'monthly_report', { to }))
  expect(arrivedAt(to.email).map(({ mail }) => mail.attachments.length)).toEqual([1])
}, 30_000)

test('other mails have no attachment', async () => {
  const team = await given.tenant()
  const to = reader('en')
  await gone(await ask(team.tenantId, 'digest', { to }))
  expect(arrivedAt(to.email)[0]!.mail.attachments).toEqual([])
})
