import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const channels = {
  webhook: { url: 'https://hooks.example.com/in', secret: 'hush hush hush hush' },
  email: { recipients: ['ops@example.com'] },
  slack: { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' },
  discord: { webhook_url: 'https://discord.com/api/webhooks/1/x' },
  microsoft_teams: { webhook_url: 'https://example.webhook.office.com/x' },
  pagerduty: { routing_key: 'R0UTINGKEY0123456789' },
  telegram: { bot_token: '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11', chat_id: '-1001234' },
  custom: { preset: 'ntfy', fields: { topic: 'alerts' } },
}
const hook = (more: object = {}) => ({ name: 'Ops', type: 'webhook', config: channels.webhook, ...more })
const rulesOf = async (caller: CallerUnderTest) => (await caller.get('/notification-rules')).body.data
const ofAll = (channel_id: string) => ({
  channel_id,
  event_types: ['incident.created', 'incident.resolved'],
  monitor_filter: null,
  tenant_filter: null,
})

describe('a channel is created with the rule that notifies it of all incidents', () => {
  test.each(Object.entries(channels))('of type %s', async (type, config) => {
    const owner = await given.tenant()
    const { status, body } = await owner.post('/notification-channels', { name: 'x', type, config })
    expect(status).toBe(201)
    expect(await rulesOf(owner)).toMatchObject([ofAll(body.data.id)])
    expect((await app.audited(owner)).sort()).toEqual(['notification_channel.created', 'notification_rule.created'])
    await owner.delete(`/notification-channels/${body.data.id}`)
    expect(await rulesOf(owner)).toEqual([])
  })

  test.each(Object.entries(channels))('of type %s, unless notify_all is false', async (type, config) => {
    const owner = await given.tenant()
    const { status } = await owner.post('/notification-channels', { name: 'x', type, config, notify_all: false })
    expect(status).toBe(201)
    expect(await rulesOf(owner)).toEqual([])
    expect(await app.audited(owner)).toEqual(['notification_channel.created'])
  })

  test('by the reseller’s path, by X-Tenant-Id and by an impersonation token, in the managed team', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const admin = await given.token(reseller, 'ss', [])
    const made = [
      await reseller.post(`${team.path}/notification-channels`, hook()),
      await admin.post('/notification-channels', hook(), { headers: { 'X-Tenant-Id': team.tenantId } }),
      await (await given.impersonation(reseller, team)).post('/notification-channels', hook()),
    ]
    expect(made.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await rulesOf(team)).toMatchObject(made.map(({ body }) => ofAll(body.data.id)))
    expect(await rulesOf(admin)).toEqual([])
  })

  test('once, where the request is repeated under its Idempotency-Key', async () => {
    const owner = await given.tenant()
    const repeated = { headers: { 'Idempotency-Key': randomUUID() } }
    const first = await owner.post('/notification-channels', hook(), repeated)
    const second = await owner.post('/notification-channels', hook(), repeated)
    expect(second.body.data.id).toBe(first.body.data.id)
    expect(await rulesOf(owner)).toHaveLength(1)
  })

  test('also when it is disabled, so that it is notified once it is enabled', async () => {
    const owner = await given.tenant()
    const { body } = await owner.post('/notification-channels', hook({ is_enabled: false }))
    expect(await rulesOf(owner)).toMatchObject([ofAll(body.data.id)])
  })

  test('and neither rule nor channel is created by a refused request', async () => {
    const owner = await given.tenant({ plan: 'free' })
    const refused = await owner.post('/notification-channels', hook({ notify_all: 'yes' }))
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['notify_all']])
    const slack = { name: 'x', type: 'slack', config: channels.slack }
    expect((await owner.post('/notification-channels', slack)).status).toBe(403)
    expect((await owner.get('/notification-channels')).body.meta.total).toBe(0)
    expect(await rulesOf(owner)).toEqual([])
  })

  test('and a contact method of a person gets none, nor does a reseller’s webhook gain a second one', async () => {
    const owner = await given.tenant()
    const contact = { name: 'Phone', type: 'webhook', config: channels.webhook }
    expect((await owner.post('/profile/contact-methods', contact)).status).toBe(201)
    expect(await rulesOf(owner)).toEqual([])
    const reseller = await given.reseller()
    const webhook = { name: 'CRM', url: 'https://crm.example.com/in', events: ['team.provisioned'] }
    expect((await reseller.post('/reseller/webhooks', webhook)).status).toBe(201)
    const { rows } = await app.services.platform.query(
      'select event_types from notification_rules where tenant_id = $1',
      [reseller.tenantId],
    )
    expect(rows).toEqual([{ event_types: ['team.provisioned'] }])
  })
})
