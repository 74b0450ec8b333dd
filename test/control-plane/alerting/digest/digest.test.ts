import { randomInt, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { effectiveLimits } from '#contract/plans.ts'
import { sendDigests } from '#control-plane/alerting/digest/send.ts'
import { brandOf } from '#control-plane/alerting/mail/brand.ts'
import { renderMail } from '#control-plane/alerting/mail/render.ts'
import { leaverOf, leaveToken } from '#control-plane/people/digest/link.ts'
import { effectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import { unset } from '#control-plane/tenancy/branding/fields.ts'
import { type Asked, mailsOf } from '#test/control-plane/people/mails.ts'
import { aPerson, aPersonIn, join, type PersonUnderTest } from '#test/control-plane/people/people.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform, config } = app.services
const hourMs = 3_600_000
const digestsOf = async (of: { tenantId: string }): Promise<Asked[]> => (await mailsOf(of)).filter(({ type }) => type === 'digest')
const due = (person: CallerUnderTest) => platform.query(`update users set digest_at = clock_timestamp() where id = $1`, [person.userId])
const standing = async ({ userId }: CallerUnderTest) =>
  (await platform.query<{ digest: string; digest_at: Date | null }>('select digest, digest_at from users where id = $1', [userId])).rows[0]!

async function aMonitor(of: PersonUnderTest, name: string): Promise<{ id: string; checks: { id: string }[] }> {
  return (await of.post('/monitors', { name, url: `https://${name.toLowerCase()}.example.com/` })).body.data
}

/** A check that was up, and down for so long before a moment. */
async function wasDown({ tenantId }: CallerUnderTest, monitor: { id: string; checks: { id: string }[] }, from: Date, to: Date | null) {
  const check = monitor.checks[0]!.id
  const incident = randomUUID()
  await platform.query(
    `insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, severity, started_at, confirmed_at, resolved_at, status, quorum)
     values ($1, $2, $3, $4, 'uptime', $7, 'It is down', 'critical', $5, $5, $6::timestamptz, case when $6::timestamptz is null then 'investigating' else 'resolved' end, '{}')`,
    [incident, tenantId, monitor.id, check, from, to, randomInt(1_000_000)],
  )
  const changes: [Date, string][] = [[new Date(from.getTime() - 100 * 24 * hourMs), 'up'], [from, 'down'], ...(to ? [[to, 'up'] as [Date, string]] : [])]
  for (const [at, verdict] of changes)
    await platform.query('insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict) values ($1, $2, $3, $4, $5)', [
      tenantId,
      monitor.id,
      check,
      at,
      verdict,
    ])
}

// whose digest is due in this database from other tests
beforeEach(() => platform.query(`update users set digest = 'off', digest_at = null where digest <> 'off'`))

describe('a digest', () => {
  test('is off unless asked for, and then due the next morning where the person is', async () => {
    const person = await aPerson()
    expect((await person.get('/profile')).body.data.digest).toBe('off')
    expect((await person.patch('/profile', { digest: 'daily', timezone: 'Asia/Kathmandu' })).body.data).toMatchObject({ digest: 'daily' })
    const daily = await standing(person)
    expect(daily.digest_at?.toISOString()).toMatch(/T01:15:00\.000Z$/)
    expect(daily.digest_at!.getTime() - Date.now()).toBeLessThanOrEqual(24 * hourMs)
    await person.patch('/profile', { timezone: 'UTC' })
    expect((await standing(person)).digest_at?.toISOString()).toMatch(/T07:00:00\.000Z$/)
    await person.patch('/profile', { digest: 'weekly' })
    expect((await standing(person)).digest_at?.getUTCDay()).toBe(1)
    await person.patch('/profile', { digest: 'off' })
    expect(await standing(person)).toEqual({ digest: 'off', digest_at: null })
    expect(Object.keys((await person.patch('/profile', { digest: 'hourly' })).body.errors)).toEqual(['digest'])
  })

  test('tells what is down, what was, and how long everything was up, once for each team; and then the next day', async () => {
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

    await Promise.all([sendDigests(app.services), sendDigests(app.services)])
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
    expect((await digestsOf(elsewhere)).map(({ data }) => [data.monitors_count, data.incidents_count, data.uptime_pct])).toEqual([[1, 0, null]])
    expect((await standing(person)).digest_at?.getTime()).toBe(seven.getTime() + 24 * hourMs)
    const brand = brandOf(effectiveBranding(unset, effectiveLimits('pro', {}), null))
    expect(renderMail('digest', digest!.data, { language: 'de', brand }).text).toContain('2 Störungen, Verfügbarkeit 81,25')
  })

  test('of a week goes back to the Monday before', async () => {
    const person = await aPerson()
    await aMonitor(person, 'Shop')
    await person.patch('/profile', { digest: 'weekly' })
    await due(person)
    await sendDigests(app.services)
    const [digest] = await digestsOf(person)
    expect(digest!.data.period).toBe('weekly')
    expect(Date.parse(digest!.data.to) - Date.parse(digest!.data.from)).toBe(7 * 24 * hourMs)
    expect(new Date(digest!.data.to).getUTCDay()).toBe(1)
  })

  test('is not sent before its time, nor of a team without monitors or one that is gone', async () => {
    const [early, empty, gone] = [await aPerson(), await aPerson(), await aPerson()]
    for (const person of [early, empty, gone]) await person.patch('/profile', { digest: 'daily' })
    await aMonitor(early, 'Shop')
    await aMonitor(gone, 'Shop')
    await platform.query('update tenants set deleted_at = now() where id = $1', [gone.tenantId])
    for (const person of [empty, gone]) await due(person)
    await sendDigests(app.services)
    for (const person of [early, empty, gone]) expect(await digestsOf(person)).toEqual([])
    expect((await standing(empty)).digest_at!.getTime()).toBeGreaterThan(Date.now())
  })

  test('one that cannot be written keeps nobody else from theirs', async () => {
    const [broken, fine] = [await aPerson(), await aPerson()]
    for (const person of [broken, fine]) {
      await aMonitor(person, 'Shop')
      await person.patch('/profile', { digest: 'daily' })
      await due(person)
    }
    await platform.query(`update users set timezone = 'Nowhere/Land' where id = $1`, [broken.userId])
    await sendDigests(app.services)
    expect([(await digestsOf(broken)).length, (await digestsOf(fine)).length]).toEqual([0, 1])
    expect((await standing(broken)).digest_at!.getTime()).toBeGreaterThan(Date.now())
  })
})

describe('POST /digest/unsubscribe', () => {
  const leave = (token: string, headers = {}) => given.stranger().call('POST', `/digest/unsubscribe?token=${encodeURIComponent(token)}`, undefined, { headers })

  test('ends it by the link of the mail’s head, without signing in, as mail programs call it', async () => {
    const person = await aPersonIn((await given.tenant()).tenantId, 'owner')
    await aMonitor(person, 'Shop')
    await person.patch('/profile', { digest: 'daily' })
    await due(person)
    await sendDigests(app.services)
    const [digest] = await digestsOf(person)
    const url = new URL(digest!.data.one_click_url)
    expect(digest!.data.unsubscribe_url).toBe(`http://localhost/unsubscribe#${url.searchParams.get('token')}`)
    const answer = await fetch(app.baseUrl + url.pathname + url.search, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': person.ip },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(answer.status).toBe(200)
    expect(await standing(person)).toEqual({ digest: 'off', digest_at: null })
    expect((await leave(url.searchParams.get('token') ?? '')).status).toBe(200)
  })

  test('by looking at it, nothing ends: scanners follow links', async () => {
    const person = await aPerson()
    await person.patch('/profile', { digest: 'daily' })
    expect((await given.stranger().get(`/digest/unsubscribe?token=${leaveToken(config, person.userId ?? '')}`)).status).toBe(405)
    expect((await standing(person)).digest).toBe('daily')
  })

  test('takes no link but ours, and each ends one person’s', async () => {
    const [person, other] = [await aPerson(), await aPerson()]
    for (const each of [person, other]) await each.patch('/profile', { digest: 'daily' })
    const token = leaveToken(config, person.userId ?? '')
    const forged = [
      token.replace(person.userId ?? '', other.userId ?? ''),
      `${token.slice(0, -2)}AA`,
      '',
      'x',
      `${randomUUID()}.${'A'.repeat(43)}`,
      token.slice(0, -1),
    ]
    for (const wrong of forged) expect((await leave(wrong)).status, wrong).toBe(422)
    expect((await given.stranger().post('/digest/unsubscribe')).status).toBe(422)
    for (const each of [person, other]) expect((await standing(each)).digest).toBe('daily')
    expect((await leave(token)).status).toBe(200)
    expect([(await standing(person)).digest, (await standing(other)).digest]).toEqual(['off', 'daily'])
  })

  test('one signed with the key before is still taken, one of an unknown key is not', () => {
    const [userId, before] = [randomUUID(), { secretKey: 'a key of last year, long enough for anybody' }]
    const token = leaveToken(before, userId)
    expect(leaverOf({ ...config, previousSecretKeys: [before.secretKey] }, token)).toBe(userId)
    expect(leaverOf(config, token)).toBeNull()
  })
})
