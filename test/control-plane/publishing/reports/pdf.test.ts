import { createServer } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { Rollups } from '#analytics/rollup.ts'
import { monthAt } from '#control-plane/identity/digest/month.ts'
import { wordsOf } from '#control-plane/publishing/reports/pdf/words.ts'
import { fill } from '#locales/texts.ts'
import {
  aMonitor,
  anIncident,
  setObjective,
  spans,
  storeResults,
  verdicts,
} from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { fetchPdf, readPdf } from './pdfs.ts'

const { platform, clickhouse, clock } = app.services
const rolled = new Rollups({ clickhouse, now: () => clock.nowMs() })
const now = new Date()
const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1))
const month = lastMonth.toISOString().slice(0, 7)
const day = (date: number, hours = 0) => new Date(lastMonth.getTime() + ((date - 1) * 24 + hours) * 3_600_000)
const dateOf = (at: Date) => at.toISOString().slice(0, 10)

beforeAll(async () => {
  await migrateClickhouse(app.stores.clickhouseUrl)
  await rolled.reconcile()
}, 120_000)

/** A monitor with an hour of downtime, an hour of maintenance, a day without data and an objective. */
async function aMonthOf(owner: CallerUnderTest, name = 'Shop') {
  const monitor = await aMonitor(owner, { name, url: 'https://shop.example.com/' })
  await platform.query(`update monitors set created_at = '2020-01-01' where id = $1`, [monitor.id])
  await setObjective(monitor, { target_pct: 99.5, window_days: 30 })
  await platform.query(`update slo_spans set since = '2020-01-01' where monitor_id = $1`, [monitor.id])
  await verdicts(owner, monitor, [
    [day(2), 'up'],
    [day(5, 10), 'down'],
    [day(5, 11), 'up'],
  ])
  await spans(owner, monitor, [{ from: day(9, 2).getTime(), to: day(9, 3).getTime() }])
  await anIncident(owner, { monitor, startedAt: day(5, 10), resolvedAt: day(5, 11) })
  const times = [110, 130, 170, 210, 480]
  await storeResults(
    owner,
    monitor,
    times.map((ms, index) => ({ at: day(3, index), ms })),
  )
  rolled.touched(
    times.map((_, index) => ({ tenant: owner.tenantId, monitor: monitor.id, hour: day(3, index).getTime() })),
  )
  await rolled.tick()
  return monitor
}

describe('GET /monthly-report.pdf', () => {
  test('has the figures of the JSON report, incidents with their proof, and its metadata', async () => {
    const team = await given.tenant()
    await aMonthOf(team)
    const { data } = (await team.get(`/monthly-report?month=${month}`)).body
    const [monitor] = data.monitors
    expect(monitor).toMatchObject({ downtime_s: 3_600, maintenance_s: 3_600, slo: { used_s: 3_600 } })
    expect(monitor.p95_response_ms).toBeGreaterThan(monitor.p50_response_ms)
    const { status, headers, bytes } = await fetchPdf(team, `/monthly-report.pdf?month=${month}`)
    expect([status, headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(headers['content-disposition']).toContain('report.pdf')
    const { text, language, title, pages } = await readPdf(bytes)
    const words = wordsOf('en', 'UTC')
    for (const figure of [
      words.percent(monitor.uptime_pct),
      words.span(monitor.downtime_s),
      words.span(monitor.maintenance_s),
      words.span(monitor.no_data_s),
      words.ms(monitor.avg_response_ms),
      words.ms(monitor.p95_response_ms),
      words.percent(monitor.slo.left_pct),
      words.target(monitor.slo.target_pct),
      words.monthName(lastMonth),
      'Shop is down',
      'HTTP 503',
      '2 of 2 regions failed, 2 needed.',
      'eu-west: HTTP 503',
      `formula version ${data.formula_version}`,
      'Made with Vedette',
      'Times are those of UTC.',
    ])
      expect(text).toContain(figure)
    expect(pages).toBeGreaterThan(0)
    expect(language).toBe('en')
    expect(title).toContain(words.monthName(lastMonth))
  })

  test('is in German for a German reader, and in the language asked for', async () => {
    const team = await given.tenant()
    await aMonthOf(team)
    await platform.query(`update users set language = 'de' where id = $1`, [team.userId])
    const german = await readPdf((await fetchPdf(team, `/monthly-report.pdf?month=${month}`)).bytes)
    expect(german.language).toBe('de')
    for (const text of ['Verfügbarkeitsbericht', 'Störungen', '2 von 2 Regionen gestört, 2 nötig.', 'Formelversion 3'])
      expect(german.text).toContain(text)
    const english = await readPdf((await fetchPdf(team, `/monthly-report.pdf?month=${month}&language=en`)).bytes)
    expect(english.text).toContain('Uptime report')
    expect(english.text).not.toContain('Störungen')
    const { status, body } = await team.get('/monthly-report.pdf?language=fr')
    expect([status, Object.keys(body.errors)]).toEqual([422, ['language']])
  })

  test('is made of a team without monitors, and refused for a month that has not begun', async () => {
    const team = await given.tenant()
    const empty = await readPdf((await fetchPdf(team, `/monthly-report.pdf?month=${month}`)).bytes)
    expect(empty.text).toContain('There are no monitors.')
    expect(empty.text).toContain('There were no incidents.')
    const next = monthAt(now, 'UTC', 1).month
    const { status, body } = await team.get(`/monthly-report.pdf?month=${next}`)
    expect([status, body.code]).toEqual([422, 'month_not_over'])
    // JSON has whole months alone
    const running = await team.get(`/monthly-report?month=${now.toISOString().slice(0, 7)}`)
    expect([running.status, running.body.code]).toEqual([422, 'month_not_over'])
  })

  test('without a month has the current one so far: a team that is new has its monitors in it', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await aMonitor(team, { name: 'New shop' })
    const words = wordsOf('en', 'UTC')
    const title = fill(words.soFar, { month: words.monthName(now.toISOString()) })
    for (const pdf of [
      await fetchPdf(team, '/monthly-report.pdf?language=en'),
      await fetchPdf(reseller, `${team.path}/report.pdf?language=en`),
      await fetchPdf(team, `/monthly-report.pdf?language=en&month=${now.toISOString().slice(0, 7)}`),
    ]) {
      expect(pdf.status).toBe(200)
      const read = await readPdf(pdf.bytes)
      expect(read.title).toContain(title)
      expect(read.text).toContain('New shop')
    }
  })

  test('has the same bytes and entity tag for the same content, and is not sent again', async () => {
    const team = await given.tenant()
    await aMonthOf(team)
    const path = `/monthly-report.pdf?month=${month}`
    const [first, second] = [await fetchPdf(team, path), await fetchPdf(team, path)]
    expect(second.bytes.equals(first.bytes)).toBe(true)
    const etag = String(first.headers.etag)
    expect(second.headers.etag).toBe(etag)
    const again = await fetchPdf(team, path, { 'If-None-Match': etag })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
    await aMonthOf(team, 'Another')
    expect((await fetchPdf(team, path)).headers.etag).not.toBe(etag)
  })

  test('does not show a team the report of another', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    await aMonthOf(team, 'Secret shop')
    const { text } = await readPdf((await fetchPdf(other, `/monthly-report.pdf?month=${month}`)).bytes)
    expect(text).not.toContain('Secret shop')
  })
})

describe('GET /reseller/managed-teams/{managed_team}/report.pdf', () => {
  test('is branded by the reseller, and needs one of two scopes', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await aMonthOf(team)
    await platform.query(
      `insert into brandings (tenant_id, brand_name, primary_color, footer_text, hide_powered_by)
       values ($1, 'Acme Hosting', '#aa3355', 'Acme GmbH, Berlin', true)`,
      [reseller.tenantId],
    )
    const { status, bytes } = await fetchPdf(reseller, `${team.path}/report.pdf?month=${month}`)
    expect(status).toBe(200)
    const { text } = await readPdf(bytes)
    expect(text).toContain('Acme Hosting')
    expect(text).toContain('Acme GmbH, Berlin')
    expect(text).not.toContain('Vedette')
    for (const [scopes, expected] of [
      [['teams:read'], 200],
      [['monitors:read'], 200],
      [['monitors:manage'], 200],
      [['incidents:read', 'branding:read'], 403],
    ] as const) {
      const token = await given.token(reseller, 'rk', [...scopes])
      expect((await fetchPdf(token, `${team.path}/report.pdf?month=${month}`)).status, scopes.join()).toBe(expected)
    }
    const rival = await given.reseller()
    expect((await fetchPdf(rival, `${team.path}/report.pdf`)).status).toBe(403)
    expect((await fetchPdf(team, `${team.path}/report.pdf`)).status).toBe(403)
  })
})

describe('GET /monitors/{monitor}/report.pdf', () => {
  const from = dateOf(day(1))
  const to = dateOf(day(20))

  test('has the figures of the JSON report for each day and for all', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const monitor = await aMonthOf(team)
    const { data } = (await team.get(`/monitors/${monitor.id}/report?from=${from}&to=${to}`)).body
    const { bytes, status } = await fetchPdf(team, `/monitors/${monitor.id}/report.pdf?from=${from}&to=${to}`)
    expect(status).toBe(200)
    const { text } = await readPdf(bytes)
    const words = wordsOf('en', 'UTC')
    const rowOf = (entry: Record<string, number & string>) =>
      [
        words.date(entry.date!),
        words.percent(entry.uptime_pct ?? null),
        words.span(entry.downtime_s!),
        words.span(entry.maintenance_s!),
        words.span(entry.no_data_s!),
        words.ms(entry.avg_response_ms ?? null),
        words.ms(entry.p50_response_ms ?? null),
        words.ms(entry.p95_response_ms ?? null),
        words.count(entry.total_checks!),
      ].join(' ')
    expect(data.daily).toHaveLength(20)
    for (const entry of data.daily) expect(text).toContain(rowOf(entry))
    const { overall } = data
    for (const figure of [
      words.percent(overall.uptime_pct),
      words.ms(overall.avg_response_ms),
      [overall.p50_response_ms, overall.p95_response_ms, overall.p99_response_ms].map(words.ms).join(' / '),
      words.percent(data.slo.left_pct),
      'Shop is down',
      '2 of 2 regions failed',
    ])
      expect(text).toContain(figure)
    const twin = await fetchPdf(reseller, `${team.path}/monitors/${monitor.id}/report.pdf?from=${from}&to=${to}`)
    expect((await readPdf(twin.bytes)).text).toBe(text)
  })

  test('names maintenance windows that cover the monitor, and no others', async () => {
    const team = await given.tenant()
    const monitor = await aMonthOf(team)
    const window = (title: string, columns: string, at: Date) =>
      platform.query(
        `insert into maintenance_windows (id, tenant_id, title, starts_at, timezone, duration_minutes, state,
           actual_started_at, actual_ended_at, ${columns.split(' = ')[0]})
         values (gen_random_uuid(), $1, $2, '2026-01-01T00:00:00', 'UTC', 60, 'completed', $3,
           $3::timestamptz + interval '1 hour', ${columns.split(' = ')[1]})`,
        [team.tenantId, title, at],
      )
    await window('Of all', 'is_all = true', day(9, 2))
    await window('Of this one', `monitor_ids = array['${monitor.id}']::uuid[]`, day(9, 2))
    await window('Of others', `tags = array['db']`, day(9, 2))
    await window('Of last year', 'is_all = true', new Date(day(9).getTime() - 365 * 86_400_000))
    const { bytes } = await fetchPdf(team, `/monitors/${monitor.id}/report.pdf?from=${from}&to=${to}`)
    const { text } = await readPdf(bytes)
    for (const title of ['Of all', 'Of this one']) expect(text).toContain(title)
    for (const title of ['Of others', 'Of last year']) expect(text).not.toContain(title)
  })

  test('covers at most 90 days, and is 404 for the monitor of another team', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const { id } = await aMonitor(team)
    const ask = (last: string) => team.get(`/monitors/${id}/report.pdf?from=2026-01-01&to=${last}`)
    expect((await ask('2026-03-31')).status).toBe(200)
    expect(Object.keys((await ask('2026-04-01')).body.errors)).toEqual(['to'])
    expect((await other.get(`/monitors/${id}/report.pdf`)).status).toBe(404)
    expect((await given.stranger().get(`/monitors/${id}/report.pdf`)).status).toBe(401)
  })
})

test('a logo at a private address is not fetched, and the report has the name instead', async () => {
  let asked = 0
  const web = createServer((_, answer) => {
    asked++
    answer.end()
  })
  await new Promise<void>(resolve => web.listen(0, '127.0.0.1', resolve))
  try {
    const team = await given.tenant()
    const port = (web.address() as { port: number }).port
    await platform.query(`insert into brandings (tenant_id, brand_name, logo_url) values ($1, 'Inner', $2)`, [
      team.tenantId,
      `http://127.0.0.1:${port}/logo.png`,
    ])
    const { status, bytes } = await fetchPdf(team, '/monthly-report.pdf')
    expect(status).toBe(200)
    expect((await readPdf(bytes)).text).toContain('Inner')
    expect(asked).toBe(0)
  } finally {
    web.close()
  }
})
