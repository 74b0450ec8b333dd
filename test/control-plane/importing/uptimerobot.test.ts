import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { importAll, itemsOf, migrationOf, OldProvider } from './old-provider.ts'

const { platform } = app.services
const key = 'u1234567-0123456789abcdef'
let provider: OldProvider
beforeAll(async () => {
  provider = await OldProvider.open()
})
afterAll(() => provider?.close())

const robot = (id: number, fields: Record<string, unknown> = {}) => ({
  id,
  friendlyName: `Site ${id}`,
  type: 'HTTP',
  url: `https://s${id}.example.com/`,
  interval: 300,
  timeout: 30,
  status: 'UP',
  currentStateDuration: 7_200,
  tags: [{ id: 1, name: 'prod' }],
  httpMethodType: 'HEAD',
  successHttpResponseCodes: ['2xx', '3xx'],
  followRedirections: true,
  ...fields,
})
let robots: Record<string, unknown>[] = []
const statusOf = (id: number, status: string) => {
  robots = robots.map(each => (each.id === id ? { ...each, status } : each))
}
/** Version 3, with two records a page. */
const three: OldProvider['handle'] = ({ method, path, headers }, response) => {
  if (headers.authorization !== `Bearer ${key}`) {
    response.statusCode = 401
    return { message: 'Unauthorized' }
  }
  const url = new URL(path, provider.url)
  if (method === 'POST') {
    const [, id] = /^\/v3\/monitors\/(\d+)\/pause$/.exec(url.pathname) ?? []
    statusOf(Number(id), 'PAUSED')
    return robot(Number(id), { status: 'PAUSED' })
  }
  const from = Number(url.searchParams.get('cursor') ?? '0')
  const isMore = from + 2 < robots.length
  // an address elsewhere: only its cursor may be used
  const nextLink = isMore ? `https://elsewhere.example.com/v3/monitors?cursor=${from + 2}` : null
  return { data: robots.slice(from, from + 2), nextLink }
}
beforeEach(() => {
  provider.received.length = 0
  provider.handle = three
  robots = [robot(1), robot(2), robot(3, { status: 'PAUSED' }), robot(4)]
})

const options = { min_shadow_hours: 0, min_results: 0, max_divergence_percent: 0 }
const sent = (more: Record<string, unknown> = {}) => ({
  provider: 'uptimerobot',
  base_url: `${provider.url}/v3`,
  api_key: key,
  options,
  ...more,
})

/** What our engine says of a monitor, since long before the last interval. */
const weSay = (id: string, status: string) =>
  platform.query(`update monitors set status = $2, status_changed_at = now() - interval '1 day' where id = $1`, [
    id,
    status,
  ])

interface Divergence {
  monitor_name: string
  kind: string
  verdict: string
  to: string | null
}
const divergences = async (team: CallerUnderTest, id: string) =>
  (await team.get(`/migrations/${id}/divergences?per_page=100`)).body.data
    .map(({ monitor_name, kind, verdict, to }: Divergence) => [monitor_name, kind, verdict, to === null])
    .toSorted() as [string, string, string, boolean][]

describe('UptimeRobot', () => {
  test('is read page by page, every kind of its monitors as ours', async () => {
    robots = [
      robot(1, {
        authType: 'HTTP_BASIC',
        httpUsername: 'pat',
        httpPassword: 'pass-of-pat',
        sslExpirationReminder: true,
      }),
      robot(2, { type: 'KEYWORD', keywordType: 'ALERT_NOT_EXISTS', keywordValue: 'Welcome' }),
      robot(3, { type: 'KEYWORD', keywordType: 'ALERT_EXISTS', keywordValue: 'Error', status: 'PAUSED' }),
      robot(4, { type: 'PING', url: 'host.example.com' }),
      robot(5, { type: 'PORT', url: 'mail.example.com', port: 25 }),
      robot(6, { type: 'HEARTBEAT', url: '', interval: 86_400, gracePeriod: 600 }),
      robot(7, { type: 'DNS', url: 'example.com', config: { dnsRecords: { A: ['192.0.2.1'], PTR: ['x'] } } }),
      robot(8, { type: 'UDP', url: 'udp.example.com' }),
      robot(9, { url: 'http://169.254.169.254/' }),
      robot(10, { type: 'API', config: { apiAssertions: { checks: [] } } }),
      { odd: true },
    ]
    const team = await given.tenant()
    const id = await provider.preview(team, sent())
    expect(await migrationOf(team, id)).toMatchObject({ state: 'previewed', counts: { create: 8, skip: 3 } })
    const items = await itemsOf(team, id)
    expect(items.get('8')).toMatchObject({ action: 'skip', reason: 'There is no check for monitors of type UDP.' })
    expect(items.get('9')).toMatchObject({ action: 'skip', reason: 'url: This address is not public.' })
    expect(items.get('7')?.stand_ins).toContain('Records of type PTR are not looked up.')
    const monitors = await importAll(provider, team, id)
    const settings = async (name: string) =>
      (await team.get(`/monitors/${monitors.get(name)?.id}/checks`)).body.data.map(
        ({ type, settings }: { type: string; settings: unknown }) => [type, settings],
      )
    expect(await settings('Site 1')).toMatchObject([
      ['uptime', { method: 'HEAD', expected_status: ['200-299', '300-399'], auth: { type: 'basic', username: 'pat' } }],
      ['ssl', {}],
    ])
    expect(await settings('Site 2')).toMatchObject([['uptime', { method: 'GET', keyword_present: 'Welcome' }]])
    expect(await settings('Site 3')).toMatchObject([['uptime', { keyword_absent: 'Error' }]])
    expect(await settings('Site 4')).toMatchObject([['ping', {}]])
    expect(await settings('Site 5')).toMatchObject([['tcp', { port: 25 }]])
    expect(await settings('Site 6')).toMatchObject([['cron', { period_minutes: 1_440, grace_minutes: 10 }]])
    expect(await settings('Site 7')).toMatchObject([['dns', { record_types: ['A'], expected: { A: ['192.0.2.1'] } }]])
    // the key went nowhere but to the source, and is not stored in clear
    expect(provider.received.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true)
    const { rows } = await platform.query('select p::text as stored from provider_migrations p where id = $1', [id])
    const shown = (await team.get(`/migrations/${id}`)).text + (await team.get('/audit-log')).text
    for (const secret of [key, 'pass-of-pat']) expect(rows[0].stored + shown).not.toContain(secret)
  })

  test('is read by version 2 of its API as well, and paused by it', async () => {
    const two = Array.from({ length: 60 }, (_, n) => ({
      id: n + 1,
      friendly_name: `Old ${n + 1}`,
      url: `https://o${n + 1}.example.com/`,
      type: 1,
      sub_type: '',
      interval: 300,
      status: 2,
    }))
    two[1] = { ...two[1]!, type: 4, sub_type: '4', url: 'mail.example.com' }
    two[2] = { ...two[2]!, status: 0 }
    const edited: string[] = []
    provider.handle = ({ path, body }) => {
      const form = new URLSearchParams(body)
      if (form.get('api_key') !== key) return { stat: 'fail', error: { type: 'invalid_parameter' } }
      if (path.endsWith('/editMonitor')) {
        edited.push(`${form.get('id')} ${form.get('status')}`)
        return { stat: 'ok' }
      }
      const from = Number(form.get('offset'))
      return { stat: 'ok', pagination: { total: 60 }, monitors: two.slice(from, from + Number(form.get('limit'))) }
    }
    const team = await given.tenant({ overrides: { monitors: 100 } })
    const wrong = await provider.preview(team, sent({ base_url: `${provider.url}/v2`, api_key: 'wrong' }))
    expect((await migrationOf(team, wrong)).failure).toBe('UptimeRobot refuses: the key is not valid.')
    const id = await provider.preview(team, sent({ base_url: `${provider.url}/v2` }))
    expect((await migrationOf(team, id)).counts.create).toBe(60)
    const monitors = await importAll(provider, team, id)
    expect(monitors.get('Old 2')).toMatchObject({ type: 'host', url: expect.stringContaining('mail.example.com') })
    await team.post(`/migrations/${id}/shadow`)
    const { rows } = await platform.query(
      'select name from monitors where tenant_id = $1 and not is_enabled order by name',
      [team.tenantId],
    )
    expect(rows).toEqual([{ name: 'Old 3' }])
    await team.post(`/migrations/${id}/cutover`, { force: true, pause_source: true })
    expect(await provider.advance(id)).toBe('done')
    expect(edited).toHaveLength(60)
    expect(edited).toContain('1 0')
  })
})

describe('a shadow beside UptimeRobot', () => {
  test('notes what differs and why, is ready without differences, and pauses the source at the cutover', async () => {
    const team = await given.tenant()
    const id = await provider.preview(team, sent())
    const monitors = await importAll(provider, team, id)
    await team.post(`/migrations/${id}/shadow`, { api_key: key })
    const idOf = (n: number) => monitors.get(`Site ${n}`)!.id
    for (const n of [1, 2, 4]) await weSay(idOf(n), 'up')
    await provider.advance(id)
    expect((await migrationOf(team, id)).polled_at).not.toBeNull()
    expect(await divergences(team, id)).toEqual([])

    // one poll is no divergence: two statuses of different moments
    statusOf(1, 'DOWN')
    await provider.advance(id)
    expect(await divergences(team, id)).toEqual([])
    statusOf(1, 'UP')
    await provider.advance(id)

    statusOf(2, 'DOWN')
    statusOf(3, 'UP')
    await weSay(idOf(4), 'down')
    await platform.query(`update checks set failing_regions = '{eu-west}' where monitor_id = $1`, [idOf(2)])
    for (let poll = 0; poll < 2; poll++) await provider.advance(id)
    expect(await divergences(team, id)).toEqual([
      ['Site 2', 'missed', 'region', true],
      ['Site 3', 'state', 'unexplained', true],
      ['Site 4', 'extra', 'unexplained', true],
    ])
    const [both] = (await team.get(`/migrations/${id}/divergences?kind=missed`)).body.data
    expect([both.ours.status, both.theirs.status]).toEqual(['up', 'down'])

    const conditions = async () => {
      const { data } = (await team.get(`/migrations/${id}/cutover-readiness`)).body
      return Object.fromEntries(
        data.conditions.map((each: { name: string; is_met: boolean }) => [each.name, each.is_met]),
      )
    }
    expect(await conditions()).toMatchObject({ divergence_percent: false, source_polled: true, channels_tested: false })
    const early = await team.post(`/migrations/${id}/cutover`)
    expect([early.status, Object.keys(early.body.errors)]).toEqual([422, ['force']])

    statusOf(2, 'UP')
    statusOf(3, 'PAUSED')
    await weSay(idOf(4), 'up')
    await provider.advance(id)
    expect(await divergences(team, id)).toEqual([
      ['Site 2', 'missed', 'region', false],
      ['Site 3', 'state', 'unexplained', false],
      ['Site 4', 'extra', 'unexplained', false],
    ])
    const channel = randomUUID()
    await platform.query(
      `insert into notification_channels (id, tenant_id, type, name, config)
       values ($1, $2, 'webhook', 'Ops', '{"url":"https://ops.example.com/"}')`,
      [channel, team.tenantId],
    )
    await platform.query(
      `insert into deliveries (id, tenant_id, channel_id, event, status, next_at)
       values ($1, $2, $3, 'test', 'delivered', now())`,
      [randomUUID(), team.tenantId, channel],
    )
    await provider.advance(id)
    expect(await conditions()).toEqual({
      shadow_hours: true,
      results_per_monitor: true,
      divergence_percent: true,
      source_polled: true,
      channels_tested: true,
      heartbeats_switched: true,
    })
    expect((await migrationOf(team, id)).state).toBe('ready')

    expect((await team.post(`/migrations/${id}/cutover`, { pause_source: true })).body.data.state).toBe('cutover')
    expect(await provider.advance(id)).toBe('done')
    expect(robots.map(({ status }) => status)).toEqual(['PAUSED', 'PAUSED', 'PAUSED', 'PAUSED'])
    expect(await migrationOf(team, id)).toMatchObject({ has_credentials: false, poll_failure: null })
  })

  test('goes on where the source refuses: its reason is shown, and a cutover stands though it pauses nothing', async () => {
    const team = await given.tenant()
    const id = await provider.preview(team, sent())
    await importAll(provider, team, id)
    await team.post(`/migrations/${id}/shadow`)
    provider.handle = (_, response) => {
      response.statusCode = 403
      return {}
    }
    await provider.advance(id)
    expect(await migrationOf(team, id)).toMatchObject({
      state: 'shadow',
      poll_failure: expect.stringContaining('refuses the key (status 403)'),
    })
    await team.post(`/migrations/${id}/cutover`, { force: true, pause_source: true })
    expect(await provider.advance(id)).toBe('done')
    expect(await migrationOf(team, id)).toMatchObject({
      state: 'cutover',
      poll_failure: expect.stringMatching(/^The monitors of the old provider were not paused\. .*403/),
    })
  })

  test('forgets a key whose hour is over, and says so where it needs it', async () => {
    const team = await given.tenant()
    const id = await provider.preview(team, sent())
    await importAll(provider, team, id)
    await team.post(`/migrations/${id}/shadow`)
    await platform.query(
      `update provider_migrations set credentials_expire_at = now() - interval '1 second' where id = $1`,
      [id],
    )
    await provider.advance(id)
    const { rows } = await platform.query('select credentials from provider_migrations where id = $1', [id])
    expect(rows).toEqual([{ credentials: null }])
    expect(await migrationOf(team, id)).toMatchObject({
      state: 'shadow',
      has_credentials: false,
      poll_failure: 'The key of the source was deleted: send it again.',
    })
    const { body } = await team.post(`/migrations/${id}/cutover`, { force: true, pause_source: true })
    expect(Object.keys(body.errors)).toEqual(['pause_source'])
    await team.post(`/migrations/${id}/shadow`, { api_key: key })
    await provider.advance(id)
    expect(await migrationOf(team, id)).toMatchObject({ has_credentials: true, poll_failure: null })
  })
})
