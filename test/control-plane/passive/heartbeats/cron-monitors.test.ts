import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const hourly = { name: 'Nightly backup', schedule: '30 2 * * *', timezone: 'Europe/Berlin' }
const create = async (team: CallerUnderTest, body: object = hourly) =>
  (await team.post('/cron-monitors', body)).body.data
const addressOf = (monitor: { ping_url: string }) => new URL(monitor.ping_url).pathname
const stranger = () => given.stranger()

describe('/cron-monitors', () => {
  test('creates a monitor with its check, a ping URL and the next three expected pings', async () => {
    const team = await given.tenant()
    const { status, body } = await team.post('/cron-monitors', {
      ...hourly,
      tags: ['backup'],
      grace_minutes: 10,
      severity: 'major',
      max_run_minutes: 90,
    })
    expect(status).toBe(201)
    const monitor = body.data
    expect(monitor).toMatchObject({
      name: 'Nightly backup',
      url: 'cron://nightly-backup',
      status: null,
      severity: 'major',
      schedule_kind: 'cron',
      schedule: '30 2 * * *',
      timezone: 'Europe/Berlin',
      period_minutes: null,
      grace_minutes: 10,
      max_run_minutes: 90,
      former_ping_urls: [],
      pings_total: 0,
      last_ping_at: null,
      running_since: null,
    })
    expect(monitor.next_expected).toHaveLength(3)
    const times = monitor.next_expected.map((at: string) =>
      new Date(at).toLocaleTimeString('de-DE', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' }),
    )
    expect(times).toEqual(['02:30', '02:30', '02:30'])
    expect(addressOf(monitor)).toMatch(/^\/api\/ping\/[\da-f-]{36}$/)
    for (const id of [monitor.id, monitor.check_id]) expect(monitor.ping_url).not.toContain(id)
    expect(await app.emitted(team)).toEqual(['monitor.created'])
    expect(await app.audited(team)).toContain('monitor.created')

    const general = (await team.get(`/monitors/${monitor.id}`)).body.data
    expect(general).toMatchObject({
      type: 'cron',
      next_check_at: null,
      checks: [{ id: monitor.check_id, type: 'cron', severity: 'major' }],
    })
    expect(JSON.stringify(general)).not.toContain(addressOf(monitor).split('/').at(-1))
    expect((await team.get('/monitors?check_type=cron')).body.data).toHaveLength(1)
    expect((await team.get('/cron-monitors')).body.data).toEqual([expect.objectContaining({ id: monitor.id })])
    expect((await team.get(`/monitors/${monitor.id}/uptime`)).body.data).toMatchObject({ check_id: monitor.check_id })
    expect((await stranger().get(`/api/badges/${monitor.id}`)).status).toBe(404)
  })

  test.each<[string, object, string]>([
    ['no schedule', { name: 'X' }, 'schedule'],
    ['an expression that is none', { name: 'X', schedule: '* * * *' }, 'schedule'],
    ['a date that never comes', { name: 'X', schedule: '0 0 30 2 *' }, 'schedule'],
    ['six fields', { name: 'X', schedule: '* * * * * *' }, 'schedule'],
    ['a very long expression', { name: 'X', schedule: '1,'.repeat(50_000) }, 'schedule'],
    ['a zone that does not exist', { ...hourly, timezone: 'Europe/Atlantis' }, 'timezone'],
    ['no period', { name: 'X', schedule_kind: 'simple' }, 'period_minutes'],
    ['a period of nothing', { name: 'X', period_minutes: 0 }, 'period_minutes'],
    ['no grace', { ...hourly, grace_minutes: 0 }, 'grace_minutes'],
    ['too much grace', { ...hourly, grace_minutes: 1_441 }, 'grace_minutes'],
    ['an endless run', { ...hourly, max_run_minutes: 10_081 }, 'max_run_minutes'],
    ['a name that is empty', { ...hourly, name: ' ' }, 'name'],
    ['an address that cannot be opened', { ...hourly, url: 'javascript:alert(1)' }, 'url'],
    ['a parent that is not there', { ...hourly, depends_on: [randomUUID()] }, 'depends_on'],
  ])('refuses %s, and names the field', async (_, body, field) => {
    const { status, body: answer } = await (await given.tenant()).post('/cron-monitors', body)
    expect([status, Object.keys(answer.errors)]).toEqual([422, [field]])
  })

  test('grace goes from 1 to 1440', async () => {
    const team = await given.tenant()
    for (const grace_minutes of [1, 1_440])
      expect(await create(team, { ...hourly, grace_minutes })).toMatchObject({ grace_minutes })
    expect(await create(team)).toMatchObject({ grace_minutes: 5, timezone: 'Europe/Berlin' })
    expect(await create(team, { name: 'X', period_minutes: 5 })).toMatchObject({
      schedule_kind: 'simple',
      period_minutes: 5,
      schedule: null,
    })
  })

  test('updates the sent fields, and another schedule restarts the clock', async () => {
    const team = await given.tenant()
    const monitor = await create(team, { ...hourly, fail_keyword: 'ERROR' })
    const changed = (
      await team.patch(`/cron-monitors/${monitor.id}`, { period_minutes: 15, name: 'Often', severity: 'minor' })
    ).body.data
    expect(changed).toMatchObject({
      name: 'Often',
      schedule_kind: 'simple',
      period_minutes: 15,
      schedule: null,
      severity: 'minor',
      fail_keyword: 'ERROR',
      timezone: 'Europe/Berlin',
    })
    const [first, second] = changed.next_expected.map((at: string) => Date.parse(at))
    expect(first - Date.now()).toBeGreaterThan(14 * 60_000)
    expect(second - first).toBe(15 * 60_000)
    expect((await team.patch(`/cron-monitors/${monitor.id}`, { schedule_kind: 'cron' })).body.data).toMatchObject({
      schedule: '30 2 * * *',
    })
    expect((await team.patch(`/cron-monitors/${monitor.id}`, { grace_minutes: 0 })).body.errors).toHaveProperty(
      'grace_minutes',
    )
    expect((await team.patch(`/cron-monitors/${monitor.id}`, { is_enabled: false })).body.data).toMatchObject({
      status: 'paused',
      next_expected: [],
      alert_after: null,
    })
  })

  test('has exactly one check, which no other monitor can have', async () => {
    const team = await given.tenant()
    const monitor = await create(team)
    expect((await team.delete(`/checks/${monitor.check_id}`)).status).toBe(422)
    expect(
      (await team.post(`/monitors/${monitor.id}/checks`, { type: 'tcp', settings: { port: 80 } })).body.errors,
    ).toHaveProperty('type')
    const site = (await team.post('/monitors', { name: 'Site', url: 'https://example.com/' })).body.data
    expect((await team.post(`/monitors/${site.id}/checks`, { type: 'cron' })).body.errors).toHaveProperty('type')
    expect((await team.post('/monitors', { name: 'X', url: 'https://example.com/', type: 'cron' })).status).toBe(422)
    expect((await team.get(`/cron-monitors/${site.id}`)).status).toBe(404)
  })

  test('deletes the monitor and all its addresses', async () => {
    const team = await given.tenant()
    const monitor = await create(team)
    expect((await team.delete(`/cron-monitors/${monitor.id}`)).status).toBe(204)
    expect((await team.get(`/monitors/${monitor.id}`)).status).toBe(404)
    expect((await stranger().get(addressOf(monitor))).status).toBe(404)
    expect(await app.emitted(team)).toEqual(['monitor.created', 'monitor.deleted'])
  })

  test('is accessible to its tenant and its reseller', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const rk = await given.token(reseller, 'rk', ['monitors:manage'])
    const monitor = (await rk.post(`${team.path}/cron-monitors`, hourly)).body.data
    expect((await team.get(`/cron-monitors/${monitor.id}`)).body.data.id).toBe(monitor.id)
    expect((await (await given.tenant()).get(`/cron-monitors/${monitor.id}`)).status).toBe(404)
    const reader = await given.token(reseller, 'rk', ['monitors:read'])
    expect((await reader.post(`${team.path}/cron-monitors/${monitor.id}/rotate-url`, {})).status).toBe(403)
    expect((await reader.get(`${team.path}/cron-monitors/${monitor.id}/pings`)).status).toBe(200)
  })

  test('counts as a monitor in the plan, and needs a plan with cron monitors', async () => {
    const without = await given.tenant({ overrides: { cron_heartbeats: false } })
    expect(await without.post('/cron-monitors', hourly)).toMatchObject({
      status: 403,
      body: { code: 'not_in_plan', quota: 'cron_heartbeats' },
    })
    const one = await given.tenant({ overrides: { monitors: 1 } })
    await create(one)
    expect(await one.post('/cron-monitors', hourly)).toMatchObject({ status: 422, body: { code: 'plan_limit' } })
  })

  test('has snippets, and those for the shell work', async () => {
    const team = await given.tenant()
    const monitor = await create(team)
    const snippets = (await team.get(`/cron-monitors/${monitor.id}/snippets`)).body.data
    expect(snippets.map((snippet: { name: string }) => snippet.name)).toEqual([
      'curl',
      'curl with start, result and output',
      'wget',
      'PowerShell',
      'crontab',
      'Python',
      'GitHub Actions',
    ])
    expect(snippets[4].text).toContain('30 2 * * *')
    const script = snippets[1].text
      .replaceAll(monitor.ping_url, app.baseUrl + addressOf(monitor))
      .replace('/path/to/job', 'sh -c "echo grüße; exit 3"')
    await promisify(execFile)('sh', ['-c', script], { timeout: 15_000 })
    const [last, first] = (await team.get(`/cron-monitors/${monitor.id}/pings`)).body.data
    expect(first).toMatchObject({ state: 'start', number: 1 })
    expect(last).toMatchObject({ state: 'fail', exit_code: 3, output: 'grüße', duration_ms: expect.any(Number) })
  })
})

describe('rotating the ping URL', () => {
  test('keeps the former one for a day, and marks its pings', async () => {
    const team = await given.tenant()
    const monitor = await create(team)
    const rotated = (await team.post(`/cron-monitors/${monitor.id}/rotate-url`, {})).body.data
    expect(rotated.ping_url).not.toBe(monitor.ping_url)
    expect(rotated.former_ping_urls).toEqual([{ ping_url: monitor.ping_url, ends_at: expect.any(String) }])
    expect((Date.parse(rotated.former_ping_urls[0].ends_at) - Date.now()) / 3_600_000).toBeCloseTo(24, 1)
    expect((await stranger().get(addressOf(monitor))).status).toBe(200)
    expect((await stranger().get(addressOf(rotated))).status).toBe(200)
    const pings = (await team.get(`/cron-monitors/${monitor.id}/pings`)).body.data
    expect(pings.map((ping: { is_former_url: boolean }) => ping.is_former_url)).toEqual([false, true])
    // a day later
    await app.services.platform.query(
      `update ping_addresses set ends_at = ends_at - interval '24 hours 1 second' where check_id = $1`,
      [monitor.check_id],
    )
    expect((await stranger().get(addressOf(monitor))).status).toBe(404)
    expect((await stranger().get(addressOf(rotated))).status).toBe(200)
    expect(await app.audited(team)).toContain('monitor.ping_url_rotated')
  })

  test('with revoke ends all former ones at once', async () => {
    const team = await given.tenant()
    const monitor = await create(team)
    const second = (await team.post(`/cron-monitors/${monitor.id}/rotate-url`, {})).body.data
    const third = (await team.post(`/cron-monitors/${monitor.id}/rotate-url`, { revoke: true })).body.data
    for (const [which, status] of [
      [monitor, 404],
      [second, 404],
      [third, 200],
    ] as const)
      expect((await stranger().get(addressOf(which))).status).toBe(status)
    expect(third.former_ping_urls).toEqual([])
  })
})

describe('pings', () => {
  /** What a body does: the status, and what is recorded, if anything. */
  async function send(type: string | undefined, body: string | Buffer | undefined, path = '') {
    const team = await given.tenant()
    const monitor = await create(team)
    const response = await fetch(app.baseUrl + addressOf(monitor) + path, {
      method: 'POST',
      ...(type && { headers: { 'Content-Type': type } }),
      ...(body !== undefined && { body: new Uint8Array(Buffer.from(body)) }),
    })
    const answer = await response.text()
    const [ping] = (await team.get(`/cron-monitors/${monitor.id}/pings`)).body.data
    return { status: response.status, answer: answer && JSON.parse(answer), headers: response.headers, ping, monitor }
  }
  const form = 'application/x-www-form-urlencoded'
  const json = 'application/json'

  test.each<[string, string | undefined, string | undefined, object]>([
    ['nothing', undefined, undefined, { state: 'ok', output: null }],
    ['an empty form', form, '', { state: 'ok' }],
    ['start', form, 'state=start', { state: 'start' }],
    ['complete', form, 'state=complete', { state: 'complete' }],
    ['ok', form, 'state=ok', { state: 'ok' }],
    ['fail', form, 'state=fail', { state: 'fail' }],
    ['log', form, 'state=log&output=half+way', { state: 'log', output: 'half way' }],
    ['start, as JSON', json, '{"state":"start","rid":"run-1"}', { state: 'start', rid: 'run-1' }],
    ['complete, as JSON', json, '{"state":"complete"}', { state: 'complete' }],
    [
      'fail, as JSON',
      json,
      '{"state":"fail","exit_code":137,"output":"killed"}',
      { state: 'fail', exit_code: 137, output: 'killed' },
    ],
    ['log, as JSON', `${json}; charset=utf-8`, '{"state":"log"}', { state: 'log' }],
    ['an exit code alone', form, 'exit_code=0', { state: 'ok', exit_code: 0 }],
    ['a bad exit code alone', form, 'exit_code=1', { state: 'fail', exit_code: 1 }],
    ['complete with a bad exit code', json, '{"state":"complete","exit_code":-1}', { state: 'fail', exit_code: -1 }],
    [
      'a log posted as it is',
      form,
      'Backup of 3 files: 100% done\nline two',
      { state: 'ok', output: 'Backup of 3 files: 100% done\nline two' },
    ],
    ['letters of the world', json, '{"output":"Grüße 你好 👋"}', { output: 'Grüße 你好 👋' }],
    ['what PostgreSQL cannot hold', json, '{"output":"a\\u0000b\\ud800"}', { output: 'a\uFFFDb\uFFFD' }],
  ])('%s', async (_, type, body, wanted) => {
    const { status, answer, ping } = await send(type, body)
    expect(status).toBe(200)
    expect(ping).toMatchObject(wanted)
    expect(answer.data).toEqual({ state: ping.state, received_at: ping.at })
  })

  test.each<[string, string | undefined, string, number, string?]>([
    ['capital letters', form, 'state=FAIL', 422],
    ['an unknown state', form, 'state=done', 422],
    ['an empty state', form, 'state=', 422],
    ['a list of states', form, 'state[]=fail', 422],
    ['two states', form, 'state=ok&state=fail', 422],
    ['a state under another name', form, 'State=fail', 422],
    ['a list of states, as JSON', json, '{"state":["fail"]}', 422],
    ['a state that is null', json, '{"state":null}', 422],
    ['a list', json, '[{"state":"fail"}]', 422],
    ['half a JSON', json, '{"state":', 422],
    ['a run id with spaces', form, 'state=start&rid=a+b', 422],
    ['a run id that is too long', form, `state=start&rid=${'x'.repeat(65)}`, 422],
    ['an exit code that is no number', form, 'exit_code=bad', 422],
    ['an exit code that is too large', json, '{"exit_code":2147483648}', 422],
    ['another charset', 'application/json; charset=utf-16', '{"state":"fail"}', 422],
    ['plain text', 'text/plain', 'state=fail', 415],
    ['XML', 'application/xml', '<state>fail</state>', 415],
    ['a multipart form', 'multipart/form-data; boundary=x', '--x\r\n', 415],
    ['no type', '', 'state=fail', 415],
    ['a body over the limit', form, `output=${'x'.repeat(262_144)}`, 413],
    ['a state in the query', form, '', 422, '?state=fail'],
  ])('%s is refused, and nothing is recorded', async (_, type, body, status, path) => {
    const sent = await send(type, body, path)
    expect([sent.status, sent.ping]).toEqual([status, undefined])
    if (status === 422) expect(sent.answer.errors).toBeDefined()
  })

  test('output is kept up to 10 KB, cut between characters', async () => {
    const sizes: [string, number][] = [
      ['x'.repeat(10_240), 10_240],
      ['x'.repeat(10_241), 10_240],
      [`${'x'.repeat(10_239)}ü`, 10_239],
      ['ü'.repeat(40_000), 10_240],
      ['👋'.repeat(2_561), 10_240],
    ]
    for (const [output, bytes] of sizes) {
      const { ping } = await send(form, new URLSearchParams({ output }).toString())
      expect(Buffer.byteLength(ping.output)).toBe(bytes)
      expect(output.startsWith(ping.output)).toBe(true)
    }
    expect((await send(form, `x=${'y'.repeat(262_142)}`)).ping.output).toHaveLength(10_240)
  })

  test('a large report to an unknown address is 404 without being parsed, a small one gets its errors', async () => {
    const nobodys = `${app.baseUrl}/api/ping/${crypto.randomUUID()}`
    const statusOf = async (body: string) => {
      const headers = { 'Content-Type': form, 'X-Forwarded-For': stranger().ip }
      return (await fetch(nobodys, { method: 'POST', headers, body })).status
    }
    expect(await statusOf(`state=done&${'a&'.repeat(600)}`)).toBe(404)
    expect(await statusOf('state=done')).toBe(422)
  })

  test('a large report to an unknown address is refused before it is read', async () => {
    const { hostname, port } = new URL(app.baseUrl)
    for (const [path, framing] of [
      [`/api/ping/${crypto.randomUUID()}`, 'Content-Length: 200000'],
      [`/api/ping/${crypto.randomUUID()}`, 'Transfer-Encoding: chunked'],
      [`/ping/${crypto.randomUUID()}`, 'Content-Length: 9000000'],
    ] as const) {
      const socket = connect({ host: hostname, port: Number(port) })
      const answered = once(socket.setEncoding('utf8'), 'data')
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nX-Forwarded-For: ${stranger().ip}\r\nContent-Type: ${form}\r\n${framing}\r\n\r\n`,
      )
      // nothing of the body is sent
      const [answer] = (await answered) as [string]
      socket.destroy()
      expect(answer.split('\r\n')[0], framing).toBe('HTTP/1.1 404 Not Found')
    }
  })

  test('a fail keyword in the output is a failure', async () => {
    const team = await given.tenant()
    const monitor = await create(team, { ...hourly, fail_keyword: 'FATAL' })
    await stranger().post(addressOf(monitor), { output: 'all fatal things avoided' })
    await stranger().post(addressOf(monitor), { output: 'it was FATAL' })
    await stranger().post(addressOf(monitor), { state: 'log', output: 'FATAL again' })
    const pings = (await team.get(`/cron-monitors/${monitor.id}/pings`)).body.data
    expect(pings.map((ping: { state: string }) => ping.state)).toEqual(['log', 'fail', 'ok'])
  })

  test.each([
    ['', 'ok'],
    ['?state=ok', 'ok'],
    ['?state=Complete&exit_code=0', 'ok'],
    ['?rid=7&output=fail', 'ok'],
    ['?status=down', 'ok'],
    ['?m=%', 'ok'],
    ['?state=fail', 'log'],
    ['?state=fail&exit_code=1', 'log'],
    ['?exit_code=1', 'log'],
    ['?STATE=FAIL', 'log'],
    ['?st%61te=fail', 'log'],
    ['?state[]=fail', 'log'],
    ['?state=ok&state=fail', 'log'],
    ['?state=start', 'log'],
    ['?state=log', 'log'],
    ['?state=', 'log'],
    ['?state', 'log'],
    ['?state=failed', 'log'],
  ])(
    'GET with the query %j is stored as %s: it heeds no state, and proves no failing job healthy',
    async (query, state) => {
      const team = await given.tenant()
      const monitor = await create(team)
      await stranger().post(addressOf(monitor), { state: 'fail' })
      expect((await stranger().get(`${addressOf(monitor)}${query}`)).body.data).toMatchObject({ state })
      const found = (await team.get(`/cron-monitors/${monitor.id}/pings`)).body.data
      expect(found.map((ping: { state: string }) => ping.state)).toEqual([state, 'fail'])
    },
  )

  test('an address is read in capitals, and with a slash behind it', async () => {
    const team = await given.tenant()
    const monitor = await create(team)
    const [, id = ''] = /([\da-f-]{36})$/.exec(addressOf(monitor)) ?? []
    for (const path of [`/api/ping/${id.toUpperCase()}`, `/api/ping/${id}/`, `/api/ping/${id.toUpperCase()}/`])
      for (const method of ['GET', 'POST']) {
        const { status, body } = await stranger().call(method, path)
        expect([status, body.data?.state], `${method} ${path}`).toEqual([200, 'ok'])
      }
    expect((await stranger().call('HEAD', `/api/ping/${id}/`)).status).toBe(200)
    for (const path of [`/api/ping/${id}/fail`, `/api/ping/${id}//`])
      expect((await stranger().get(path)).status, path).toBe(404)
    expect((await team.get(`/cron-monitors/${monitor.id}/pings`)).body.data).toHaveLength(6)
  })

  test('GET is a good ping, and HEAD is none', async () => {
    const team = await given.tenant()
    const monitor = await create(team)
    const get = await stranger().get(addressOf(monitor))
    expect(get.body.data).toMatchObject({ state: 'ok' })
    expect(get.headers.get('cache-control')).toBe('no-store')
    expect(get.headers.get('access-control-allow-origin')).toBeNull()
    const head = await stranger().call('HEAD', addressOf(monitor))
    expect([head.status, head.text]).toEqual([200, ''])
    expect((await stranger().call('HEAD', `/api/ping/${randomUUID()}`)).status).toBe(404)
    expect((await team.get(`/cron-monitors/${monitor.id}/pings`)).body.data).toHaveLength(1)
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'])
      expect([200, 405], method).toContain((await fetch(app.baseUrl + addressOf(monitor), { method })).status)
    expect((await team.get(`/cron-monitors/${monitor.id}/pings`)).body.data).toHaveLength(1)
  })

  test('an unknown address, the id of a monitor and an address of a deleted team get the same 404', async () => {
    const team = await given.tenant()
    const monitor = await create(team)
    const texts = new Set<string>()
    for (const id of [randomUUID(), monitor.id, monitor.check_id, 'x', '00000000-0000-0000-0000-000000000000'])
      for (const method of ['GET', 'POST']) {
        const { status, text } = await stranger().call(method, `/api/ping/${id}`)
        expect(status, `${method} ${id}`).toBe(404)
        texts.add(text)
      }
    await app.services.platform.query('update tenants set deleted_at = now() where id = $1', [team.tenantId])
    texts.add((await stranger().get(addressOf(monitor))).text)
    expect([...texts]).toEqual(['{"message":"Monitor not found.","code":"not_found"}'])
  })

  test('are limited by their ping URL, not by the sender’s IP address', async () => {
    const monitors = await create(await given.tenant())
    const office = stranger()
    for (let i = 0; i < 120; i++) expect((await office.get(addressOf(monitors))).status).toBe(200)
    const refused = await stranger().get(addressOf(monitors))
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(refused.headers.get('x-ratelimit-limit')).toBe('120')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const other = await create(await given.tenant())
    expect((await office.get(addressOf(other))).headers.get('x-ratelimit-remaining')).toBe('119')
  })

  test('a sender that guesses addresses is limited, and known addresses from its IP address are not', async () => {
    const known = await create(await given.tenant())
    const house = stranger()
    await house.get(addressOf(known))
    const statuses = new Set<number>()
    for (let i = 0; i < 70; i++) statuses.add((await house.get(`/api/ping/${randomUUID()}`)).status)
    expect([...statuses]).toEqual([404, 429])
    expect((await house.get(addressOf(known))).status).toBe(200)
  })

  test('are listed newest first, by cursor and by state, the newest thousand of them', async () => {
    const team = await given.tenant()
    const monitor = await create(team)
    for (let i = 0; i < 7; i++)
      await stranger().post(addressOf(monitor), { state: i % 2 ? 'log' : 'ok', output: `${i}` })
    const first = (await team.get(`/cron-monitors/${monitor.id}/pings?per_page=3`)).body
    expect(first.data.map((ping: { number: number }) => ping.number)).toEqual([7, 6, 5])
    expect(first.meta).toMatchObject({ has_more: true, prev_cursor: null })
    const second = (await team.get(`/cron-monitors/${monitor.id}/pings?per_page=3&cursor=${first.meta.next_cursor}`))
      .body
    expect(second.data.map((ping: { number: number }) => ping.number)).toEqual([4, 3, 2])
    const back = (await team.get(`/cron-monitors/${monitor.id}/pings?per_page=3&cursor=${second.meta.prev_cursor}`))
      .body
    expect(back.data).toEqual(first.data)
    expect((await team.get(`/cron-monitors/${monitor.id}/pings?state=log`)).body.data).toHaveLength(3)
    expect((await team.get(`/cron-monitors/${monitor.id}/pings?cursor=abc`)).status).toBe(422)
    // a newer ping takes the place of an older one
    await app.services.platform.query('update heartbeats set pings = 1005 where check_id = $1', [monitor.check_id])
    await stranger().get(addressOf(monitor))
    expect(
      (await team.get(`/cron-monitors/${monitor.id}/pings`)).body.data.map((ping: { number: number }) => ping.number),
    ).toEqual([1_006, 7, 5, 4, 3, 2, 1])
    await app.services.platform.query(
      `update pings set at = at - interval '396 days' where check_id = $1 and number < 5`,
      [monitor.check_id],
    )
    expect((await team.get(`/cron-monitors/${monitor.id}/pings`)).body.data).toHaveLength(3)
  })
})
