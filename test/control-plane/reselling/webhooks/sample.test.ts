import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'
import type { Answer } from '#test/support/app.ts'

const secret = 'only between us two'
let served: Serving
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
  served = await serving('webhook_sample', { roles: ['api'] })
})
afterAll(async () => {
  await served?.close()
  await receiver?.close()
})

async function aReseller() {
  const tenantId = await createTenant(served.platform, {
    ...{ name: 'Reseller', slug: `t-${randomUUID()}`, plan: 'pro', featureOverrides: {}, isReseller: true },
  })
  const callerOf = async (...scopes: string[]) => {
    const named = { kind: 'rk', tenantId, userId: null, name: 'test', scopes, expiresAt: null } as const
    const { plain } = await createToken(served.platform, named)
    return async (path: string, body?: unknown): Promise<Pick<Answer, 'status' | 'body'>> => {
      const response = await fetch(`${served.plane.baseUrl}/api/v1${path}`, {
        headers: { Authorization: `Bearer ${plain}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    }
  }
  return { tenantId, callerOf, call: await callerOf('webhooks:manage') }
}

async function aWebhook(more: Record<string, unknown> = {}) {
  const reseller = await aReseller()
  const path = `/in-${reseller.tenantId}`
  const { body } = await reseller.call('/reseller/webhooks', {
    ...{ name: 'CRM', url: receiver.url + path, secret, events: ['incident.created'] },
    ...more,
  })
  return { ...reseller, path, id: String(body.data.id) }
}

test('a sample of an event that is not subscribed to is sent once, signed and marked as a test', async () => {
  const { tenantId, call, id, path } = await aWebhook()
  const { status, body } = await call(`/reseller/webhooks/${id}/sample`, { event: 'team.provisioned' })
  expect([status, body.data]).toEqual([
    200,
    { success: true, status_code: 200, error: null, response: 'ok', duration_ms: expect.any(Number), is_kept: false },
  ])
  const [message, ...others] = receiver.at(path)
  expect(others).toEqual([])
  expect(message!.body).toMatchObject({ event: 'team.provisioned', test: true })
  expect(message!.headers['x-webhook-signature']).toContain(
    createHmac('sha256', secret).update(message!.text).digest('hex'),
  )
  const { rows } = await served.platform.query('select action from audit_entries where tenant_id = $1', [tenantId])
  expect(rows).toContainEqual({ action: 'notification_channel.tested' })
  expect((await call(`/reseller/webhooks/${id}/deliveries`)).body.data).toEqual([])
})

test('a disabled webhook gets it as well, and the answer of one that fails is returned', async () => {
  const { call, id, path } = await aWebhook({ is_enabled: false })
  receiver.answer = (message, response) =>
    message.path === path ? response.writeHead(500).end('out of order') : response.end('ok')
  const { body } = await call(`/reseller/webhooks/${id}/sample`, { event: 'incident.created' })
  expect(body.data).toMatchObject({ success: false, status_code: 500, error: 'http_status', response: 'out of order' })
  expect(receiver.at(path)).toHaveLength(1)
})

test('an unknown event is refused with its field; another’s webhook is unknown; the scope is needed', async () => {
  const { call, callerOf, id, path } = await aWebhook()
  const { status, body } = await call(`/reseller/webhooks/${id}/sample`, { event: 'team.exploded' })
  expect([status, Object.keys(body.errors)]).toEqual([422, ['event']])
  const [rival, reader] = [await aReseller(), await callerOf('webhooks:read')]
  expect((await rival.call(`/reseller/webhooks/${id}/sample`, { event: 'incident.created' })).status).toBe(404)
  expect((await reader(`/reseller/webhooks/${id}/sample`, { event: 'incident.created' })).status).toBe(403)
  expect(receiver.at(path)).toEqual([])
})
