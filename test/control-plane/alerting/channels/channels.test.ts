import { describe, expect, test } from 'vitest'
import { decryptSecret } from '#control-plane/base/secrets.ts'
import { app, given } from '#test/support/app.ts'

const hook = (config: Record<string, unknown> = {}) => ({
  name: 'Ops',
  type: 'webhook',
  config: { url: 'https://hooks.example.com/in', ...config },
})
const stored = async (id: string) =>
  (
    await app.services.platform.query<{ config: object; secrets: string | null }>(
      'select config, secrets from notification_channels where id = $1',
      [id],
    )
  ).rows[0]!
const opened = (id: string, secrets: string | null) =>
  JSON.parse(decryptSecret(app.services.config, 'notification channel', id, secrets ?? ''))

describe('/notification-channels', () => {
  test('creates, lists, gets, updates and deletes', async () => {
    const owner = await given.tenant()
    const channel = { ...hook({ secret: 'hush hush hush hush' }), notify_all: false }
    const created = await owner.post('/notification-channels', channel)
    expect(created.status).toBe(201)
    const { id } = created.body.data
    expect(created.body.data).toMatchObject({
      name: 'Ops',
      type: 'webhook',
      config: { url: 'https://hooks.example.com/in', secret: '********' },
      is_enabled: true,
      held_by_plan: false,
      is_failing: false,
    })
    expect((await owner.get('/notification-channels')).body).toMatchObject({ data: [{ id }], meta: { total: 1 } })
    expect((await owner.get(`/notification-channels/${id}`)).body.data.id).toBe(id)
    const changed = await owner.patch(`/notification-channels/${id}`, { name: 'Night', is_enabled: false })
    expect(changed.body.data).toMatchObject({ name: 'Night', is_enabled: false, config: created.body.data.config })
    expect((await owner.delete(`/notification-channels/${id}`)).status).toBe(204)
    expect((await owner.get(`/notification-channels/${id}`)).status).toBe(404)
    expect(await app.audited(owner)).toEqual([
      'notification_channel.created',
      'notification_channel.updated',
      'notification_channel.deleted',
    ])
  })

  const all: [type: string, config: Record<string, unknown>, secrets: string[]][] = [
    ['webhook', { url: 'https://hooks.example.com/a?b=c' }, []],
    ['webhook', { url: 'http://hooks.example.com', secret: 'a long secret of mine' }, ['secret']],
    ['webhook', { url: 'https://hooks.example.com', secret: 'x'.repeat(16) }, ['secret']],
    [
      'webhook',
      { url: 'https://hooks.example.com', secret: `whsec_${Buffer.alloc(16, 1).toString('base64')}` },
      ['secret'],
    ],
    ['email', { recipients: ['ops@example.com', 'night@example.com'] }, []],
    ['slack', { webhook_url: 'https://hooks.slack.example.com/services/T0/B0/x' }, ['webhook_url']],
    ['discord', { webhook_url: 'https://discord.example.com/api/webhooks/1/x' }, ['webhook_url']],
    ['microsoft_teams', { webhook_url: 'https://teams.example.com/x' }, ['webhook_url']],
    ['pagerduty', { routing_key: 'R0UTINGKEY0123456789abcdefABCDEF' }, ['routing_key']],
    ['telegram', { bot_token: '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11', chat_id: '-1001234' }, ['bot_token']],
  ]
  test.each(all)('takes %s with %j, and shows no secret of it', async (type, config, secrets) => {
    const owner = await given.tenant()
    const { status, body, text } = await owner.post('/notification-channels', { name: 'x', type, config })
    expect(status).toBe(201)
    for (const [name, value] of Object.entries(config))
      expect(body.data.config[name]).toEqual(secrets.includes(name) ? '********' : value)
    for (const name of secrets) expect(text).not.toContain(`"${config[name]}"`)
    const row = await stored(body.data.id)
    for (const name of secrets) {
      expect(JSON.stringify(row)).not.toContain(String(config[name]).slice(-12))
      expect(opened(body.data.id, row.secrets)[name]).toBe(config[name])
    }
  })

  test('keeps a masked secret, replaces a new one and removes a null one; the former one signs for a day', async () => {
    const owner = await given.tenant()
    const { id } = (await owner.post('/notification-channels', hook({ secret: 'the first of three' }))).body.data
    await owner.patch(`/notification-channels/${id}`, {
      config: { url: 'https://hooks.example.com/other', secret: '********' },
    })
    expect(opened(id, (await stored(id)).secrets)).toEqual({ secret: 'the first of three' })
    const { body } = await owner.patch(`/notification-channels/${id}`, { config: { secret: 'the second of three' } })
    expect(body.data.config).toEqual({ url: 'https://hooks.example.com/other', secret: '********' })
    expect(opened(id, (await stored(id)).secrets)).toMatchObject({
      secret: 'the second of three',
      former: { secret: 'the first of three' },
    })
    await owner.patch(`/notification-channels/${id}`, { config: { secret: null } })
    expect((await owner.get(`/notification-channels/${id}`)).body.data.config.secret).toBeNull()
    // a removed secret no longer signs, nor beside the next one
    expect((await stored(id)).secrets).toBeNull()
    await owner.patch(`/notification-channels/${id}`, { config: { secret: 'the third of three' } })
    expect(opened(id, (await stored(id)).secrets)).toEqual({ secret: 'the third of three' })
  })

  test('a secret below sixteen characters is taken, as an automation may have it in use, and a header says so', async () => {
    const owner = await given.tenant()
    const warning = 'config.secret: at least 16 characters are advised.'
    const whsecOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString('base64')}`
    for (const [secret, expected] of [
      ['x', warning],
      ['x'.repeat(15), warning],
      [whsecOf(10), warning],
      ['x'.repeat(16), null],
      [whsecOf(16), null],
      [null, null],
    ] as const) {
      const made = await owner.post('/notification-channels', hook({ secret }))
      expect([made.status, made.headers.get('x-vedette-warning')], String(secret)).toEqual([201, expected])
      const { id } = made.body.data
      if (secret) expect(opened(id, (await stored(id)).secrets)).toEqual({ secret })
    }
    const { id } = (await owner.post('/notification-channels', hook())).body.data
    const changed = await owner.patch(`/notification-channels/${id}`, { config: { secret: 'hush hush' } })
    expect([changed.status, changed.headers.get('x-vedette-warning')]).toEqual([200, warning])
    const kept = await owner.patch(`/notification-channels/${id}`, { config: { secret: '********' } })
    expect([kept.status, kept.headers.get('x-vedette-warning')]).toEqual([200, null])
  })

  test('a masked secret is refused if none is stored, and a former secret cannot be sent', async () => {
    const owner = await given.tenant()
    expect(await owner.post('/notification-channels', hook({ secret: '********' }))).toMatchObject({
      status: 422,
      body: { errors: { 'config.secret': [expect.any(String)] } },
    })
    const { body } = await owner.post('/notification-channels', hook({ former: { secret: 'mine', until: 9e15 } }))
    expect(Object.keys(body.data.config)).toEqual(['url'])
    expect((await stored(body.data.id)).secrets).toBeNull()
  })

  test('another tenant gets 404, a viewer may only read, a reseller uses the path of its team', async () => {
    const reseller = await given.reseller({ scopes: ['notifications:manage'] })
    const team = await given.team(reseller)
    const made = await reseller.post(`${team.path}/notification-channels`, hook())
    expect(made.status).toBe(201)
    const { id } = made.body.data
    expect((await team.get(`/notification-channels/${id}`)).status).toBe(200)
    expect((await (await given.tenant()).get(`/notification-channels/${id}`)).status).toBe(404)
    expect((await reseller.get(`/notification-channels/${id}`)).status).toBe(404)
    const named = await reseller.post('/notification-channels', hook(), { headers: { 'X-Tenant-Id': team.tenantId } })
    expect((await team.get(`/notification-channels/${named.body.data.id}`)).status).toBe(200)
    expect((await reseller.get('/notification-channels')).body.data).toEqual([])
    const viewer = await given.colleague(team, 'viewer')
    expect((await viewer.get(`/notification-channels/${id}`)).status).toBe(200)
    for (const answer of [
      await viewer.post('/notification-channels', hook()),
      await viewer.patch(`/notification-channels/${id}`, { name: 'x' }),
      await viewer.delete(`/notification-channels/${id}`),
      await viewer.post(`/notification-channels/${id}/test`),
    ])
      expect(answer.status).toBe(403)
  })

  test('a type beyond the plan is refused, and after a downgrade the channel is over the plan limit', async () => {
    const owner = await given.tenant({ plan: 'free' })
    const { status, body } = await owner.post('/notification-channels', {
      name: 'x',
      type: 'slack',
      config: { webhook_url: 'https://hooks.example.com/x' },
    })
    expect(status).toBe(403)
    expect(body).toMatchObject({
      code: 'not_in_plan',
      quota: 'notification_channels',
      errors: { type: [expect.any(String)] },
    })
    const allowed = await given.tenant({ plan: 'free', overrides: { notification_channels: ['slack'] } })
    const made = await allowed.post('/notification-channels', {
      name: 'x',
      type: 'slack',
      config: { webhook_url: 'https://hooks.example.com/x' },
    })
    expect(made.status).toBe(201)
    await app.services.platform.query(`update tenants set feature_overrides = '{}' where id = $1`, [allowed.tenantId])
    expect((await allowed.get(`/notification-channels/${made.body.data.id}`)).body.data.held_by_plan).toBe(true)
  })

  const wrong: [what: string, body: unknown, field: string][] = [
    ['no name', { type: 'webhook', config: { url: 'https://a.example.com' } }, 'name'],
    ['a name of spaces', { ...hook(), name: '  ' }, 'name'],
    ['a name of 256', { ...hook(), name: 'x'.repeat(256) }, 'name'],
    ['an unknown type', { ...hook(), type: 'fax' }, 'type'],
    ['no configuration', { name: 'x', type: 'webhook' }, 'config'],
    ['no address', { name: 'x', type: 'webhook', config: {} }, 'config.url'],
    ['another scheme', hook({ url: 'file:///etc/passwd' }), 'config.url'],
    ['an address of this machine', hook({ url: 'http://127.0.0.1:22/' }), 'config.url'],
    ['the same, spelled as a number', hook({ url: 'http://2130706433/' }), 'config.url'],
    ['the same, by name', hook({ url: 'http://localhost/' }), 'config.url'],
    ['the metadata service', hook({ url: 'http://169.254.169.254/latest' }), 'config.url'],
    ['a password in the address', hook({ url: 'http://a:b@hooks.example.com/' }), 'config.url'],
    ['a backslash', hook({ url: 'http:/\\hooks.example.com' }), 'config.url'],
    ['an address of 2001', hook({ url: `https://hooks.example.com/${'x'.repeat(2_001 - 26)}` }), 'config.url'],
    ['a secret of 256', hook({ secret: 'x'.repeat(256) }), 'config.secret'],
    ['whsec_ alone', hook({ secret: 'whsec_' }), 'config.secret'],
    ['whsec_ and no base64', hook({ secret: `whsec_${'!'.repeat(32)}` }), 'config.secret'],
    [
      'whsec_ and base64 followed by other characters',
      hook({ secret: `whsec_${Buffer.alloc(24, 1).toString('base64')}!` }),
      'config.secret',
    ],
    ['no recipients', { name: 'x', type: 'email', config: { recipients: [] } }, 'config.recipients'],
    [
      'two recipients in one',
      { name: 'x', type: 'email', config: { recipients: ['a@b.example, c@d.example'] } },
      'config.recipients.0',
    ],
    [
      'a recipient with a line break',
      { name: 'x', type: 'email', config: { recipients: ['a@b.example\r\nBcc: c@d.example'] } },
      'config.recipients.0',
    ],
    [
      '51 recipients',
      { name: 'x', type: 'email', config: { recipients: Array.from({ length: 51 }, (_, i) => `a${i}@b.example`) } },
      'config.recipients',
    ],
    [
      'a recipient twice',
      { name: 'x', type: 'email', config: { recipients: ['a@b.example', 'A@b.example'] } },
      'config.recipients',
    ],
    [
      'a private chat address',
      { name: 'x', type: 'slack', config: { webhook_url: 'http://10.0.0.1/x' } },
      'config.webhook_url',
    ],
    [
      'a routing key with a slash',
      { name: 'x', type: 'pagerduty', config: { routing_key: 'abcdefgh/../x' } },
      'config.routing_key',
    ],
    [
      'a token with a path',
      { name: 'x', type: 'telegram', config: { bot_token: '123:../../etc/passwd-and-more-of-it', chat_id: '1' } },
      'config.bot_token',
    ],
    [
      'an invalid chat',
      {
        name: 'x',
        type: 'telegram',
        config: { bot_token: '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11', chat_id: 'x y' },
      },
      'config.chat_id',
    ],
  ]
  test.each(wrong)('refuses %s', async (_, body, field) => {
    const owner = await given.tenant()
    const answer = await owner.post('/notification-channels', body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual([field])
  })

  test('a test of a private address says only that it is blocked', async () => {
    const owner = await given.tenant()
    const { id } = (await owner.post('/notification-channels', hook())).body.data
    await app.services.platform.query(
      `update notification_channels set config = '{"url": "http://127.0.0.1:1/"}' where id = $1`,
      [id],
    )
    const { status, body } = await owner.post(`/notification-channels/${id}/test`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ success: false, status_code: null, error: 'blocked' })
    expect((await owner.post(`/notification-channels/${id}/test`, { event: 'nothing.known' })).status).toBe(422)
  })
})
