import { describe, expect, test } from 'vitest'
import { decryptSettings } from '#control-plane/engine/assignments/check-secrets.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const path = '/reseller/monitor-templates'
const token = 'template-secret-of-the-reseller'
const check = (value = token) => ({ type: 'uptime', settings: { auth: { type: 'bearer', token: value } } })
const monitor = (url_template: string, more: Record<string, unknown> = {}) => ({
  name_template: 'Shop',
  url_template,
  checks: [check()],
  ...more,
})
const masked = (url_template: string, more: Record<string, unknown> = {}) =>
  monitor(url_template, { checks: [check('********')], ...more })
const variables = [{ name: 'domain' }, { name: 'path', required: false }]
const create = (reseller: CallerUnderTest, ...monitors: unknown[]) =>
  reseller.post(path, { name: 'T', monitors, variables })

async function storedTokens(team: CallerUnderTest): Promise<unknown[]> {
  const { rows } = await app.services.platform.query('select id, settings, secrets from checks where tenant_id = $1', [
    team.tenantId,
  ])
  return rows.map(
    ({ id, ...closed }) => (decryptSettings(app.services.config, id, closed).auth as { token: string }).token,
  )
}

describe('a secret of a template', () => {
  test.each([
    ['another host', 'https://evil.example.net/'],
    ['another port', 'https://shop.example.com:8443/'],
    ['the open', 'http://shop.example.com/'],
    ['a host that begins alike', 'https://shop.example.com.evil.example.net/'],
    ['a host that a variable names', 'https://{{domain}}/'],
    ['a host that a variable ends', 'https://shop.example.com{{domain}}/'],
    ['whatever a variable says', '{{domain}}'],
  ])('is not kept for %s', async (_, moved) => {
    const reseller = await given.reseller()
    const { id } = (await create(reseller, monitor('https://shop.example.com/login'))).body.data
    const answer = await reseller.patch(`${path}/${id}`, {
      monitors: [masked(moved, { secret_hosts: ['*.example.net', 'shop.example.com'] })],
    })
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['monitors.0.checks.0.settings.auth.token']])
    const sent = await reseller.patch(`${path}/${id}`, {
      monitors: [monitor(moved, { secret_hosts: ['*.example.net', 'shop.example.com'] })],
    })
    expect(sent.status).toBe(200)
  })

  test.each([
    ['another path', 'https://shop.example.com/health'],
    ['a path that a variable names', 'https://shop.example.com/{{path}}'],
    ['another spelling of the host', 'HTTPS://Shop.Example.com:443/login'],
  ])('is kept for %s of the same host', async (_, moved) => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { id } = (await create(reseller, monitor('https://shop.example.com/login'))).body.data
    expect((await reseller.patch(`${path}/${id}`, { monitors: [masked(moved)] })).status).toBe(200)
    const applied = { template_id: id, variables: { domain: 'shop.example.com', path: 'x' } }
    expect((await reseller.post(`${team.path}/apply-template`, applied)).status).toBe(201)
    expect(await storedTokens(team)).toEqual([token])
  })

  test('does not move to another monitor of the template', async () => {
    const reseller = await given.reseller()
    const [one, two] = [
      monitor('https://one.example.com/'),
      { ...monitor('https://two.example.net/'), name_template: 'Other' },
    ]
    const { id } = (await create(reseller, one, two)).body.data
    const swapped = [masked('https://two.example.net/'), masked('https://one.example.com/')]
    const { status, body } = await reseller.patch(`${path}/${id}`, { monitors: swapped })
    expect([status, Object.keys(body.errors)]).toEqual([
      422,
      ['monitors.0.checks.0.settings.auth.token', 'monitors.1.checks.0.settings.auth.token'],
    ])
  })

  test('needs named hosts where a variable names the host, and goes to no other', async () => {
    const reseller = await given.reseller()
    const refused = await create(reseller, monitor('https://{{domain}}/'))
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['monitors.0.secret_hosts']])
    const { status, body } = await create(
      reseller,
      monitor('https://{{domain}}/', { secret_hosts: ['shop.example.com', '*.customers.example.com'] }),
    )
    expect([status, body.data.monitors[0].secret_hosts]).toEqual([201, ['shop.example.com', '*.customers.example.com']])

    const team = await given.team(reseller)
    const apply = (domain: string) =>
      reseller.post(`${team.path}/apply-template`, { template_id: body.data.id, variables: { domain } })
    for (const elsewhere of [
      'evil.example.net',
      'shop.example.com.evil.example.net',
      'evil.example.net/shop.example.com',
      'evil.example.net#.customers.example.com',
      'user@evil.example.net?shop.example.com',
      'customers.example.com',
      'shop.example.com:8443',
    ]) {
      const answer = await apply(elsewhere)
      expect([elsewhere, answer.status]).toEqual([elsewhere, 422])
      expect(Object.keys(answer.body.errors)).toEqual(['monitors.0.url'])
    }
    expect(await storedTokens(team)).toEqual([])
    for (const allowed of [
      'shop.example.com',
      'SHOP.example.com',
      'a.customers.example.com',
      'a.b.customers.example.com',
    ])
      expect((await apply(allowed)).status).toBe(201)
    expect(await storedTokens(team)).toEqual([token, token, token, token])
  })

  test('is not kept when further hosts are named for it; fewer are no harm', async () => {
    const reseller = await given.reseller()
    const hosts = ['a.example.com', 'b.example.com']
    const { id } = (await create(reseller, monitor('https://{{domain}}/', { secret_hosts: hosts }))).body.data
    const change = (secret_hosts: string[]) =>
      reseller.patch(`${path}/${id}`, { monitors: [masked('https://{{domain}}/', { secret_hosts })] })
    expect((await change([...hosts, 'evil.example.net'])).status).toBe(422)
    expect((await change(['*.example.com'])).status).toBe(422)
    expect((await change(['a.example.com'])).status).toBe(200)
  })

  test('that a variable holds may go where the same variables say', async () => {
    const reseller = await given.reseller()
    const { status } = await reseller.post(path, {
      name: 'T',
      monitors: [{ ...monitor('https://{{domain}}/'), checks: [check('{{token}}')] }],
      variables: [...variables, { name: 'token' }],
    })
    expect(status).toBe(201)
  })

  test('of a template that named no hosts is not applied to a host that a variable names', async () => {
    const reseller = await given.reseller()
    const { id } = (await create(reseller, monitor('https://{{domain}}/', { secret_hosts: ['shop.example.com'] }))).body
      .data
    await app.services.platform.query(
      `update monitor_templates set monitors = monitors #- '{0,secret_hosts}' where id = $1`,
      [id],
    )
    const team = await given.team(reseller)
    const { status, body } = await reseller.post(`${team.path}/apply-template`, {
      template_id: id,
      variables: { domain: 'shop.example.com' },
    })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['monitors.0.url']])
    // what has nothing to do with it can still be changed
    expect((await reseller.patch(`${path}/${id}`, { name: 'Renamed' })).status).toBe(200)
  })

  test('is limited to its hosts in a profile too', async () => {
    const reseller = await given.reseller()
    const { id } = (await create(reseller, monitor('https://{{domain}}/', { secret_hosts: ['shop.example.com'] }))).body
      .data
    const profile = (
      await reseller.post('/reseller/provisioning-profiles', { name: 'P', plan: 'pro', monitor_template_id: id })
    ).body.data
    const found = (domain: string) =>
      reseller.post('/reseller/managed-teams', {
        name: 'Acme',
        slug: `t-${crypto.randomUUID()}`,
        profile_id: profile.id,
        variables: { domain },
      })
    expect((await found('evil.example.net')).status).toBe(422)
    expect((await found('shop.example.com')).status).toBe(201)
  })

  test.each([
    [['not a host']],
    [['https://a.example.com']],
    [['*.']],
    [['a.example.com/x']],
    [['*']],
    [['*.com']],
    [Array.from({ length: 51 }, (_, i) => `h${i}.example.com`)],
  ])('has hosts that are names: refuses %j', async secret_hosts => {
    const { status, body } = await create(await given.reseller(), monitor('https://{{domain}}/', { secret_hosts }))
    expect(status).toBe(422)
    for (const name of Object.keys(body.errors)) expect(name).toMatch(/^monitors\.0\.secret_hosts/)
  })
})

describe('a webhook’s signing secret', () => {
  const secret = 'between-the-two-of-us'
  test.each([
    [
      '/notification-channels',
      (url: string, given?: string | null) => ({ config: { url, ...(given !== undefined && { secret: given }) } }),
    ],
    [
      '/reseller/webhooks',
      (url: string, given?: string | null) => ({ url, ...(given !== undefined && { secret: given }) }),
    ],
  ])('of %s stays with its host', async (at, change) => {
    const reseller = await given.reseller()
    const isChannel = at === '/notification-channels'
    const caller = isChannel ? await given.tenant() : reseller
    const url = 'https://hooks.example.com/in'
    const body = isChannel
      ? { name: 'x', type: 'webhook', config: { url, secret } }
      : { name: 'x', url, secret, events: ['team.paused'] }
    const { id } = (await caller.post(at, body)).body.data
    const patch = (to: string, given?: string | null) => caller.patch(`${at}/${id}`, change(to, given))
    for (const moved of [
      'https://evil.example.net/in',
      'https://hooks.example.com:8443/in',
      'http://hooks.example.com/in',
    ])
      for (const given of [undefined, '********']) {
        const answer = await patch(moved, given)
        expect([moved, answer.status, Object.keys(answer.body.errors)]).toEqual([
          moved,
          422,
          [isChannel ? 'config.secret' : 'secret'],
        ])
      }
    expect((await patch('https://hooks.example.com/other', '********')).status).toBe(200)
    expect((await patch('https://evil.example.net/in', 'another-secret-of-mine')).status).toBe(200)
    expect((await patch('https://third.example.net/in', null)).status).toBe(200)
  })
})
