import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anIncident, aTenantOf, happen } from '#test/control-plane/alerting/alerted.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
  served = await serving('fair_deliveries', { roles: ['api', 'worker'] })
})
afterAll(async () => {
  await served?.close()
  await receiver?.close()
})

test('thousands of deliveries of a tenant to a hundred hanging channels do not delay those of another', async () => {
  const [hog, other] = [await aTenantOf(served, receiver), await aTenantOf(served, receiver)]
  receiver.answer = ({ path }, response) => {
    if (path !== hog.path) response.end('ok')
  }
  await hog.subscribe(['incident.created'])
  // ninety-nine more channels like it, each with a rule for every event
  await served.platform.query(
    `with made as (
       insert into notification_channels (id, tenant_id, name, type, config, secrets)
       select gen_random_uuid(), tenant_id, name, type, config, secrets
       from notification_channels, generate_series(1, 99) where tenant_id = $1
       returning id, tenant_id
     )
     insert into notification_rules (id, tenant_id, channel_id, event_types, monitor_filter)
     select gen_random_uuid(), made.tenant_id, made.id, r.event_types, r.monitor_filter
     from made join notification_rules r on r.tenant_id = made.tenant_id`,
    [hog.id],
  )
  await other.subscribe(['incident.created'])
  await eventually(async () => {
    await happen(served, hog.id, 'incident.created', anIncident())
    return hog.received().length >= 100 ? true : undefined
  })
  await served.platform.query(
    `insert into outbox (tenant_id, kind, name, payload)
     select $1, 'event', 'incident.created', 
         $2::jsonb || jsonb_build_object('incident_id', gen_random_uuid(), 'monitor_id', gen_random_uuid())
     from generate_series(1, 30)`,
    [hog.id, JSON.stringify(anIncident())],
  )
  await served.platform.query(`select pg_notify('outbox', '')`)
  await eventually(() => (hog.received().length >= 195 ? true : undefined), 8_000)
  const begun = Date.now()
  const incident = anIncident({ incident_id: randomUUID() })
  await happen(served, other.id, 'incident.created', incident)
  await eventually(() => (other.received().length === 1 ? true : undefined), 15_000)
  expect(Date.now() - begun).toBeLessThan(5_000)
}, 60_000)
