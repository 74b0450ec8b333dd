import { randomInt, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { effectiveLimits } from '#contract/plans.ts'
import { sendDue } from '#control-plane/alerting/digest/due.ts'
import { digests } from '#control-plane/alerting/digest/send.ts'
import { monthlyReports } from '#control-plane/alerting/digest/send-month.ts'
import { brandOf } from '#control-plane/alerting/mail/brand.ts'
import { renderMail } from '#control-plane/alerting/mail/render.ts'
import { leaverOf, leaveToken } from '#control-plane/identity/digest/link.ts'
import { effectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import { unset } from '#control-plane/tenancy/branding/fields.ts'
import { type Asked, mailsOf } from '#test/control-plane/identity/mails.ts'
import { aPerson, aPersonIn, join, type PersonUnderTest } from '#test/control-plane/identity/people.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform, config } = app.services
const hourMs = 3_600_000
const sendDigests = () => sendDue(app.services, digests)
const digestsOf = async (of: { tenantId: string }): Promise<Asked[]> =>
  (await mailsOf(of)).filter(({ type }) => type === 'digest')
const due = (person: CallerUnderTest) =>
  platform.query(`update users set digest_at = clock_timestamp() where id = $1`, [person.userId])
const subscriptionOf = async ({ userId }: CallerUnderTest) =>
  (
    await platform.query<{ digest: string; digest_at: Date | null }>(
      'select digest, digest_at from users where id = $1',
      [userId],
    )
  ).rows[0]!

async function aMonitor(of: PersonUnderTest, name: string): Promise<{ id: string; checks: { id: string }[] }> {
  return (await of.post('/monitors', { name, url: `https://${name.toLowerCase()}.example.com/` })).body.data
}

/** A check that was up, and down for some hours before a moment. */
async function wasDown(
  { tenantId }: CallerUnderTest,
  monitor: { id: string; checks: { id: string }[] },
  from: Date,
  to: Date | null,
) {
  const check = monitor.checks[0]!.id
  const incident = randomUUID()
  await platform.query(
    `insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, severity, started_at,
         confirmed_at, resolved_at, status, quorum)
     values ($1, $2, $3, $4, 'uptime', $7, 'It is down', 'critical', $5, $5, $6::timestamptz,
         case when $6::timestamptz is null then 'investigating' else 'resolved' end, '{}')`,
    [incident, tenantId, monitor.id, check, from, to, randomInt(1_000_000)],
  )
  const changes: [Date, string][] = [
    [new Date(from.getTime() - 100 * 24 * hourMs), 'up'],
    [from, 'down'],
    ...(to ? [[to, 'up'] as [Date, string]] : []),
  ]
  for (const [at, verdict] of changes)
    await platform.query(
      'insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict) values ($1, $2, $3, $4, $5)',
      [tenantId, monitor.id, check, at, verdict],
    )
}

// people of other tests whose digest is due in this database
beforeEach(() => platform.query(`update users set digest = 'off', digest_at = null where digest <> 'off'`))

describe('a digest', () => {
  test('is off by default; once enabled it is due the next morning in the person’s time zone', async () => {
    const person = await aPerson()
    expect((await person.get('/profile')).body.data.digest).toBe('off')
    expect((await person.patch('/profile', { digest: 'daily', timezone: 'Asia/Kathmandu' })).body.data).toMatchObject({
      digest: 'daily',
    })
    const daily = await subscriptionOf(person)
    expect(daily.digest_at?.toISOString()).toMatch(/T01:15:00\.000Z$/)
    expect(daily.digest_at!.getTime() - Date.now()).toBeLessThanOrEqual(24 * hourMs)
    await person.patch('/profile', { timezone: 'UTC' })
    expect((await subscriptionOf(person)).digest_at?.toISOString()).toMatch(/T07:00:00\.000Z$/)
    await person.patch('/profile', { digest: 'weekly' })
    expect((await subscriptionOf(person)).digest_at?.getUTCDay()).toBe(1)
    await person.patch('/profile', { digest: 'off' })
    expect(await subscriptionOf(person)).toEqual({ digest: 'off', digest_at: null })
    expect(Object.keys((await person.patch('/profile', { digest: 'hourly' })).body.errors)).toEqual(['digest'])
  })

  test('lists monitors that are down, incidents and uptimes of each team, and is due again the next day', async () => {
    const person = await aPerson()
    const elsewhere = await aPerson()
    await join(person.userId, elsewhere.tenantId, 'member')
    const [shop, api] = [await aMonitor(person, 'Shop'), await aMonitor(person, 'Api')]
    await aMonitor(elsewhere, 'Theirs')
    await person.patch('/profile', { digest: 'daily' })
    await due(person)
    const { rows } = await platform.query<{ now: Date }>('select clock_timestamp() as now')
    const now = rows[0]!.now.getTime()
    const seven = new Date(Math.floor((now - 7 * hourMs) / (24 * hourMs)) * 24 * hourMs + 7 * hourMs)
    const ago = (hours: number) => new Date(seven.getTime() - hours * hourMs)
    await wasDown(person, api, ago(12), ago(6))
    await wasDown(person, shop, ago(3), null)
    await platform.query(`update monitors set status = 'down', status_changed_at = $2 where id = $1`, [shop.id, ago(3)])

    await Promise.all([sendDigests(), sendDigests()])
    const [digest, ...others] = await digestsOf(person)
    expect(others).toEqual([])
    expect(digest!.recipient).toMatchObject({ user_id: person.userId, email: person.email })
    const stamp = (date: Date) => date.toISOString().replace('Z', '000Z')
    expect(digest!.data).toMatchObject({
      period: 'daily',
      from: stamp(ago(24)),
      to: stamp(seven),
      timezone: 'UTC',
      monitors_count: 2,
      monitors_down: [{ monitor_name: 'Shop', monitor_url: 'https://shop.example.com/', since: stamp(ago(3)) }],
      incidents_count: 2,
      incidents: [
        { monitor_name: 'Shop', started_at: stamp(ago(3)), resolved_at: null, duration_s: 3 * 3_600 },
        { monitor_name: 'Api', started_at: stamp(ago(12)), resolved_at: stamp(ago(6)), duration_s: 6 * 3_600 },
      ],
      uptime: [
        { monitor_name: 'Api', uptime_pct: 75 },
        { monitor_name: 'Shop', uptime_pct: 87.5 },
      ],
      uptime_pct: 81.25,
    })
    expect(
      (await digestsOf(elsewhere)).map(({ data }) => [data.monitors_count, data.incidents_count, data.uptime_pct]),
    ).toEqual([[1, 0, null]])
    expect((await subscriptionOf(person)).digest_at?.getTime()).toBe(seven.getTime() + 24 * hourMs)
    const brand = brandOf(effectiveBranding(unset, effectiveLimits('pro', {}), null))
    expect(renderMail('digest', digest!.data, { language: 'de', brand }).text).toContain(
      '2 Störungen, Verfügbarkeit 81,25',
    )
  })

  test('of a week begins on the Monday before', async () => {
    const person = await aPerson()
    await aMonitor(person, 'Shop')
    await person.patch('/profile', { digest: 'weekly' })
    await due(person)
    await sendDigests()
    const [digest] = await digestsOf(person)
    expect(digest!.data.period).toBe('weekly')
    expect(Date.parse(digest!.data.to) - Date.parse(digest!.data.from)).toBe(7 * 24 * hourMs)
    expect(new Date(digest!.data.to).getUTCDay()).toBe(1)
  })

  test('is not sent too early, nor for a team without monitors or a deleted team', async () => {
    const [early, empty, gone] = [await aPerson(), await aPerson(), await aPerson()]
    for (const person of [early, empty, gone]) await person.patch('/profile', { digest: 'daily' })
    await aMonitor(early, 'Shop')
    await aMonitor(gone, 'Shop')
    await platform.query('update tenants set deleted_at = now() where id = $1', [gone.tenantId])
    for (const person of [empty, gone]) await due(person)
    await sendDigests()
    for (const person of [early, empty, gone]) expect(await digestsOf(person)).toEqual([])
    expect((await subscriptionOf(empty)).digest_at!.getTime()).toBeGreaterThan(Date.now())
  })

  test('one that cannot be written does not delay the others', async () => {
    const [broken, fine] = [await aPerson(), await aPerson()]
    for (const person of [broken, fine]) {
      await aMonitor(person, 'Shop')
      await person.patch('/profile', { digest: 'daily' })
      await due(person)
    }
    await platform.query(`update users set timezone = 'Nowhere/Land' where id = $1`, [broken.userId])
    await sendDigests()
    expect([(await digestsOf(broken)).length, (await digestsOf(fine)).length]).toEqual([0, 1])
    expect((await subscriptionOf(broken)).digest_at!.getTime()).toBeGreaterThan(Date.now())
  })
})

describe('the monthly report', () => {
  const reportsOf = async (of: { tenantId: string }): Promise<Asked[]> =>
    (await mailsOf(of)).filter(({ type }) => type === 'monthly_report')
  const sendAt = (now: string) => sendDue(app.services, monthlyReports, { now: new Date(now) })
  const dueAt = ({ userId }: CallerUnderTest, at: string) =>
    platform.query('update users set monthly_report_at = $2 where id = $1', [userId, at])
  const next = async ({ userId }: CallerUnderTest) =>
    (
      await platform.query<{ at: Date | null }>('select monthly_report_at as at from users where id = $1', [userId])
    ).rows[0]!.at?.toISOString() ?? null
  const wereThere = ({ tenantId }: CallerUnderTest) =>
    platform.query(`update monitors set created_at = '2025-06-01' where tenant_id = $1`, [tenantId])

  async function aReader(): Promise<PersonUnderTest> {
    const person = await aPerson()
    expect(
      (await person.patch('/profile', { monthly_report: true, timezone: 'Europe/Berlin' })).body.data,
    ).toMatchObject({
      monthly_report: true,
      digest: 'off',
    })
    return person
  }

  test('is off by default; once enabled it is due on the first of the month in the person’s time zone', async () => {
    const person = await aPerson()
    expect((await person.get('/profile')).body.data.monthly_report).toBe(false)
    await person.patch('/profile', { monthly_report: true, timezone: 'Asia/Kathmandu' })
    expect(await next(person)).toMatch(/-01T01:15:00\.000Z$/)
    await person.patch('/profile', { timezone: 'UTC' })
    expect(await next(person)).toMatch(/-01T07:00:00\.000Z$/)
    await person.patch('/profile', { monthly_report: false })
    expect(await next(person)).toBeNull()
    expect(Object.keys((await person.patch('/profile', { monthly_report: 'yes' })).body.errors)).toEqual([
      'monthly_report',
    ])
  })

  test('compares the month of a team with the month before, once, in the time zone of its reader', async () => {
    const person = await aReader()
    const [shop, api] = [await aMonitor(person, 'Shop'), await aMonitor(person, 'Api')]
    await wereThere(person)
    // down for six hours at the beginning of February; three of them are in January in Berlin
    await wasDown(person, shop, new Date('2026-01-31T20:00:00Z'), new Date('2026-02-01T02:00:00Z'))
    await wasDown(person, api, new Date('2026-02-10T00:00:00Z'), new Date('2026-02-10T12:00:00Z'))
    await dueAt(person, '2026-03-01T06:00:00Z')
    await sendAt('2026-03-01T05:59:59.999Z')
    expect(await reportsOf(person)).toEqual([])

    await Promise.all([sendAt('2026-03-01T06:00:00Z'), sendAt('2026-03-01T06:00:00Z')])
    const [report, ...others] = await reportsOf(person)
    expect(others).toEqual([])
    expect(report!.recipient).toMatchObject({ user_id: person.userId, email: person.email })
    expect(report!.data).toMatchObject({
      month: '2026-02',
      timezone: 'Europe/Berlin',
      from: '2026-01-31T23:00:00.000000Z',
      to: '2026-02-28T23:00:00.000000Z',
      monitors_count: 2,
      downtime_s: 15 * 3_600,
      incidents_count: 2,
      before: { month: '2026-01', downtime_s: 3 * 3_600, incidents_count: 1 },
      worst: [
        { monitor_name: 'Api', downtime_s: 12 * 3_600, incidents_count: 1, before_pct: 100 },
        { monitor_name: 'Shop', downtime_s: 3 * 3_600, incidents_count: 1 },
      ],
      monitors: [{ monitor_name: 'Api' }, { monitor_name: 'Shop' }],
      incidents: [
        { monitor_name: 'Api', duration_s: 12 * 3_600 },
        { monitor_name: 'Shop', duration_s: 3 * 3_600 },
      ],
    })
    expect(report!.data.uptime_pct).toBeCloseTo(100 - (100 * 15) / (2 * 28 * 24), 3)
    expect(report!.data.worst[1].before_pct).toBeCloseTo(100 - (100 * 3) / (31 * 24), 3)
    expect(await next(person)).toBe('2026-04-01T05:00:00.000Z')
    const brand = brandOf(effectiveBranding(unset, effectiveLimits('pro', {}), null))
    const { subject, text } = renderMail('monthly_report', report!.data, { language: 'de', brand })
    expect(subject).toContain('im Februar 2026')
    expect(text).toMatch(/Ausfallzeit: 15 h \(im Vormonat: 3 h\)/)

    // the same first of the month again: in a time zone further west, or after subscribing again
    await dueAt(person, '2026-03-01T06:00:00Z')
    await platform.query(`update users set timezone = 'America/New_York' where id = $1`, [person.userId])
    await sendAt('2026-03-01T12:00:00Z')
    expect(await reportsOf(person)).toHaveLength(1)
    expect(await next(person)).toBe('2026-04-01T11:00:00.000Z')
    await sendAt('2026-04-01T11:00:00Z')
    expect(
      (await reportsOf(person)).map(({ data }) => [data.month, data.incidents_count, data.before.incidents_count]),
    ).toEqual([
      ['2026-02', 2, 1],
      // the night from January to February is January’s in New York
      ['2026-03', 0, 1],
    ])
  })

  test('is not sent for a team without monitors, to people who disabled it, or for a deleted team', async () => {
    const [empty, late, unwilling] = [await aReader(), await aReader(), await aPerson()]
    for (const person of [late, unwilling]) await aMonitor(person, 'Shop')
    for (const person of [empty, late, unwilling]) await dueAt(person, '2026-03-01T06:00:00Z')
    await sendAt('2026-03-01T06:00:00Z')
    for (const person of [empty, late, unwilling]) expect(await reportsOf(person)).toEqual([])
    await wereThere(late)
    await sendAt('2026-04-01T05:00:00Z')
    expect((await reportsOf(late)).map(({ data }) => [data.month, data.uptime_pct])).toEqual([['2026-03', null]])
    await platform.query('delete from tenants where id = $1', [late.tenantId])
    const { rows } = await platform.query('select 1 from monthly_report_mails where user_id = $1', [late.userId])
    expect(rows).toEqual([])
  })

  test('is ended by the link of its own mail only, and that link ends no digest', async () => {
    const person = await aReader()
    await aMonitor(person, 'Shop')
    await wereThere(person)
    await person.patch('/profile', { digest: 'daily' })
    await dueAt(person, '2026-03-01T06:00:00Z')
    await sendAt('2026-03-01T06:00:00Z')
    const [report] = await reportsOf(person)
    const { pathname, search } = new URL(report!.data.one_click_url)
    expect(pathname).toBe('/api/v1/monthly-report/unsubscribe')
    for (const wrong of [
      `/digest/unsubscribe${search}`,
      `/monthly-report/unsubscribe?token=${leaveToken(config, 'digest', person.userId ?? '')}`,
    ])
      expect((await given.stranger().post(wrong)).status).toBe(422)
    for (const _ of [1, 2])
      expect((await given.stranger().post(`/monthly-report/unsubscribe${search}`)).status).toBe(200)
    expect((await person.get('/profile')).body.data).toMatchObject({ monthly_report: false, digest: 'daily' })
    expect(await next(person)).toBeNull()
  })

  test('is available for each past month to the team and its reseller', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { body } = await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })
    expect((await team.get('/monthly-reports')).body).toMatchObject({ data: [], meta: { total: 0, last_page: 1 } })
    await platform.query(
      `update tenants set created_at = date_trunc('month', now()) - interval '40 days' where id = $1`,
      [team.tenantId],
    )
    await wereThere(team)
    const { data } = (await team.get('/monthly-reports')).body
    expect(data).toMatchObject([{ status: 'ready', timezone: 'UTC' }, { status: 'ready' }])
    const [last, before] = data
    expect(last.from).toBe(before.to)
    const middle = new Date(Date.parse(last.from) + 10 * 24 * hourMs)
    await wasDown(team, body.data, middle, new Date(middle.getTime() + hourMs))
    const report = await team.get('/monthly-report')
    expect(report.status, report.text).toBe(200)
    expect(report.body.data).toMatchObject({
      month: last.month,
      formula_version: 3,
      downtime_s: 3_600,
      incidents_count: 1,
      before: { month: before.month, uptime_pct: 100, incidents_count: 0 },
      monitors: [
        {
          monitor_id: body.data.id,
          downtime_s: 3_600,
          longest_s: 3_600,
          mtta_s: null,
          mttr_s: 3_600,
          no_data_s: 0,
          before: { uptime_pct: 100 },
        },
      ],
    })
    expect((await reseller.get(`${team.path}/monthly-report?month=${last.month}`)).body).toEqual(report.body)
    expect((await team.get(`/monthly-report?month=${before.month}&timezone=Asia/Kathmandu`)).body.data).toMatchObject({
      incidents_count: 0,
      timezone: 'Asia/Kathmandu',
    })
    expect((await (await given.tenant()).get('/monthly-report')).body.data).toMatchObject({
      monitors_count: 0,
      uptime_pct: null,
      monitors: [],
    })
    expect((await team.get('/monthly-report?month=2021-01')).body.data).toMatchObject({ monitors_count: 0 })
    for (const [asked, field] of [
      [`month=${new Date().toISOString().slice(0, 7)}`, 'month'],
      ['month=2026-13', 'month'],
      ['month=x', 'month'],
      ['timezone=Nowhere', 'timezone'],
    ] as const)
      expect(Object.keys((await team.get(`/monthly-report?${asked}`)).body.errors), asked).toEqual([field])
  })
})

describe('POST /digest/unsubscribe', () => {
  const leave = (token: string, headers = {}) =>
    given.stranger().call('POST', `/digest/unsubscribe?token=${encodeURIComponent(token)}`, undefined, { headers })

  test('ends the digest by the link in the header of the mail, without a login, as mail programs do', async () => {
    const person = await aPersonIn((await given.tenant()).tenantId, 'owner')
    await aMonitor(person, 'Shop')
    await person.patch('/profile', { digest: 'daily' })
    await due(person)
    await sendDigests()
    const [digest] = await digestsOf(person)
    const url = new URL(digest!.data.one_click_url)
    expect(digest!.data.unsubscribe_url).toBe(`http://localhost/unsubscribe#${url.searchParams.get('token')}`)
    const answer = await fetch(app.baseUrl + url.pathname + url.search, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': person.ip },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(answer.status).toBe(200)
    expect(await subscriptionOf(person)).toEqual({ digest: 'off', digest_at: null })
    expect((await leave(url.searchParams.get('token') ?? '')).status).toBe(200)
  })

  test('a GET of the link ends nothing, as scanners follow links', async () => {
    const person = await aPerson()
    await person.patch('/profile', { digest: 'daily' })
    expect(
      (await given.stranger().get(`/digest/unsubscribe?token=${leaveToken(config, 'digest', person.userId ?? '')}`))
        .status,
    ).toBe(405)
    expect((await subscriptionOf(person)).digest).toBe('daily')
  })

  test('refuses forged links, and each link ends the digest of one person', async () => {
    const [person, other] = [await aPerson(), await aPerson()]
    for (const each of [person, other]) await each.patch('/profile', { digest: 'daily' })
    const token = leaveToken(config, 'digest', person.userId ?? '')
    const forged = [
      token.replace(person.userId ?? '', other.userId ?? ''),
      `${token.slice(0, -2)}${token.endsWith('AA') ? 'BA' : 'AA'}`,
      '',
      'x',
      `${randomUUID()}.${'A'.repeat(43)}`,
      token.slice(0, -1),
    ]
    for (const wrong of forged) expect((await leave(wrong)).status, wrong).toBe(422)
    expect((await given.stranger().post('/digest/unsubscribe')).status).toBe(422)
    for (const each of [person, other]) expect((await subscriptionOf(each)).digest).toBe('daily')
    expect((await leave(token)).status).toBe(200)
    expect([(await subscriptionOf(person)).digest, (await subscriptionOf(other)).digest]).toEqual(['off', 'daily'])
  })

  test('a link signed with the previous key is valid, one with an unknown key is not', () => {
    const [userId, before] = [randomUUID(), { secretKey: 'a key of last year, long enough for a key' }]
    const token = leaveToken(before, 'digest', userId)
    expect(leaverOf({ ...config, previousSecretKeys: [before.secretKey] }, 'digest', token)).toBe(userId)
    expect(leaverOf(config, 'digest', token)).toBeNull()
  })
})
