import { describe, expect, test } from 'vitest'
import { webhookSecretOf } from '#control-plane/tenancy/branding/webhook-secret.ts'
import { app, given } from '#test/support/app.ts'

const hook = (more: Record<string, unknown> = {}) => ({
  name: 'CRM',
  url: 'https://crm.example.com/vedette',
  secret: 'only between us two',
  events: ['incident.created', 'team.provisioned'],
  ...more,
})
const signingSecret = async (resellerId: string) => {
  const { rows } = await app.services.platform.query<{ webhook_secret: string | null }>(
    'select webhook_secret from tenants where id = $1',
    [resellerId],
  )
  return webhookSecretOf(app.services.config, { resellerId, encryptedSecret: rows[0]!.webhook_secret })
}

describe('/reseller/webhooks', () => {
  test('makes channel and rule together; lists, reads, changes and deletes them', async () => {
    const reseller = await given.reseller({ scopes: ['webhooks:manage', 'notifications:read'] })
    const filter = { tenant_ids: [], labels: ['gold*'] }
    const { status, body, text } = await reseller.post('/reseller/webhooks', hook({ tenant_filter: filter }))
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      name: 'CRM',
      url: 'https://crm.example.com/vedette',
      secret: '********',
      tenant_filter: filter,
      is_enabled: true,
    })
    expect(text).not.toContain('only between us two')
    const { id } = body.data
    expect((await reseller.get('/reseller/webhooks')).body).toMatchObject({ data: [{ id }], meta: { total: 1 } })
    expect((await reseller.get('/notification-channels')).body.data).toMatchObject([
      { id, type: 'webhook', name: 'CRM' },
    ])
    expect((await reseller.get('/notification-rules')).body.data).toMatchObject([
      { channel_id: id, event_types: hook().events, tenant_filter: filter },
    ])

    const changed = await reseller.patch(`/reseller/webhooks/${id}`, {
      events: ['team.deleted'],
      secret: '********',
      tenant_filter: null,
      is_enabled: false,
    })
    expect(changed.body.data).toMatchObject({
      name: 'CRM',
      events: ['team.deleted'],
      secret: '********',
      tenant_filter: null,
      is_enabled: false,
    })
    expect((await reseller.get(`/reseller/webhooks/${id}/deliveries`)).body).toMatchObject({
      data: [],
      meta: { has_more: false },
    })
    expect((await reseller.delete(`/reseller/webhooks/${id}`)).status).toBe(204)
    expect((await reseller.get(`/reseller/webhooks/${id}`)).status).toBe(404)
    expect((await reseller.get('/notification-rules')).body.data).toEqual([])
  })

  test('its secret is what links to upgrades are signed with', async () => {
    const reseller = await given.reseller({ scopes: ['webhooks:write'] })
    const { id } = (await reseller.post('/reseller/webhooks', hook())).body.data
    expect(await signingSecret(reseller.tenantId)).toBe('only between us two')
    await reseller.patch(`/reseller/webhooks/${id}`, { secret: 'another one of ours' })
    expect(await signingSecret(reseller.tenantId)).toBe('another one of ours')
    await reseller.post('/reseller/webhooks', hook({ secret: 'a later one of ours' }))
    expect(await signingSecret(reseller.tenantId)).toBe('another one of ours')
    await reseller.delete(`/reseller/webhooks/${id}`)
    expect(await signingSecret(reseller.tenantId)).toBe('a later one of ours')
  })

  test('so it is when the webhook is changed as the channel and the rule that it is, which nothing parts', async () => {
    const reseller = await given.reseller({ scopes: ['webhooks:manage', 'notifications:manage'] })
    const made = async (secret: string) => (await reseller.post('/reseller/webhooks', hook({ secret }))).body.data.id
    const [first, second, third] = [
      await made('one of the secrets'),
      await made('two of the secrets'),
      await made('three of the secrets'),
    ]
    await reseller.patch(`/notification-channels/${first}`, { config: { secret: 'uno of the secrets' } })
    expect(await signingSecret(reseller.tenantId)).toBe('uno of the secrets')
    await reseller.delete(`/notification-channels/${first}`)
    expect(await signingSecret(reseller.tenantId)).toBe('two of the secrets')
    const { data: rules } = (await reseller.get('/notification-rules')).body
    const ruleOf = (id: string) => rules.find(({ channel_id }: { channel_id: string }) => channel_id === id).id
    const mail = (
      await reseller.post('/notification-channels', {
        name: 'm',
        type: 'email',
        config: { recipients: ['a@b.example'] },
      })
    ).body.data.id
    for (const channel_id of [mail, third]) {
      const { status, body } = await reseller.patch(`/notification-rules/${ruleOf(second)}`, { channel_id })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['channel_id']])
    }
    expect(
      (
        await reseller.patch(`/notification-rules/${ruleOf(second)}`, {
          channel_id: second,
          event_types: ['team.paused'],
        })
      ).status,
    ).toBe(200)
    await reseller.delete(`/notification-rules/${ruleOf(second)}`)
    expect(await signingSecret(reseller.tenantId)).toBe('three of the secrets')
    expect((await reseller.get('/reseller/webhooks')).body.data.map(({ id }: { id: string }) => id)).toEqual([third])
    await reseller.delete(`/reseller/webhooks/${third}`)
    expect(await signingSecret(reseller.tenantId)).toBeNull()
  })

  test.each([
    ['name', { name: '' }],
    ['name', { name: null }],
    ['name', { name: 'x'.repeat(256) }],
    ['url', { url: undefined }],
    ['url', { url: 'ftp://crm.example.com/' }],
    ['url', { url: 'http://169.254.169.254/' }],
    ['events', { events: undefined }],
    ['events', { events: [] }],
    ['events.0', { events: ['team.exploded'] }],
    ['tenant_filter', { tenant_filter: 'gold' }],
    ['tenant_filter.tenant_ids.0', { tenant_filter: { tenant_ids: ['x'] } }],
  ])('refuses a wrong %s: %j', async (field, fields) => {
    const reseller = await given.reseller({ scopes: ['webhooks:manage'] })
    const { status, body } = await reseller.post('/reseller/webhooks', hook(fields))
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]])
    expect((await reseller.get('/reseller/webhooks')).body.data).toEqual([])
  })

  test('needs its scope; another reseller’s is unknown', async () => {
    const reseller = await given.reseller({ scopes: ['webhooks:write'] })
    const { id } = (await reseller.post('/reseller/webhooks', hook())).body.data
    expect((await reseller.get('/reseller/webhooks')).status).toBe(403)
    const rival = await given.reseller({ scopes: ['webhooks:manage'] })
    for (const answer of [
      await rival.get(`/reseller/webhooks/${id}`),
      await rival.patch(`/reseller/webhooks/${id}`, { name: 'mine' }),
      await rival.delete(`/reseller/webhooks/${id}`),
      await rival.get(`/reseller/webhooks/${id}/deliveries`),
    ])
      expect(answer.status).toBe(404)
    expect((await (await given.tenant()).get('/reseller/webhooks')).status).toBe(403)
  })

  test('takes a short secret of an automation that moves in, and says in a header that it is easy to guess', async () => {
    const reseller = await given.reseller({ scopes: ['webhooks:write'] })
    const made = await reseller.post('/reseller/webhooks', hook({ secret: 'short' }))
    const warning = 'secret: at least 16 characters are advised.'
    expect([made.status, made.headers.get('x-vedette-warning')]).toEqual([201, warning])
    const changed = await reseller.patch(`/reseller/webhooks/${made.body.data.id}`, { secret: 'shorter' })
    expect([changed.status, changed.headers.get('x-vedette-warning')]).toEqual([200, warning])
  })

  test.each([
    ['no address', { url: undefined }, 'url'],
    ['a private address', { url: 'http://192.168.0.1/' }, 'url'],
    ['a secret of 256', { secret: 'x'.repeat(256) }, 'secret'],
    ['a secret without its key', { secret: 'whsec_!' }, 'secret'],
    ['a masked secret', { secret: '********' }, 'secret'],
    ['no events', { events: [] }, 'events'],
    ['an unknown event', { events: ['incident.imagined'] }, 'events.0'],
    ['one that never leaves', { events: ['email.password_reset'] }, 'events.0'],
    ['an event twice', { events: ['team.paused', 'team.paused'] }, 'events'],
    ['a star in the middle', { tenant_filter: { labels: ['a*b'] } }, 'tenant_filter.labels.0'],
    ['a team that is no id', { tenant_filter: { tenant_ids: ['acme'] } }, 'tenant_filter.tenant_ids.0'],
  ])('refuses %s', async (_, more, field) => {
    const reseller = await given.reseller({ scopes: ['webhooks:write'] })
    const { status, body } = await reseller.post('/reseller/webhooks', hook(more))
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([field])
  })
})
