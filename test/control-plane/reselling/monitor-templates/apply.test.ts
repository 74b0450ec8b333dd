import { describe, expect, test } from 'vitest'
import { serverAgentPaths } from '#contract/server-agent.ts'
import { app, type CallerUnderTest, given, type TeamUnderTest } from '#test/support/app.ts'

const template = {
  name: 'Shop',
  monitors: [
    {
      name_template: 'Site of {{client}}',
      url_template: 'https://{{domain}}/{{path}}',
      check_interval: 600,
      tags: ['client', '{{tier}}'],
      checks: [{ type: 'uptime', settings: { keyword_present: '{{client}}' } }, { type: 'ssl' }],
    },
    {
      name_template: 'Mail',
      url_template: '{{ domain }}',
      type: 'host',
      checks: [{ type: 'dns', settings: { record_types: ['MX'] } }],
    },
  ],
  variables: [
    { name: 'client' },
    { name: 'domain', description: 'Without www' },
    { name: 'tier', default: 'gold' },
    { name: 'path', required: false },
  ],
}

const save = async (reseller: CallerUnderTest, body: unknown = template): Promise<string> => {
  const answer = await reseller.post('/reseller/monitor-templates', body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.id
}
const single = (url_template: string, variables: unknown[] = []) => ({
  name: 'T',
  monitors: [{ name_template: 'One', url_template }],
  variables,
})
const monitorsOf = async (team: TeamUnderTest) => (await team.get('/monitors?sort=created_at&sort_dir=asc')).body.data

describe('apply-template', () => {
  test('makes every monitor with its values filled in, in the team and for the team', async () => {
    const reseller = await given.reseller({ scopes: ['teams:write'] })
    const team = await given.team(reseller)
    const id = await save(reseller)
    const { status, body } = await reseller.post(`${team.path}/apply-template`, {
      template_id: id,
      variables: { client: 'Ärger & Söhne', domain: 'shop.example.com' },
    })
    expect(status).toBe(201)
    expect(body.data).toMatchObject([
      {
        name: 'Site of Ärger & Söhne',
        url: 'https://shop.example.com/',
        type: 'website',
        check_interval: 600,
        tags: ['client', 'gold'],
        checks: [{ type: 'uptime' }, { type: 'ssl' }],
      },
      { name: 'Mail', url: 'host://shop.example.com', type: 'host', check_interval: 60, checks: [{ type: 'dns' }] },
    ])
    expect(await monitorsOf(team)).toEqual(body.data)
    const [check] = (await team.get(`/monitors/${body.data[0].id}/checks`)).body.data
    expect(check.settings.keyword_present).toBe('Ärger & Söhne')
    expect(await app.emitted(team)).toEqual(['monitor.created', 'monitor.created'])
    expect(await app.audited(team)).toEqual(expect.arrayContaining(['monitor.created', 'monitor_template.applied']))
    expect(await app.audited(reseller)).toEqual(['monitor_template.created', 'monitor_template.applied'])
  })

  const jobAndServer = {
    name: 'T',
    monitors: [
      {
        name_template: 'Backup of {{client}}',
        type: 'cron',
        tags: ['{{client}}'],
        checks: [
          {
            type: 'cron',
            severity: 'major',
            settings: { schedule: '{{when}}', timezone: 'Europe/Berlin', grace_minutes: 30 },
          },
        ],
      },
      { name_template: 'Site', url_template: 'https://example.com/' },
      {
        name_template: 'Server of {{client}}',
        url_template: 'https://{{client}}.example.com/',
        type: 'agent',
        check_interval: 1,
        checks: [
          { type: 'agent', settings: { no_data_after_minutes: 5, thresholds: [{ metric: 'disk', above: 80 }] } },
        ],
      },
      { name_template: 'Web 1 (Köln)', url_template: '{{home}}', type: 'agent' },
    ],
    variables: [{ name: 'client' }, { name: 'when', default: '30 2 * * *' }, { name: 'home', required: false }],
  }

  test('creates jobs and servers like their own endpoints, and returns once how they report', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const id = await save(reseller, jobAndServer)
    const apply = () =>
      reseller.call(
        'POST',
        `${team.path}/apply-template`,
        { template_id: id, variables: { client: 'blue' } },
        { headers: { 'Idempotency-Key': 'once' } },
      )
    const { status, body, text } = await apply()
    expect(status, text).toBe(201)
    const [job, site, server, other] = body.data
    expect(body.data).toMatchObject([
      {
        name: 'Backup of blue',
        type: 'cron',
        url: 'cron://backup-of-blue',
        tags: ['blue'],
        checks: [{ type: 'cron' }],
      },
      { type: 'website' },
      { name: 'Server of blue', type: 'agent', url: 'https://blue.example.com/', checks: [{ type: 'agent' }] },
      { type: 'agent', url: 'agent://web-1-koln' },
    ])
    const ofJob = (await team.get(`/cron-monitors/${job.id}`)).body.data
    expect(ofJob).toMatchObject({
      schedule_kind: 'cron',
      schedule: '30 2 * * *',
      timezone: 'Europe/Berlin',
      grace_minutes: 30,
      severity: 'major',
      next_expected: [{}, {}, {}].map(() => expect.any(String)),
    })
    const ofServer = (await team.get(`/agent-monitors/${server.id}`)).body.data
    expect(ofServer).toMatchObject({ no_data_after_minutes: 5, thresholds: [{ metric: 'disk', above: 80 }] })
    const nothing = { ping_url: null, plain_text_token: null, install: null }
    expect(body.connections).toMatchObject([
      { ...nothing, monitor_id: job.id, name: 'Backup of blue', type: 'cron', ping_url: ofJob.ping_url },
      {
        monitor_id: server.id,
        type: 'agent',
        ping_url: null,
        install: { command: expect.stringContaining('VEDETTE_TOKEN=am-') },
      },
      { monitor_id: other.id },
    ])
    expect(body.connections.some(({ monitor_id }: { monitor_id: string }) => monitor_id === site.id)).toBe(false)

    const { plain_text_token: token } = body.connections[1]
    expect(ofServer.token.masked).toBe(`am-********${token.slice(-4)}`)
    const reported = await fetch(app.baseUrl + serverAgentPaths.metrics, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'X-Forwarded-For': team.ip },
      body: JSON.stringify({ batch: crypto.randomUUID(), samples: [{ at: Date.now(), metrics: { cpu: 5 } }] }),
    })
    expect(reported.status).toBe(200)
    expect((await apply()).body).toEqual(body)
    const { rows } = await app.services.platform.query<{ kept: string }>(
      `select row_to_json(a)::text as kept from audit_entries a where tenant_id = any($1) union all
       select row_to_json(o)::text from outbox o where tenant_id = any($1)
       union all select row_to_json(i)::text from idempotency_keys i where tenant_id = any($1) union all
         select row_to_json(k)::text from agent_tokens k where tenant_id = any($1)`,
      [[reseller.tenantId, team.tenantId]],
    )
    expect(rows.length).toBeGreaterThan(5)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('jobs and servers need what the plan says of them, and what is wrong leaves nothing', async () => {
    const reseller = await given.reseller()
    const id = await save(reseller, jobAndServer)
    const apply = (team: TeamUnderTest, variables: object = { client: 'blue' }) =>
      reseller.post(`${team.path}/apply-template`, { template_id: id, variables })
    const [free, jobless, small, rich] = [
      await given.team(reseller, { plan: 'free' }),
      await given.team(reseller, { overrides: { cron_heartbeats: false } }),
      await given.team(reseller, { overrides: { agent_limit: 1 } }),
      await given.team(reseller),
    ]
    expect(await apply(free)).toMatchObject({ status: 403, body: { code: 'not_in_plan', quota: 'server_monitoring' } })
    expect(await apply(jobless)).toMatchObject({ status: 403, body: { code: 'not_in_plan', quota: 'cron_heartbeats' } })
    expect(await apply(small)).toMatchObject({ status: 422, body: { quota: 'agent_limit', current: 0, limit: 1 } })
    for (const [variables, field] of [
      [{ client: 'blue', when: 'at times' }, 'monitors.0.checks.0.settings.schedule'],
      [{ client: 'blue', home: 'file:///etc/passwd' }, 'monitors.3.url'],
      [{ client: 'b'.repeat(250) }, 'monitors.0.name'],
    ] as const)
      expect(Object.keys((await apply(rich, variables)).body.errors)).toContain(field)
    for (const team of [free, jobless, small, rich]) expect(await monitorsOf(team)).toEqual([])
  })

  test('what a value holds is text: never read again, never a pattern', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const id = await save(reseller, {
      ...single('https://example.com/'),
      monitors: [{ name_template: '{{a}} {{b}}', url_template: 'https://example.com/' }],
      variables: [{ name: 'a' }, { name: 'b' }],
    })
    const { body } = await reseller.post(`${team.path}/apply-template`, {
      template_id: id,
      variables: { a: '{{b}}', b: '$&' },
    })
    expect(body.data[0].name).toBe('{{b}} $&')
  })

  test('names every variable that is missing, and every one it does not know', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const id = await save(reseller)
    for (const [variables, fields] of [
      [undefined, ['variables.client', 'variables.domain']],
      [{}, ['variables.client', 'variables.domain']],
      [{ client: '', domain: 'example.com' }, ['variables.client']],
      [{ client: 'A', domain: 'example.com', tier: '' }, ['variables.tier']],
      [{ client: 'A', domain: 'example.com', other: '', toString: 'x' }, ['variables.other', 'variables.toString']],
      [{ client: 'A', domain: 'x'.repeat(1_001) }, ['variables.domain']],
      [{ client: 'A', domain: 7 }, ['variables.domain']],
      [{ client: 'A', domain: null }, ['variables.domain']],
      [['a'], ['variables']],
      [null, ['variables']],
      [Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`v${index}`, ''])), ['variables']],
    ] as const) {
      const { status, body } = await reseller.post(`${team.path}/apply-template`, { template_id: id, variables })
      expect(status, JSON.stringify(variables)).toBe(422)
      expect(Object.keys(body.errors)).toEqual(fields)
    }
    for (const raw of ['{"__proto__": {"a": "b"}}', '{"constructor": {"prototype": {}}}'])
      expect(
        (await reseller.post(`${team.path}/apply-template`, `{"template_id": "${id}", "variables": ${raw}}`)).status,
      ).toBe(422)
    expect(await monitorsOf(team)).toEqual([])
  })

  test('filled monitors are validated like all others, and one invalid monitor creates none', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const id = await save(reseller, {
      name: 'T',
      monitors: [
        { name_template: 'Fine', url_template: 'https://example.com/' },
        { name_template: '{{h}}', url_template: 'http://{{h}}/' },
      ],
      variables: [{ name: 'h' }],
    })
    for (const h of ['127.0.0.1', '169.254.169.254', '[::1]', 'localhost', 'a b', '2130706433', 'x@10.0.0.1']) {
      const { status, body } = await reseller.post(`${team.path}/apply-template`, { template_id: id, variables: { h } })
      expect(status, h).toBe(422)
      expect(Object.keys(body.errors), h).toEqual(['monitors.1.url'])
    }
    expect(
      Object.keys(
        (await reseller.post(`${team.path}/apply-template`, { template_id: id, variables: { h: 'x'.repeat(256) } }))
          .body.errors,
      ),
    ).toContain('monitors.1.name')
    expect(await monitorsOf(team)).toEqual([])
    expect(await app.emitted(team)).toEqual([])
    expect(await app.audited(team)).toEqual([])
  })

  test('settings that come out wrong are refused by the check’s own rules', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const checks = [{ type: 'dns', settings: { record_types: ['{{t}}'], resolvers: ['{{r}}'] } }]
    const id = await save(reseller, {
      name: 'T',
      monitors: [{ name_template: 'One', url_template: 'https://example.com/', checks }],
      variables: [{ name: 't' }, { name: 'r' }],
    })
    const apply = (t: string, r: string) =>
      reseller.post(`${team.path}/apply-template`, { template_id: id, variables: { t, r } })
    expect(Object.keys((await apply('PTR', '9.9.9.9')).body.errors)).toEqual([
      'monitors.0.checks.0.settings.record_types.0',
    ])
    expect(Object.keys((await apply('MX', '10.0.0.1')).body.errors)).toEqual([
      'monitors.0.checks.0.settings.resolvers.0',
    ])
    expect((await apply('MX', '9.9.9.9')).status).toBe(201)
  })

  test('the plan counts all of them before any is made', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'free' })
    const four = {
      name: 'T',
      monitors: Array.from({ length: 4 }, () => ({ name_template: 'One', url_template: 'https://example.com/' })),
    }
    const id = await save(reseller, four)
    expect((await reseller.post(`${team.path}/apply-template`, { template_id: id })).status).toBe(201)
    const { status, body } = await reseller.post(`${team.path}/apply-template`, { template_id: id })
    expect(status).toBe(422)
    expect(body.code).toBe('plan_limit')
    expect(Object.keys(body.errors)).toEqual(['monitors'])
    expect(await monitorsOf(team)).toHaveLength(4)
    const often = await save(reseller, {
      name: 'T',
      monitors: [{ name_template: 'One', url_template: 'https://example.com/', check_interval: 60 }],
    })
    expect(
      Object.keys((await reseller.post(`${team.path}/apply-template`, { template_id: often })).body.errors),
    ).toEqual(['monitors.0.check_interval'])
  })

  test('refuses an unknown or foreign template, foreign teams and missing scopes', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const [team, theirs] = [await given.team(reseller), await given.team(rival)]
    const foreign = await save(rival)
    const absent = crypto.randomUUID()
    const answers = []
    for (const template_id of [foreign, absent])
      answers.push(await reseller.post(`${team.path}/apply-template`, { template_id }))
    for (const { status, body } of answers) {
      expect(status).toBe(422)
      expect(Object.keys(body.errors)).toEqual(['template_id'])
    }
    expect(answers[0]!.body.message).toBe(answers[1]!.body.message)
    const own = await save(reseller)
    for (const template_id of ['x', null, undefined])
      expect((await reseller.post(`${team.path}/apply-template`, { template_id })).status).toBe(422)
    expect((await reseller.post(`${theirs.path}/apply-template`, { template_id: own })).status).toBe(403)
    const reader = await given.reseller({ scopes: ['teams:read', 'monitors:manage'] })
    expect((await reader.post(`${(await given.team(reader)).path}/apply-template`, { template_id: own })).status).toBe(
      403,
    )
    expect((await team.post(`${team.path}/apply-template`, { template_id: own })).status).toBe(403)
  })

  test('two at once at the limit: one is made, one refused', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'free' })
    const id = await save(reseller, {
      name: 'T',
      monitors: Array.from({ length: 3 }, () => ({ name_template: 'One', url_template: 'https://example.com/' })),
    })
    const statuses = await Promise.all(
      Array.from(
        { length: 8 },
        async () => (await reseller.post(`${team.path}/apply-template`, { template_id: id })).status,
      ),
    )
    expect(statuses.sort()).toEqual([201, 422, 422, 422, 422, 422, 422, 422])
    expect(await monitorsOf(team)).toHaveLength(3)
  })
})
