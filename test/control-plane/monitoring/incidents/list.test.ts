import { describe, expect, test } from 'vitest'
import { aMonitor, anIncident, minutesAgo } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const idsOf = (body: { data: { id: string }[] }) => body.data.map(incident => incident.id)

async function walk(
  caller: CallerUnderTest,
  query: string,
): Promise<{ pages: string[][]; cursors: string[]; last: string | null }> {
  const pages: string[][] = []
  const cursors: string[] = []
  let cursor: string | null = ''
  let last: string | null = null
  while (cursor !== null) {
    const { status, body } = await caller.get(`/incidents?${query}${cursor && `&cursor=${cursor}`}`)
    expect(status).toBe(200)
    pages.push(idsOf(body))
    expect(body.meta.has_more).toBe(body.meta.next_cursor !== null)
    cursor = body.meta.next_cursor
    last = body.meta.prev_cursor
    if (cursor) cursors.push(cursor)
  }
  return { pages, cursors, last }
}

describe('GET /incidents', () => {
  test('reads a list in one parameter with commas, or in several of its name; what is no list is given once', async () => {
    const tenant = await given.tenant()
    const ids = [
      await anIncident(tenant, { startedAt: minutesAgo(9) }),
      await anIncident(tenant, { startedAt: minutesAgo(8) }),
    ]
    await app.services.platform.query(`update incidents set severity = 'minor' where id = $1`, [ids[0]])
    const found = async (query: string) => idsOf((await tenant.get(`/incidents?${query}`)).body).length
    expect(await found('severity=critical,minor')).toBe(2)
    expect(await found('severity=critical&severity=minor')).toBe(2)
    expect(await found('severity=minor&severity=major')).toBe(1)
    const unknown = await tenant.get('/incidents?severity=critical&severity=grave')
    expect([unknown.status, Object.keys(unknown.body.errors)]).toEqual([422, ['severity.1']])
    const twice = await tenant.get('/incidents?acknowledged=true&acknowledged=false')
    expect([twice.status, twice.body.errors]).toEqual([
      422,
      { acknowledged: ['Give this parameter once, as plain text.'] },
    ])
  })

  test('finds by title, name of the monitor and number', async () => {
    const tenant = await given.tenant()
    const bakery = await aMonitor(tenant, { name: 'Bakery 50%_off' })
    const shop = await anIncident(tenant, { startedAt: minutesAgo(9) })
    const bread = await anIncident(tenant, { startedAt: minutesAgo(8), monitor: bakery })
    await tenant.patch(`/incidents/${bread}`, { title: 'No bread \\ no rolls' })
    const stranger = await given.tenant()
    await anIncident(stranger, { monitor: await aMonitor(stranger, { name: 'Bakery of another' }) })
    const { body } = await tenant.get(`/incidents/${shop}`)
    const found = async (search: string) =>
      idsOf((await tenant.get(`/incidents?search=${encodeURIComponent(search)}`)).body)

    expect(await found('BREAD')).toEqual([bread])
    expect(await found(' bakery ')).toEqual([bread])
    expect(await found('50%_')).toEqual([bread])
    expect(await found('%')).toEqual([bread])
    expect(await found('\\')).toEqual([bread])
    expect(await found(`#${body.data.number}`)).toEqual([shop])
    expect(await found(String(body.data.number))).toContain(shop)
    expect(await found('2147483647')).toEqual([])
    expect(await found('#9999999999')).toEqual([])
    expect(await found('')).toEqual([bread, shop])
    expect(await found('x'.repeat(200))).toEqual([])
    const refused = await tenant.get(`/incidents?search=${'x'.repeat(201)}`)
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors)).toEqual(['search'])
    expect((await tenant.get('/incidents?search=%00')).status).toBe(422)
  })

  test('lists newest first, with the proof each was opened on', async () => {
    const tenant = await given.tenant()
    const older = await anIncident(tenant, { startedAt: minutesAgo(9) })
    const newer = await anIncident(tenant, {
      startedAt: '2026-01-01T10:00:00.123456Z',
      resolvedAt: '2026-01-01T10:05:00Z',
    })
    const { body } = await tenant.get('/incidents')
    expect(idsOf(body)).toEqual([older, newer])
    expect(body.data[0].quorum).toMatchObject({
      policy: { mode: 'majority' },
      required: 2,
      failed: ['eu-west', 'us-east'],
    })
    expect(body.data[0].duration_s).toBeGreaterThanOrEqual(540)
    expect(body.data[1]).toMatchObject({
      started_at: '2026-01-01T10:00:00.123456Z',
      status: 'resolved',
      resolution: 'recovered',
      duration_s: 299,
      monitor_name: 'Shop',
    })
    expect(body.meta).toEqual({ next_cursor: null, prev_cursor: null, has_more: false, per_page: 15 })
  })

  test('finds by every filter', async () => {
    const tenant = await given.tenant()
    const api = await aMonitor(tenant, { name: 'API', tags: ['prod', 'eu'] })
    const major = await anIncident(tenant, { severity: 'major', startedAt: minutesAgo(50), monitor: api })
    const dns = await anIncident(tenant, { checkType: 'dns', startedAt: minutesAgo(40) })
    const minor = await anIncident(tenant, { severity: 'minor', startedAt: minutesAgo(30), resolvedAt: minutesAgo(20) })
    const taken = await anIncident(tenant, { startedAt: minutesAgo(10) })
    const quiet = await anIncident(tenant, { startedAt: minutesAgo(5) })
    await tenant.post(`/incidents/${taken}/acknowledge`)
    await tenant.post(`/incidents/${quiet}/snooze`, { minutes: 5 })
    const found = async (query: string) => idsOf((await tenant.get(`/incidents?${query}`)).body)

    expect(await found('severity=major,minor')).toEqual([minor, major])
    expect(await found('check_type=dns')).toEqual([dns])
    expect(await found('check_type=dns,ssl')).toEqual([dns])
    expect(await found('acknowledged=true')).toEqual([taken])
    expect(await found('acknowledged=0')).toEqual([quiet, minor, dns, major])
    expect(await found('snoozed=true')).toEqual([quiet])
    expect(await found('snoozed=false')).toEqual([taken, minor, dns, major])
    expect(await found(`since=${minutesAgo(15).toISOString()}`)).toEqual([quiet, taken])
    expect(await found('status=resolved')).toEqual([minor])
    expect(await found(`monitor_id=${api.id}`)).toEqual([major])
    expect(await found('tag=eu')).toEqual([major])
    expect(await found('tag=e')).toEqual([])
    expect(await found('severity=major&acknowledged=true')).toEqual([])
    // a snooze that is over is none
    await app.services.platform.query(
      `update incidents set snoozed_until = now() - interval '1 second' where id = $1`,
      [quiet],
    )
    expect(await found('snoozed=true')).toEqual([])
  })

  test('hides the archived until they are asked for', async () => {
    const tenant = await given.tenant()
    const gone = await anIncident(tenant, { startedAt: minutesAgo(9), resolvedAt: minutesAgo(5) })
    const here = await anIncident(tenant)
    await tenant.post(`/incidents/${gone}/archive`)
    expect(idsOf((await tenant.get('/incidents')).body)).toEqual([here])
    expect(idsOf((await tenant.get('/incidents?archived=true')).body)).toEqual([gone])
    await tenant.post(`/incidents/${gone}/unarchive`)
    expect(idsOf((await tenant.get('/incidents')).body)).toEqual([here, gone])
  })

  test('sorts by severity and by end, an incident that goes on being the last to end', async () => {
    const tenant = await given.tenant()
    const minor = await anIncident(tenant, { severity: 'minor', startedAt: minutesAgo(9), resolvedAt: minutesAgo(1) })
    const critical = await anIncident(tenant, {
      severity: 'critical',
      startedAt: minutesAgo(9),
      resolvedAt: minutesAgo(2),
    })
    const open = await anIncident(tenant, { severity: 'major', startedAt: minutesAgo(10) })
    const sorted = async (query: string) => idsOf((await tenant.get(`/incidents?${query}`)).body)
    expect(await sorted('sort=severity')).toEqual([critical, open, minor])
    expect(await sorted('sort=severity&sort_dir=asc')).toEqual([minor, open, critical])
    expect(await sorted('sort=resolved_at')).toEqual([open, minor, critical])
    expect(await sorted('sort=resolved_at&sort_dir=asc')).toEqual([critical, minor, open])
    expect(await sorted('sort=-severity')).toEqual([critical, open, minor])
    expect(await sorted('sort=-resolved_at&sort_dir=asc')).toEqual([critical, minor, open])
    expect(await sorted('sort=updated_at')).toEqual([minor, critical, open])
  })

  test.each(['started_at', 'severity', 'updated_at', 'resolved_at'])(
    'walks by %s both ways and meets each incident once, ties included',
    async sort => {
      const tenant = await given.tenant()
      const monitor = await aMonitor(tenant)
      const moment = minutesAgo(30)
      for (let i = 0; i < 11; i++)
        await anIncident(tenant, {
          monitor: { id: monitor.id, check: '' },
          startedAt: i < 6 ? moment : minutesAgo(i),
          severity: ['critical', 'major', 'minor'][i % 3] as string,
          resolvedAt: i % 4 === 0 ? null : i < 6 ? moment : minutesAgo(i - 1),
        })
      for (const direction of ['asc', 'desc']) {
        const whole = idsOf((await tenant.get(`/incidents?sort=${sort}&sort_dir=${direction}&per_page=100`)).body)
        expect(new Set(whole).size).toBe(11)
        const { pages, last } = await walk(tenant, `sort=${sort}&sort_dir=${direction}&per_page=4`)
        expect(pages.flat()).toEqual(whole)
        let back: string[] = []
        let cursor = last
        while (cursor) {
          const { body } = await tenant.get(`/incidents?sort=${sort}&sort_dir=${direction}&per_page=4&cursor=${cursor}`)
          expect(body.meta.has_more).toBe(true)
          back = [...idsOf(body), ...back]
          cursor = body.meta.prev_cursor
        }
        expect(back).toEqual(whole.slice(0, 8))
      }
    },
  )

  test('shows a tenant its own incidents only, and a reseller those of the team it names', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const own = await anIncident(reseller)
    const theirs = await anIncident(team)
    await anIncident(await given.tenant())
    expect(idsOf((await reseller.get('/incidents')).body)).toEqual([own])
    expect(idsOf((await team.get('/incidents')).body)).toEqual([theirs])
    expect(idsOf((await reseller.get(`${team.path}/incidents`)).body)).toEqual([theirs])
    expect(idsOf((await reseller.get('/incidents', { headers: { 'X-Tenant-Id': team.tenantId } })).body)).toEqual([
      theirs,
    ])
    expect((await (await given.reseller()).get(`${team.path}/incidents`)).status).toBe(403)
    expect((await (await given.reseller({ scopes: ['monitors:manage'] })).get('/incidents')).status).toBe(403)
    expect((await given.stranger().get('/incidents')).status).toBe(401)
    expect((await (await given.token(team, 'sk', ['monitors:read'])).get('/incidents')).status).toBe(403)
    expect((await (await given.token(team, 'sk', ['incidents:read'])).get('/incidents')).status).toBe(200)
  })

  test('refuses filters it does not know', async () => {
    const tenant = await given.tenant()
    for (const query of [
      'severity=fatal',
      'check_type=telepathy',
      'acknowledged=maybe',
      'since=yesterday',
      'sort=title',
      'sort_dir=up',
      'status=open',
      'monitor_id=1',
      'archived=2',
      'per_page=0',
      'per_page=101',
      'per_page=1e2',
      'per_page=-1',
      'tag=%00',
    ])
      expect((await tenant.get(`/incidents?${query}`)).status, query).toBe(422)
  })

  test('refuses a cursor that was changed, made for another order or by another tenant', async () => {
    const tenant = await given.tenant()
    const other = await given.tenant()
    for (const owner of [tenant, other])
      for (let i = 0; i < 3; i++) await anIncident(owner, { startedAt: minutesAgo(i) })
    const cursor: string = (await tenant.get('/incidents?per_page=1')).body.meta.next_cursor
    const foreign: string = (await other.get('/incidents?per_page=1')).body.meta.next_cursor
    const refused = async (text: string, query = '') => {
      const { status, body } = await tenant.get(`/incidents?per_page=1${query}&cursor=${encodeURIComponent(text)}`)
      expect(status, text).toBe(422)
      expect(Object.keys(body.errors)).toEqual(['cursor'])
    }
    expect((await tenant.get(`/incidents?per_page=1&cursor=${cursor}`)).status).toBe(200)
    expect((await tenant.get(`/incidents?per_page=1&sort=-started_at&cursor=${cursor}`)).status).toBe(200)
    await refused(foreign)
    await refused(cursor, '&sort=severity')
    await refused(cursor, '&sort_dir=asc')
    await refused('x'.repeat(10_000))
    for (const text of [
      '',
      '.',
      '..',
      `${cursor}.`,
      `${cursor}x`,
      cursor.split('.')[0] as string,
      '\u{1f4a5}',
      `${cursor}\n`,
    ])
      await refused(text)
  })

  test('refuses a cursor with any one bit changed', async () => {
    const tenant = await given.tenant()
    for (let i = 0; i < 2; i++) await anIncident(tenant, { startedAt: minutesAgo(i) })
    const cursor: string = (await tenant.get('/incidents?per_page=1')).body.meta.next_cursor
    const callers = await Promise.all(Array.from({ length: 4 }, () => given.token(tenant, 'sk', ['incidents:read'])))
    for (let i = 0; i < 1_000; i++) {
      const bytes = Buffer.from(cursor)
      const place = (i * 37) % (bytes.length * 8)
      bytes[place >> 3]! ^= 1 << (place & 7)
      const { status } = await callers[i % 4]!.get(
        `/incidents?per_page=1&cursor=${encodeURIComponent(bytes.toString('latin1'))}`,
      )
      expect([422, 429], bytes.toString('latin1')).toContain(status)
    }
  })
})
