import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { contactChannels } from '#control-plane/alerting/contact-methods/channels.ts'
import { addDeliveries } from '#control-plane/alerting/deliveries/store.ts'
import { composeMessage } from '#control-plane/alerting/dispatch/message.ts'
import { createUser } from '#control-plane/identity/users/create.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { anIncident, aTenantOf, happen, settled } from './alerted.ts'
import { Receiver } from './receiver.ts'

let served: Serving
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
  served = await serving('contacts', { roles: ['api', 'worker'] })
})
afterAll(async () => {
  await served?.close()
  await receiver?.close()
})

/** A person who calls the API as signed in to a team. */
async function aPersonOf(tenantId: string) {
  const email = `${randomUUID()}@people.test`
  const password = 'correct horse battery staple'
  const id = await createUser(served.platform, { name: 'Pat', email, password, tenantId, role: 'member' })
  const session = { kind: 'ss' as const, tenantId, userId: id, name: 'a device', scopes: [], expiresAt: null }
  const { plain } = await createToken(served.platform, session)
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${served.plane.baseUrl}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${plain}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return JSON.parse(await response.text())
  }
  return { id, call }
}

test('a person whose contact method is ntfy is alerted by it, not by rules, and acknowledges in person', async () => {
  const team = await aTenantOf(served, receiver)
  const person = await aPersonOf(team.id)
  const contact = {
    name: 'Phone',
    type: 'custom',
    config: { preset: 'ntfy', url: receiver.url, fields: { topic: 'pat' } },
  }
  const { data: made } = await person.call('POST', '/profile/contact-methods', contact)
  const { data: tested } = await person.call('POST', `/profile/contact-methods/${made.id}/test`, {})
  expect(tested).toMatchObject({ success: true, status_code: 200, response: 'ok' })
  expect((await person.call('GET', '/profile/contact-methods')).data[1]).toMatchObject({ id: made.id, verified: true })
  expect(receiver.at('/').map(({ body }) => [body.topic, body.title.startsWith('[Test]')])).toEqual([['pat', true]])

  const { monitor, check } = await served.monitor(team.id, 'http://127.0.0.1:1')
  const incident = anIncident({ monitor_id: monitor })
  await served.platform.query(
    `insert into incidents
       (id, tenant_id, monitor_id, check_id, check_type, number, title, severity, started_at, confirmed_at, quorum)
     values ($1, $2, $3, $4, 'uptime', 1, 'Shop is down', 'critical', now(), now(), '{}')`,
    [incident.incident_id, team.id, monitor, check],
  )
  // the event alone reaches no contact method
  await happen(served, team.id, 'incident.created', incident)
  await settled(served, team.id)
  expect(receiver.at('/')).toHaveLength(1)

  const reached = await contactChannels(served.platform, [{ tenantId: team.id, userId: person.id }])
  const channel = reached.find(({ name }) => name === 'Phone')!.channel
  const id = randomUUID()
  const body = composeMessage({ event: 'incident.created', at: new Date(), payload: incident }).text
  await addDeliveries(served.platform, [
    {
      id,
      tenant_id: team.id,
      channel_id: channel.id,
      event_id: null,
      event: 'incident.created',
      managed_tenant_id: null,
      monitor_id: monitor,
      subject: monitor,
      body,
    },
  ])
  await served.platform.query('update deliveries set next_at = now() where id = $1', [id])
  const alert = await eventually(async () => receiver.at('/')[1])
  expect(alert.body).toMatchObject({ topic: 'pat', title: expect.stringContaining('Shop'), priority: 5 })
  const { url } = alert.body.actions.find(({ url }: { url: string }) => url.includes('/acknowledge#'))
  await person.call('POST', '/incidents/acknowledge-by-link', { token: url.split('#')[1] })
  const { rows } = await served.platform.query('select acknowledged_by from incidents where id = $1', [
    incident.incident_id,
  ])
  expect(rows[0]?.acknowledged_by).toBe(person.id)
})
