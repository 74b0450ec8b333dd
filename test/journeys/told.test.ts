import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, System } from '#test/support/system.ts'
import { Site } from '#test/support/target.ts'

let system: System
let site: Site
let receiver: Receiver
beforeAll(async () => {
  ;[site, receiver] = await Promise.all([Site.open(), Receiver.open()])
  system = await System.start()
}, 180_000)
afterAll(async () => {
  await system?.stop()
  await Promise.all([site?.close(), receiver?.close()])
})

test('a site goes down: the team’s receiver and the reseller’s hear of it with the proof, and of its end', { timeout: 120_000 }, async () => {
  const { reseller, team } = system.local
  const channel = (await system.post('/notification-channels', { name: 'Ops', type: 'webhook', config: { url: `${receiver.url}/team`, secret: 'hush' } })).body
    .data
  const rule = await system.post('/notification-rules', { channel_id: channel.id, event_types: ['incident.created', 'incident.resolved'] })
  expect(rule.status).toBe(201)
  const hook = await system.post('/reseller/webhooks', { name: 'CRM', url: `${receiver.url}/reseller`, events: ['monitor.down'] }, reseller.token)
  expect(hook.status).toBe(201)

  const monitor = await system.addMonitor({ name: 'Shop', url: `${site.url}/shop` })
  await eventually('the site is up', async () => (await system.monitor(monitor.id)).status === 'up')
  // the first attempt fails: the retry is woken by the durable process
  receiver.answer = ({ path }, response) => (path === '/reseller' && receiver.at(path).length === 1 ? response.writeHead(500).end() : response.end('ok'))
  site.become('error', '/shop')

  const told = await eventually('the team is told', async () => receiver.at('/team')[0])
  expect(told.body).toMatchObject({ event: 'incident.created', monitor_id: monitor.id, monitor_name: 'Shop', severity: 'critical', resolved_at: null })
  expect(told.body.quorum.failed.length).toBeGreaterThanOrEqual(told.body.quorum.required)
  expect(told.headers['x-webhook-signature']).toBe(createHmac('sha256', 'hush').update(told.text).digest('hex'))

  const forwarded = await eventually('the reseller is told', async () => receiver.at('/reseller')[0])
  expect(forwarded.body).toMatchObject({ event: 'monitor.down', incident_id: told.body.incident_id, _managed_tenant: { managed_tenant_id: team.tenant_id } })

  site.become('up', '/shop')
  const ended = await eventually('the team is told of the end', async () => receiver.at('/team')[1])
  expect(ended.body).toMatchObject({ event: 'incident.resolved', incident_id: told.body.incident_id, status: 'resolved' })

  const again = await eventually('the reseller is told again', async () => receiver.at('/reseller')[1])
  expect(again.text).toBe(forwarded.text)
  expect(again.at - forwarded.at).toBeGreaterThanOrEqual(10_000)
  expect(again.at - forwarded.at).toBeLessThan(13_000)
  const deliveries = (await system.get(`/reseller/webhooks/${hook.body.data.id}/deliveries`, reseller.token)).body.data
  expect(deliveries[0].attempts[0]).toMatchObject({ status_code: 500, error: 'http_status' })
})
