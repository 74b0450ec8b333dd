import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { app, given } from '#test/support/app.ts'

const secret = 'only between us two'
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
})
afterAll(() => receiver?.close())

async function aWebhook(more: Record<string, unknown> = {}) {
  const reseller = await given.reseller({ scopes: ['webhooks:manage'] })
  const path = `/in-${reseller.tenantId}`
  const { body } = await reseller.post('/reseller/webhooks', {
    ...{ name: 'CRM', url: receiver.url + path, secret, events: ['incident.created'] },
    ...more,
  })
  const received = () => receiver.received.filter(message => message.path === path)
  return { reseller, id: body.data.id as string, received }
}

test('a sample of an event that is not subscribed to is sent once, signed and marked as a test', async () => {
  const { reseller, id, received } = await aWebhook()
  const { status, body } = await reseller.post(`/reseller/webhooks/${id}/sample`, { event: 'team.provisioned' })
  expect([status, body.data]).toEqual([
    200,
    { success: true, status_code: 200, error: null, response: 'ok', duration_ms: expect.any(Number) },
  ])
  expect(received()).toHaveLength(1)
  const [message] = received()
  expect(message!.body).toMatchObject({ event: 'team.provisioned', test: true })
  expect(message!.headers['x-webhook-signature']).toContain(
    createHmac('sha256', secret).update(message!.text).digest('hex'),
  )
  expect((await app.audited(reseller)).at(-1)).toBe('notification_channel.tested')
  expect((await reseller.get(`/reseller/webhooks/${id}/deliveries`)).body.data).toEqual([])
})

test('a disabled webhook gets it as well, and the answer of a failing one is returned', async () => {
  const { reseller, id, received } = await aWebhook({ is_enabled: false })
  receiver.answer = ({ path }, response) =>
    path.endsWith(reseller.tenantId) ? response.writeHead(500).end('out of order') : response.end('ok')
  const { body } = await reseller.post(`/reseller/webhooks/${id}/sample`, { event: 'incident.created' })
  expect(body.data).toMatchObject({ success: false, status_code: 500, error: 'http_status', response: 'out of order' })
  expect(received()).toHaveLength(1)
})

test('an unknown event is refused with its field, another reseller’s webhook is unknown, the scope is needed', async () => {
  const { reseller, id, received } = await aWebhook()
  const { status, body } = await reseller.post(`/reseller/webhooks/${id}/sample`, { event: 'team.exploded' })
  expect([status, Object.keys(body.errors)]).toEqual([422, ['event']])
  const rival = await given.reseller({ scopes: ['webhooks:manage'] })
  expect((await rival.post(`/reseller/webhooks/${id}/sample`, { event: 'incident.created' })).status).toBe(404)
  const reader = await given.token(reseller, 'rk', ['webhooks:read'])
  expect((await reader.post(`/reseller/webhooks/${id}/sample`, { event: 'incident.created' })).status).toBe(403)
  expect(received()).toEqual([])
})
