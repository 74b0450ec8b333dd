import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { apiFrom, openApi } from '#cli/commands/api.ts'
import { exportTo } from '#cli/commands/export.ts'
import { importFrom, providerOf, type Wanted } from '#cli/commands/import.ts'
import { exportedOfCheck, exportedOfJob, exportedOfMonitor } from '#contract/export.ts'
import { openOrm } from '#control-plane/db/orm.ts'
import { advanceMigration } from '#control-plane/importing/advance.ts'
import { NewCheck } from '#control-plane/monitoring/checks/input.ts'
import { NewMonitor } from '#control-plane/monitoring/monitors/input.ts'
import { NewCronMonitor } from '#control-plane/passive/heartbeats/input.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { services } = app
let orm: Awaited<ReturnType<typeof openOrm>>
let folder = ''
beforeAll(async () => {
  orm = await openOrm(services.config)
  folder = mkdtempSync(join(tmpdir(), 'vedette-import-'))
})
afterAll(async () => {
  await orm?.close()
  rmSync(folder, { recursive: true, force: true })
})
let printed: string[] = []
beforeEach(() => {
  printed = []
})

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const apiOf = (team: CallerUnderTest) => openApi(app.baseUrl, team.token ?? '')

/** Runs the command while the migrations of the team are advanced, as their workflows would. */
async function run(team: CallerUnderTest, wanted: Wanted, env: NodeJS.ProcessEnv = {}): Promise<number> {
  let isOver = false
  const working = (async () => {
    while (!isOver) {
      const { rows } = await services.platform.query<{ id: string }>(
        `select id from provider_migrations where tenant_id = $1 and state in ('draft', 'importing')`,
        [team.tenantId],
      )
      for (const { id } of rows) await advanceMigration({ services, em: orm.em }, id)
      await pause(20)
    }
  })()
  try {
    return await importFrom(apiOf(team), wanted, { env, print: line => printed.push(line), everyMs: 20 })
  } finally {
    isOver = true
    await working
  }
}

const csv = 'name,url,type,interval\nShop,https://shop.example.com/,website,60\nOdd,x,thing,\n'

describe('vedette import', () => {
  test('shows a plan and writes nothing, imports it, and makes nothing twice', async () => {
    const team = await given.tenant()
    const path = file('sites.csv', csv)
    expect(await run(team, { file: path, isApplied: false })).toBe(0)
    expect(printed).toEqual([
      'create   website      Shop',
      'skip     thing        Odd: The type is not one of website, port, ping, dns, job.',
      '1 to create, 0 to update, 1 left out',
      'Nothing was written. Import it with --apply.',
    ])
    expect((await team.get('/monitors')).body.meta.total).toBe(0)
    expect((await team.get('/migrations')).body.data.map(({ state }: { state: string }) => state)).toEqual([
      'cancelled',
    ])

    expect(await run(team, { file: path, isApplied: true })).toBe(0)
    expect(printed).toContain('1 created, 0 updated, 0 failed')
    expect(await run(team, { file: path, isApplied: true })).toBe(0)
    expect(printed).toContain('0 created, 0 updated, 0 failed')
    expect((await team.get('/monitors')).body.meta.total).toBe(1)
  })

  test('fails with the reason of the source, and of the API', async () => {
    const team = await given.tenant()
    const kuma = (content: string) => ({ file: file('kuma.db', content), source: 'uptime-kuma', isApplied: false })
    expect(await run(team, kuma(`SQLite format 3\0${'x'.repeat(4_000)}`))).toBe(1)
    expect(printed).toEqual(['The source cannot be read: The database is damaged.'])
    await expect(run(team, kuma('x'))).rejects.toMatchObject({
      why: expect.stringContaining('body: The file is no SQLite database.'),
    })
    await expect(run(team, { source: 'unknown', isApplied: false })).rejects.toMatchObject({
      message: 'POST /migrations was refused with status 422',
      why: expect.stringContaining('provider:'),
    })
    await expect(run(team, { file: file('what', 'x'), isApplied: false })).rejects.toThrow('the source is not known')
    await expect(run(team, { file: join(folder, 'none'), isApplied: false })).rejects.toThrow('cannot be read')
    const local = { source: 'healthchecks', baseUrl: 'http://127.0.0.1:1', isApplied: false }
    await expect(run(team, local, { SOURCE_KEY: 'key' })).rejects.toMatchObject({
      why: expect.stringContaining('base_url'),
    })
  })

  test('knows a source by its file', () => {
    const known = (text: string, name = 'file') => providerOf(Buffer.from(text), name)
    expect(known('SQLite format 3\0')).toBe('uptime-kuma')
    expect(known('url', 'sites.CSV')).toBe('csv')
    expect(known('a: 1\nendpoints:\n')).toBe('gatus')
    expect(known('scrape_configs:\n')).toBe('blackbox-exporter')
    expect(known('{"format":"vedette-export"}')).toBe('vedette')
    expect(known('text')).toBeNull()
  })

  test('needs an address and a token', () => {
    expect(() => apiFrom({}, {})).toThrow('no address is named')
    expect(() => apiFrom({ VEDETTE_URL: 'https://x.example' }, {})).toThrow('no token is named')
    const path = file('token', 'st-1\n')
    expect(apiFrom({ VEDETTE_URL: 'https://x.example/', VEDETTE_TOKEN_FILE: path }, {}).url).toBe('https://x.example')
  })
})

test('what vedette export writes becomes the same monitors in another team, without secrets', async () => {
  const team = await given.tenant()
  const made = [
    {
      name: 'Shop',
      url: 'https://shop.example.com/',
      tags: ['prod'],
      group: 'Shops',
      check_interval: 120,
      slo: { target_pct: 99.9, window_days: 30 },
      checks: [
        {
          type: 'uptime',
          settings: {
            expected_status: ['200-299', 301],
            headers: { 'X-Team': 'ops', Authorization: 'Bearer secret-of-header' },
            auth: { type: 'basic', username: 'pat', password: 'pass-of-pat' },
            assertions: [{ source: 'json', property: 'a.b', comparison: 'equals', target: 'x' }],
          },
        },
        { type: 'ssl', settings: { warn_days: [20, 5] }, severity: 'minor' },
      ],
    },
    {
      name: 'Mail',
      type: 'host',
      url: 'mail.example.com',
      is_enabled: false,
      checks: [{ type: 'tcp', settings: { port: 25 } }],
    },
  ]
  for (const body of made) {
    const { status, text } = await team.post('/monitors', body)
    expect(status, text).toBe(201)
  }
  await team.post('/cron-monitors', {
    name: 'Backup',
    schedule: '0 3 * * *',
    timezone: 'Europe/Berlin',
    grace_minutes: 7,
  })
  await team.post('/cron-monitors', { name: 'Sync', period_minutes: 15 })

  for (const format of ['json', 'yaml'] as const) {
    const path = join(folder, `export.${format}`)
    await exportTo(apiOf(team), { format, output: path })
    const text = readFileSync(path, 'utf8')
    for (const secret of ['pass-of-pat', 'secret-of-header']) expect(text).not.toContain(secret)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const other = await given.tenant()
    printed = []
    expect(await run(other, { file: path, isApplied: true }), printed.join('\n')).toBe(0)
    expect(printed).toContain('4 created, 0 updated, 0 failed')
    expect(printed.join('\n')).toContain('Its sign-in is not part of an export: set it.')
    expect(printed.join('\n')).toContain('The header Authorization holds a secret')
    const again = join(folder, `again.${format}`)
    await exportTo(apiOf(other), { format: 'json', output: again })
    const known = JSON.parse(readFileSync(again, 'utf8'))
    const first = known.monitors.find(({ name }: { name: string }) => name === 'Shop')
    expect(first).toMatchObject({
      url: 'https://shop.example.com/',
      tags: ['prod'],
      group: 'Shops',
      check_interval: 120,
      slo: { target_pct: 99.9 },
    })
    expect(first.checks).toMatchObject([
      {
        type: 'uptime',
        settings: {
          expected_status: ['200-299', 301],
          headers: { 'X-Team': 'ops' },
          auth: null,
          assertions: [{ property: 'a.b', target: 'x' }],
        },
      },
      { type: 'ssl', settings: { warn_days: [20, 5] }, severity: 'minor' },
    ])
    expect(known.jobs.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Backup', 'Sync'])
    expect(known.jobs.find(({ name }: { name: string }) => name === 'Backup')).toMatchObject({
      schedule: '0 3 * * *',
      timezone: 'Europe/Berlin',
      grace_minutes: 7,
    })
  }
})

test('an export of another kind is refused with its reason', async () => {
  const team = await given.tenant()
  const refused = async (text: string) => {
    printed = []
    expect(await run(team, { file: file('x.json', text), source: 'vedette', isApplied: true })).toBe(1)
    return printed.join()
  }
  expect(await refused('{"format":"other"}')).toContain('no export of Vedette')
  expect(await refused('{"format":"vedette-export","version":9}')).toContain('version 9')
  expect(await refused('{"format":')).toContain('no JSON')
  const odd = {
    format: 'vedette-export',
    version: 1,
    monitors: [{}, 5, { type: 'agent', name: 'A' }],
    jobs: [{ name: 'x' }],
  }
  expect(await run(team, { file: file('y.json', JSON.stringify(odd)), isApplied: false })).toBe(0)
  expect(printed).toContain('0 to create, 0 to update, 3 left out')
})

describe('an export', () => {
  const every = {
    tags: ['prod', 'eu'],
    group: 'Nights',
    notes: 'Call Pat\nfirst.',
    is_enabled: false,
    external_ref: 'ref-1',
    metadata: { owner: 'ops', tier: 2, is_old: false },
    slo: { target_pct: 99.5, window_days: 7 },
  }
  const jobs = {
    'Of a period': {
      ...{ ...every, severity: 'major', schedule_kind: 'simple', period_minutes: 15, grace_minutes: 7 },
      ...{ max_run_minutes: 3, fail_keyword: 'ERROR', url: 'https://jobs.example.com/1' },
    },
    'Of a schedule': {
      ...{ schedule: '0 3 * * 1-5', timezone: 'Europe/Berlin', grace_minutes: 1, severity: 'warning' },
    },
    'Without more': { period_minutes: 60 },
  }
  const site = {
    ...{ ...every, type: 'website', name: 'Shop', url: 'https://shop.example.com/a?b=c', check_interval: 120 },
    external_ref: 'ref-2',
    ...{ timeout: 7, region_policy: { mode: 'count', count: 1 }, confirmations: 4, recovery_confirmations: 3 },
    checks: [
      { type: 'uptime', settings: { keyword_present: 'Welcome' }, severity: 'major', interval: 300 },
      { type: 'ssl', settings: { warn_days: [20, 5] }, severity: 'warning', is_enabled: false },
    ],
  }
  /** What an import says that it does not carry over. */
  const left = ['id', 'regions', 'depends_on', 'escalation_policy_id', 'is_enabled']
  const without = (names: readonly string[], fields: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

  test('has every field of monitors, jobs and checks that can be sent', () => {
    expect([...exportedOfMonitor, 'checks'].toSorted()).toEqual(['id', ...Object.keys(NewMonitor.shape)].toSorted())
    expect([...exportedOfJob].toSorted()).toEqual(['id', ...Object.keys(NewCronMonitor.shape)].toSorted())
    for (const check of NewCheck.options)
      expect([...exportedOfCheck].toSorted()).toEqual(Object.keys(check.shape).toSorted())
  })

  test('that is imported and exported again is the same in every field', async () => {
    const team = await given.tenant()
    for (const [name, fields] of Object.entries(jobs)) {
      const { status, text } = await team.post('/cron-monitors', { name, ...fields })
      expect(status, text).toBe(201)
    }
    const made = await team.post('/monitors', site)
    expect(made.status, made.text).toBe(201)
    const exported = async (of: CallerUnderTest) => {
      const path = join(folder, `${crypto.randomUUID()}.json`)
      await exportTo(apiOf(of), { format: 'json', output: path })
      const { monitors, jobs } = JSON.parse(readFileSync(path, 'utf8'))
      const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
      const all = [...monitors, ...jobs].toSorted(byName).map(fields => without(left, fields))
      return { path, all }
    }
    const first = await exported(team)
    expect(first.all.map(({ severity }) => severity)).toEqual(['major', 'warning', undefined, 'critical'])
    const other = await given.tenant()
    expect(await run(other, { file: first.path, isApplied: true }), printed.join('\n')).toBe(0)
    expect((await exported(other)).all).toEqual(first.all)
  })

  test('has servers with their thresholds, and an import says that their agents need a new token', async () => {
    const team = await given.tenant()
    const thresholds = [{ metric: 'disk', above: 70, for_minutes: 7, severity: 'critical', label: '/srv' }]
    expect((await team.post('/agent-monitors', { name: 'web-1', thresholds })).status).toBe(201)
    const path = join(folder, 'servers.json')
    await exportTo(apiOf(team), { format: 'json', output: path })
    expect(JSON.parse(readFileSync(path, 'utf8')).servers).toMatchObject([{ name: 'web-1', thresholds }])
    const other = await given.tenant()
    printed = []
    expect(await run(other, { file: path, isApplied: false })).toBe(0)
    expect(printed).toContain('create   server       web-1')
    expect((await other.get('/agent-monitors')).body.data).toEqual([])
    printed = []
    expect(await run(other, { file: path, isApplied: true })).toBe(0)
    expect(printed).toContain('created  server       web-1: Its agent needs a new token.')
    expect((await other.get('/agent-monitors')).body.data).toMatchObject([{ name: 'web-1', thresholds }])
  })
})
