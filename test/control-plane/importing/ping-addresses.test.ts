import { randomBytes, randomUUID } from 'node:crypto'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aliasOf } from '#contract/ping-alias.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { kumaFile } from './kuma-file.ts'
import { type Item, importAll, migrationOf, OldProvider, sendFile } from './old-provider.ts'

const { platform } = app.services
const key = 'token-of-the-provider'
let provider: OldProvider
beforeAll(async () => {
  provider = await OldProvider.open()
})
afterAll(() => provider?.close())

interface JobItem extends Item {
  keeps_ping_address: boolean | null
}
const itemsOf = async (team: CallerUnderTest, id: string): Promise<JobItem[]> =>
  (await team.get(`/migrations/${id}/items?per_page=100`)).body.data

/** A migration of checks with these UUIDs at Healthchecks. */
const fromHealthchecks = (team: CallerUnderTest, uuids: readonly string[], account = '') => {
  provider.handle = () => ({ checks: uuids.map(uuid => ({ name: uuid, uuid, timeout: 3_600, status: 'up' })) })
  return provider.preview(team, { provider: 'healthchecks', base_url: provider.url, api_key: key, account })
}

const jobOf = async (team: CallerUnderTest, monitor: { id: string } | undefined) =>
  (await team.get(`/cron-monitors/${monitor?.id}`)).body.data
const pingsOf = async (team: CallerUnderTest, monitor: { id: string } | undefined) =>
  (await team.get(`/cron-monitors/${monitor?.id}/pings`)).body.data

/** A request of a job that knows only its old address. */
async function send(
  path: string,
  options: { method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH'; body?: string; ip?: string } = {},
) {
  const { statusCode, headers, body } = await request(app.baseUrl + path, {
    method: options.method ?? 'GET',
    headers: { 'X-Forwarded-For': options.ip ?? '198.200.200.200', Host: 'hc.example.com' },
    ...(options.body !== undefined && { body: options.body }),
  })
  return { status: statusCode, headers, text: await body.text() }
}

/** A team with one imported job, whose old address is known. */
async function moved() {
  const team = await given.tenant()
  const uuid = randomUUID()
  const id = await fromHealthchecks(team, [uuid])
  const monitor = (await importAll(provider, team, id)).get(uuid)!
  return { team, uuid, id, monitor }
}

describe('a ping to the address of a job at Healthchecks', () => {
  test('counts for the imported heartbeat, as start, fail, log and exit code, and is answered as there', async () => {
    const { team, uuid, id, monitor } = await moved()
    expect(await itemsOf(team, id)).toMatchObject([
      { keeps_ping_address: true, stand_ins: [expect.stringContaining('counts here as well')] },
    ])
    expect(await jobOf(team, monitor)).toMatchObject({
      imported_ping_addresses: [{ provider: 'healthchecks', path: '/ping/…' }],
    })
    const run = randomUUID()
    for (const [path, options] of [
      [`/ping/${uuid}/start?rid=${run}`],
      [`/ping/${uuid}?rid=${run}`, { method: 'POST', body: 'All is well.' }],
      [`/${uuid.toUpperCase()}`, { method: 'HEAD' }],
      [`/ping/${uuid}/fail`, { method: 'POST', body: 'No space left.' }],
      [`/ping/${uuid}/0`],
      [`/ping/${uuid}/255`],
      [`/ping/${uuid}/log`, { method: 'POST', body: 'x'.repeat(300_000) }],
    ] as [string, Parameters<typeof send>[1]?][]) {
      const { status, text, headers } = await send(path, options)
      expect([path, status, text]).toEqual([path, 200, options?.method === 'HEAD' ? '' : 'OK'])
      expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', 'ping-body-limit': '10240' })
    }
    const pings = await pingsOf(team, monitor)
    expect(pings).toMatchObject([
      { state: 'log' },
      { state: 'fail', exit_code: 255 },
      { state: 'complete', exit_code: 0 },
      { state: 'fail', output: 'No space left.' },
      { state: 'complete', method: 'GET' },
      { state: 'complete', rid: run, output: 'All is well.', duration_ms: expect.any(Number), is_former_url: false },
      { state: 'start', rid: run },
    ])
    expect(pings[0].output).toHaveLength(10_240)
  })

  test('counts with a slash behind it and by every method, and a failure stays one', async () => {
    const { team, uuid, monitor } = await moved()
    const sent: [path: string, method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH', state: string][] = [
      [`/ping/${uuid}/`, 'GET', 'complete'],
      [`/${uuid}/`, 'HEAD', 'complete'],
      [`/ping/${uuid.toUpperCase()}`, 'PUT', 'complete'],
      [`/ping/${uuid}/fail/`, 'GET', 'fail'],
      [`/ping/${uuid}/fail`, 'HEAD', 'fail'],
      [`/ping/${uuid}/fail/`, 'PATCH', 'fail'],
      [`/${uuid}/1/`, 'POST', 'fail'],
      [`/ping/${uuid}/0/`, 'GET', 'complete'],
      [`/ping/${uuid}/start/?rid=${randomUUID()}`, 'GET', 'start'],
      [`/ping/${uuid}/log/`, 'POST', 'log'],
    ]
    for (const [path, method] of sent)
      expect([path, (await send(path, { method, ...(method === 'PUT' && { body: 'done' }) })).status]).toEqual([
        path,
        200,
      ])
    const pings = await pingsOf(team, monitor)
    expect(pings.map(({ state }: { state: string }) => state).toReversed()).toEqual(sent.map(([, , state]) => state))
    expect(pings.at(-3)).toMatchObject({ method: 'POST', output: 'done' })
    for (const path of [`/ping/${uuid}/FAIL`, `/ping/${uuid}//fail`, `/ping/${uuid}/fail//`, `/ping/${uuid}/-1`])
      expect([path, (await send(path)).status]).toEqual([path, 404])
    expect(await pingsOf(team, monitor)).toHaveLength(sent.length)
  })

  test('is refused with 404 for other paths and codes, and no such ping is stored', async () => {
    const { team, uuid, monitor } = await moved()
    const other = randomUUID()
    for (const path of [
      `/ping/${uuid}/256`,
      `/ping/${uuid}/1000`,
      `/ping/${uuid}/begin`,
      `/ping/${other}`,
      `/${other}`,
    ])
      expect([path, await send(path)]).toMatchObject([path, { status: 404, text: 'not found' }])
    expect((await send(`/ping/${uuid}/start/now`)).status).toBe(404)
    expect(await pingsOf(team, monitor)).toEqual([])
    expect((await send(`/ping/${monitor.id}`)).status).toBe(404)
  })

  test('is counted by its address as any ping: the 121st of a minute is refused', async () => {
    const { uuid } = await moved()
    const answers = []
    for (let n = 0; n < 121; n++) answers.push(await send(`/ping/${uuid}`))
    expect(answers.slice(0, 120).map(({ status }) => status)).toEqual(Array(120).fill(200))
    expect(answers[120]).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } })
  })

  test('is refused to a sender that tries many addresses, and not to others', async () => {
    const { uuid } = await moved()
    const ip = '198.201.202.203'
    const answers = []
    for (let n = 0; n < 62; n++) answers.push((await send(`/ping/${randomUUID()}`, { ip })).status)
    expect(new Set(answers.slice(0, 60))).toEqual(new Set([404]))
    expect(answers.at(-1)).toBe(429)
    expect((await send(`/ping/${uuid}`, { ip: '198.201.202.204' })).status).toBe(200)
  })

  test('of a disabled heartbeat is stored and opens no incident', async () => {
    const { team, uuid, monitor } = await moved()
    expect(await jobOf(team, monitor)).toMatchObject({ is_enabled: false })
    expect((await send(`/ping/${uuid}/fail`)).status).toBe(200)
    expect(await jobOf(team, monitor)).toMatchObject({ pings_total: 1, last_state: 'fail', status: 'paused' })
    expect((await team.get('/incidents')).body.data).toEqual([])
  })

  test('goes on counting after the ping URL is rotated, until it is revoked', async () => {
    const { team, uuid, monitor } = await moved()
    await team.post(`/cron-monitors/${monitor.id}/rotate-url`)
    expect((await send(`/ping/${uuid}`)).status).toBe(200)
    await team.post(`/cron-monitors/${monitor.id}/rotate-url`, { revoke: true })
    expect((await send(`/ping/${uuid}`)).status).toBe(404)
    expect(await jobOf(team, monitor)).toMatchObject({ pings_total: 1, imported_ping_addresses: [] })
  })

  test('is refused once the heartbeat is deleted, and another import may have the address', async () => {
    const { team, uuid, monitor } = await moved()
    await team.delete(`/cron-monitors/${monitor.id}`)
    expect((await send(`/ping/${uuid}`)).status).toBe(404)
    const { rows } = await platform.query('select 1 from ping_aliases where tenant_id = $1', [team.tenantId])
    expect(rows).toEqual([])
    const other = await given.tenant()
    const id = await fromHealthchecks(other, [uuid])
    const again = (await importAll(provider, other, id)).get(uuid)
    expect((await send(`/ping/${uuid}`)).status).toBe(200)
    expect(await pingsOf(other, again)).toHaveLength(1)
  })

  test('is refused once the team is deleted', async () => {
    const { team, uuid } = await moved()
    await platform.query('update tenants set deleted_at = now() where id = $1', [team.tenantId])
    expect((await send(`/ping/${uuid}`)).status).toBe(404)
  })
})

describe('an address that leads to a heartbeat already', () => {
  const taken = expect.stringContaining('leads to another heartbeat here already')

  test('stays there when another team imports it: its item says so, and its heartbeat has no such address', async () => {
    const { team, uuid, monitor } = await moved()
    const other = await given.tenant()
    const id = await fromHealthchecks(other, [uuid])
    expect(await itemsOf(other, id)).toMatchObject([
      { action: 'create', keeps_ping_address: false, stand_ins: [taken] },
    ])
    const copy = (await importAll(provider, other, id)).get(uuid)
    expect(await itemsOf(other, id)).toMatchObject([{ keeps_ping_address: false, stand_ins: [taken] }])
    expect(await jobOf(other, copy)).toMatchObject({ imported_ping_addresses: [] })
    expect((await send(`/ping/${uuid}`)).status).toBe(200)
    expect(await pingsOf(team, monitor)).toHaveLength(1)
    expect(await pingsOf(other, copy)).toEqual([])
  })

  test('of a preview that was made before: the first import has it, and the second says so', async () => {
    const [first, second] = [await given.tenant(), await given.tenant()]
    const [uuid, own] = [randomUUID(), randomUUID()]
    const ids = [await fromHealthchecks(first, [uuid]), await fromHealthchecks(second, [uuid, own])]
    expect(await itemsOf(second, ids[1]!)).toMatchObject([{ keeps_ping_address: true }, { keeps_ping_address: true }])
    await importAll(provider, first, ids[0]!)
    const copies = await importAll(provider, second, ids[1]!)
    expect(await itemsOf(second, ids[1]!)).toMatchObject([
      { name: uuid, keeps_ping_address: false, stand_ins: [taken] },
      { name: own, keeps_ping_address: true, stand_ins: [expect.stringContaining('counts here as well')] },
    ])
    await send(`/ping/${uuid}`)
    await send(`/ping/${own}`)
    expect(await pingsOf(second, copies.get(uuid))).toEqual([])
    expect(await pingsOf(second, copies.get(own))).toHaveLength(1)
  })

  test('of the same heartbeat: a repeated import changes nothing', async () => {
    const { team, uuid, monitor } = await moved()
    const again = await fromHealthchecks(team, [uuid])
    expect(await itemsOf(team, again)).toMatchObject([{ action: 'skip', keeps_ping_address: true }])
    await platform.query('delete from ping_aliases where tenant_id = $1', [team.tenantId])
    const third = await fromHealthchecks(team, [uuid])
    expect(await itemsOf(team, third)).toMatchObject([{ action: 'update', keeps_ping_address: true }])
    await importAll(provider, team, third)
    expect((await send(`/ping/${uuid}`)).status).toBe(200)
    expect(await jobOf(team, monitor)).toMatchObject({ pings_total: 1 })
    expect(await migrationOf(team, third)).toMatchObject({ counts: { created: 0, updated: 1 } })
  })

  test('under another account of the same team stays with the first heartbeat', async () => {
    const { team, uuid } = await moved()
    const id = await fromHealthchecks(team, [uuid], 'second')
    expect(await itemsOf(team, id)).toMatchObject([{ action: 'create', keeps_ping_address: false }])
  })
})

describe('the address of a job at Healthchecks by ping key and slug', () => {
  const fromProject = (team: CallerUnderTest, jobs: { slug: string }[], pingKey: string | null, account = '') => {
    const checks = jobs.map(({ slug, ...fields }, n) => ({
      ...{ name: `${slug} ${n}`, uuid: randomUUID(), slug, timeout: 3_600, status: 'up', ...fields },
    }))
    provider.handle = ({ path }) => (path.includes('/flips/') ? { flips: [] } : { checks })
    return provider.preview(team, {
      ...{ provider: 'healthchecks', base_url: provider.url, api_key: key, account },
      ...(pingKey !== null && { ping_key: pingKey }),
    })
  }
  const newKey = () => randomBytes(11).toString('hex')

  test('counts beside the one by UUID, with all that follows it', async () => {
    const team = await given.tenant()
    const [pingKey, uuid] = [newKey(), randomUUID()]
    const id = await fromProject(team, [{ slug: 'back-up_1', uuid } as { slug: string }], pingKey)
    expect(await itemsOf(team, id)).toMatchObject([{ keeps_ping_address: true }])
    const monitor = (await importAll(provider, team, id)).get('back-up_1 0')
    expect(await jobOf(team, monitor)).toMatchObject({
      imported_ping_addresses: [
        { provider: 'healthchecks', path: '/ping/…' },
        { provider: 'healthchecks', path: '/ping/…/…' },
      ],
    })
    const run = randomUUID()
    for (const [path, options] of [
      [`/start?rid=${run}`],
      [`?rid=${run}`, { method: 'POST', body: 'All is well.' }],
      ['', { method: 'HEAD' }],
      ['/fail'],
      ['/3', { method: 'POST', body: 'No space left.' }],
      ['/log', { method: 'POST', body: 'One line.' }],
    ] as [string, Parameters<typeof send>[1]?][]) {
      const { status, text, headers } = await send(`/ping/${pingKey}/back-up_1${path}`, options)
      expect([path, status, text]).toEqual([path, 200, options?.method === 'HEAD' ? '' : 'OK'])
      expect(headers).toMatchObject({ 'ping-body-limit': '10240' })
    }
    expect((await send(`/ping/${uuid}`)).status).toBe(200)
    expect(await pingsOf(team, monitor)).toMatchObject([
      { state: 'complete' },
      { state: 'log', output: 'One line.' },
      { state: 'fail', exit_code: 3, output: 'No space left.' },
      { state: 'fail' },
      { state: 'complete' },
      { state: 'complete', rid: run, duration_ms: expect.any(Number) },
      { state: 'start' },
    ])
    for (const path of [
      ...[`/ping/${pingKey}/back-up_1/256`, `/ping/${pingKey}/back-up_1/begin`, `/ping/${pingKey}/other?create=1`],
      ...[`/ping/${newKey()}/back-up_1`, `/ping/${pingKey}/Back-Up_1`, `/ping/${pingKey}`],
    ])
      expect([path, (await send(path)).status]).toEqual([path, 404])
    const { rows } = await platform.query('select kind from ping_aliases where tenant_id = $1 order by kind', [
      team.tenantId,
    ])
    expect(rows).toEqual([{ kind: 'healthchecks' }, { kind: 'healthchecks-slug' }])
    await team.post(`/cron-monitors/${monitor?.id}/rotate-url`, { revoke: true })
    expect((await send(`/ping/${pingKey}/back-up_1`)).status).toBe(404)
  })

  test('is not kept without the ping key, of a slug that two checks have, nor of a key short enough to be guessed', async () => {
    const team = await given.tenant()
    const pingKey = newKey()
    await importAll(provider, team, await fromProject(team, [{ slug: 'alone' }], null))
    expect((await send(`/ping/${pingKey}/alone`)).status).toBe(404)
    const both = [{ slug: 'twice' }, { slug: 'twice' }, { slug: '' }]
    await importAll(provider, team, await fromProject(team, both, pingKey, 'second'))
    expect((await send(`/ping/${pingKey}/twice`)).status).toBe(404)
    const { rows } = await platform.query('select distinct kind from ping_aliases where tenant_id = $1', [
      team.tenantId,
    ])
    expect(rows).toEqual([{ kind: 'healthchecks' }])
    for (const ping_key of ['too-short', 'with/slash-1', 'a'.repeat(129)]) {
      const { status, body } = await team.post('/migrations', { provider: 'healthchecks', api_key: key, ping_key })
      expect([ping_key, status, Object.keys(body.errors)]).toEqual([ping_key, 422, ['ping_key']])
    }
  })

  test('is kept by a ping key that is sent with a second preview, and no answer shows the key', async () => {
    const team = await given.tenant()
    const pingKey = newKey()
    const id = await fromProject(team, [{ slug: 'later' }], null)
    const { status, text } = await team.post(`/migrations/${id}/preview`, { ping_key: pingKey })
    expect([status, text.includes(pingKey)]).toEqual([200, false])
    await provider.advance(id)
    await importAll(provider, team, id)
    expect((await send(`/ping/${pingKey}/later`)).status).toBe(200)
    const { rows } = await platform.query('select p::text as row from provider_migrations p where id = $1', [id])
    expect(rows[0].row).not.toContain(pingKey)
  })

  test('of a source without ping keys is refused', async () => {
    const team = await given.tenant()
    const { status, body } = await team.post('/migrations', {
      ...{ provider: 'uptimerobot', api_key: key, ping_key: newKey() },
    })
    expect([status, body.errors]).toEqual([422, { ping_key: ['UptimeRobot has no ping key.'] }])
    const file = await team.post('/migrations', { provider: 'uptime-kuma', ping_key: newKey() })
    expect(file.body.errors).toEqual({ ping_key: ['Uptime Kuma has no ping key.'] })
  })

  test('leads to the heartbeat of the first import, where a new check has the slug of another', async () => {
    const team = await given.tenant()
    const pingKey = newKey()
    const first = await fromProject(team, [{ slug: 'job' }], pingKey)
    const monitor = (await importAll(provider, team, first)).get('job 0')
    const second = await fromProject(team, [{ slug: 'job' }], pingKey)
    expect(await itemsOf(team, second)).toMatchObject([
      {
        action: 'create',
        keeps_ping_address: false,
        stand_ins: [expect.stringContaining('leads to another heartbeat')],
      },
    ])
    await importAll(provider, team, second)
    expect((await send(`/ping/${pingKey}/job`)).status).toBe(200)
    expect(await pingsOf(team, monitor)).toHaveLength(1)
  })
})

test('a ping to a push address of Uptime Kuma counts with its status and message, and is answered as there', async () => {
  const team = await given.tenant()
  const token = randomBytes(16).toString('hex')
  const file = kumaFile(database => {
    const insert = database.prepare(
      "insert into monitor (id, name, type, interval, push_token) values (?, ?, 'push', 60, ?)",
    )
    insert.run(1, 'Backup', token)
    insert.run(2, 'Guessable', 'backup')
    insert.run(3, 'Shortest', token.slice(0, 10))
  })
  const { body } = await team.post('/migrations', { provider: 'uptime-kuma' })
  await sendFile(team, body.data.id, file)
  await provider.advance(body.data.id)
  expect(await itemsOf(team, body.data.id)).toMatchObject([
    { name: 'Backup', keeps_ping_address: true },
    { name: 'Guessable', keeps_ping_address: false, stand_ins: [expect.stringContaining('Its ping address changes')] },
    { name: 'Shortest', keeps_ping_address: true },
  ])
  const monitors = await importAll(provider, team, body.data.id)
  for (const query of ['', '?status=up&msg=OK&ping=', '?status=down&msg=No%20space&ping=12.5', '?status=other'])
    expect([query, await send(`/api/push/${token}${query}`)]).toMatchObject([
      query,
      { status: 200, text: '{"ok":true}', headers: { 'content-type': 'application/json; charset=utf-8' } },
    ])
  expect(await pingsOf(team, monitors.get('Backup'))).toMatchObject([
    { state: 'fail', output: null },
    { state: 'fail', output: 'No space\nping: 12.5' },
    { state: 'ok', output: null },
    { state: 'ok', output: null },
  ])
  expect(await send('/api/push/backup')).toMatchObject({ status: 404, text: '{"ok":false,"msg":"not found"}' })
  expect((await send(`/api/push/${token.toUpperCase()}`)).status).toBe(404)
  expect((await send(`/api/push/${token.slice(0, 10)}`)).status).toBe(200)
})

test.each([
  ['uptime-kuma', 'a'.repeat(9), false],
  ['uptime-kuma', 'a'.repeat(10), true],
  ['uptime-kuma', 'a'.repeat(64), true],
  ['uptime-kuma', 'a'.repeat(65), false],
  ['better-stack', 'a/b'.repeat(5), false],
  ['healthchecks', 'A0000000-1111-4222-8333-444455556666', true],
  ['healthchecks', '0000000-1111-4222-8333-444455556666', false],
  ['healthchecks-slug', `${'a'.repeat(10)}/b-1_c`, true],
  ['healthchecks-slug', `${'a'.repeat(9)}/b`, false],
  ['healthchecks-slug', `${'a'.repeat(10)}/B`, false],
] as const)('of %s the secret %s can be kept: %s', (kind, token, isKept) => {
  expect(aliasOf(kind, token) !== null).toBe(isKept)
})

test('a ping to a heartbeat of Better Stack counts, with its failures', async () => {
  const team = await given.tenant()
  const token = randomBytes(12).toString('hex')
  const url = `https://uptime.betterstack.com/api/v1/heartbeat/${token}`
  provider.handle = ({ path }) => ({
    data: path.includes('/heartbeats')
      ? [{ id: '1', attributes: { url, name: 'Backup', period: 3_600, grace: 300, status: 'up' } }]
      : [],
  })
  const id = await provider.preview(team, { provider: 'better-stack', base_url: provider.url, api_key: key })
  const monitors = await importAll(provider, team, id)
  for (const path of ['', '/fail', '/3', '/0'])
    expect((await send(`/api/v1/heartbeat/${token}${path}`, { method: 'POST', body: 'said' })).status).toBe(200)
  expect((await send(`/api/v1/heartbeat/${token}/start`)).status).toBe(404)
  expect(await pingsOf(team, monitors.get('Backup'))).toMatchObject([
    { state: 'complete', exit_code: 0 },
    { state: 'fail', exit_code: 3 },
    { state: 'fail', exit_code: null, output: 'said' },
    { state: 'ok' },
  ])
})

test('the secret of an old address is in no table but encrypted, and in no answer', async () => {
  const team = await given.tenant()
  const token = randomBytes(12).toString('hex')
  provider.handle = ({ path }) => ({
    data: path.includes('/heartbeats')
      ? [
          {
            id: '1',
            attributes: { url: `https://x.example.com/api/v1/heartbeat/${token}`, name: 'Job', period: 3_600 },
          },
        ]
      : [],
  })
  const id = await provider.preview(team, { provider: 'better-stack', base_url: provider.url, api_key: key })
  const job = (await importAll(provider, team, id)).get('Job')!
  await send(`/api/v1/heartbeat/${token}`)
  const answers = await Promise.all(
    [`/migrations/${id}`, `/migrations/${id}/items`, `/cron-monitors/${job.id}`, '/audit-log'].map(path =>
      team.get(path),
    ),
  )
  for (const { status, text } of answers) {
    expect(status).toBe(200)
    expect(text).not.toContain(token)
  }
  const { rows } = await platform.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  for (const { name } of rows) {
    const found = await platform.query(`select 1 from "${name}" x where x::text like $1 limit 1`, [`%${token}%`])
    expect([name, found.rowCount]).toEqual([name, 0])
  }
})
