import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { endSnooze } from '#control-plane/monitoring/checks/end-snooze.ts'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { anIncident, aTenantOf, happen, settled } from '#test/control-plane/alerting/alerted.ts'
import { suppression } from '#test/control-plane/alerting/plan/suppressions.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
  served = await serving('audiences', {
    roles: ['api', 'worker'],
    config: { receivers: { pagerduty: `${receiver.url}/pagerduty`, telegram: receiver.url } },
  })
})
afterAll(async () => {
  await served?.close()
  await receiver?.close()
})

async function aFamily(events = ['incident.created', 'incident.resolved', 'monitor.created']) {
  const reseller = await aTenantOf(served, receiver, { isReseller: true })
  const team = await aTenantOf(served, receiver)
  await addManagedTeam(served.platform, reseller.id, team.id, 'gold')
  await reseller.subscribe(events)
  await team.subscribe(events)
  return { reseller, team }
}

const forAudience = async (
  tenantId: string,
  audience: 'team' | 'reseller',
  name: string,
  payload: Record<string, unknown>,
) => {
  await served.platform.query(
    `insert into outbox (tenant_id, kind, name, payload, suppression) values ($1, 'event', $2, $3, $4)`,
    [
      tenantId,
      name,
      JSON.stringify(payload),
      suppression(audience === 'reseller' ? { is_muted: true } : { stage: 'unmuted' }),
    ],
  )
  await served.platform.query(`select pg_notify('outbox', '')`)
}

type WithReceiver = {
  received(): { body: { event: string; incident_id?: string; _managed_tenant?: { managed_tenant_id: string } } }[]
}
const eventsOf = (who: WithReceiver) => who.received().map(({ body }) => body.event)

/** A snoozed check and its incident, as the engine would write them. */
async function aMutedOutage(tenantId: string) {
  const { monitor, check } = await served.monitor(tenantId, 'http://127.0.0.1:1')
  const until = new Date(Date.now() - 1_000)
  await served.platform.query('update checks set snoozed_until = $2 where id = $1', [check, until])
  const incident = anIncident({ monitor_id: monitor })
  await served.platform.query(
    `insert into incidents
       (id, tenant_id, monitor_id, check_id, check_type, number, title, severity, started_at, confirmed_at, quorum,
        notified_at)
     values ($1, $2, $3, $4, 'uptime', 1, 'Site is down', 'critical', now(), now(), '{}', null)`,
    [incident.incident_id, tenantId, monitor, check],
  )
  await forAudience(tenantId, 'reseller', 'incident.created', incident)
  return { check, until, incident }
}

describe('an incident of a snoozed check', () => {
  test('notifies the reseller at once and the team when the snooze ends, each exactly once', async () => {
    const { reseller, team } = await aFamily()
    const { check, until, incident } = await aMutedOutage(team.id)
    const [first] = await eventually(() => (reseller.received().length > 0 ? reseller.received() : undefined))
    expect(first!.body).toMatchObject({
      event: 'incident.created',
      incident_id: incident.incident_id,
      _managed_tenant: { managed_tenant_id: team.id },
    })
    await settled(served, team.id)
    expect(eventsOf(team)).toEqual([])

    expect(await endSnooze(served.platform, check, until)).toBe('ended')
    await eventually(() => team.received()[0])
    await settled(served, team.id)
    expect([eventsOf(team), eventsOf(reseller)]).toEqual([['incident.created'], ['incident.created']])
  })

  test('notifies of its end only those who were notified of its beginning', async () => {
    const { reseller, team } = await aFamily()
    const { incident } = await aMutedOutage(team.id)
    await eventually(() => reseller.received()[0])
    const { plain } = await createToken(served.platform, {
      kind: 'svc',
      tenantId: team.id,
      userId: null,
      name: 'x',
      scopes: ['incidents:write'],
      expiresAt: null,
    })
    const response = await fetch(`${served.plane.baseUrl}/api/v1/incidents/${incident.incident_id}/resolve`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${plain}` },
    })
    expect(response.status).toBe(200)
    await eventually(() => reseller.received()[1])
    await settled(served, team.id)
    expect([eventsOf(team), eventsOf(reseller)]).toEqual([[], ['incident.created', 'incident.resolved']])
  })

  test('notifies no reseller of a deleted or detached team', async () => {
    const [deleted, gone] = [await aFamily(), await aFamily()]
    await served.platform.query('update managed_teams set deleted_at = now() where tenant_id = $1', [deleted.team.id])
    await served.platform.query('delete from managed_teams where tenant_id = $1', [gone.team.id])
    for (const { team } of [deleted, gone]) await forAudience(team.id, 'reseller', 'incident.created', anIncident())
    for (const { team, reseller } of [deleted, gone]) {
      await settled(served, team.id)
      expect([eventsOf(team), eventsOf(reseller)]).toEqual([[], []])
    }
  })
})

describe('actions of a reseller’s people in a team', () => {
  test('are events of the team, for its rules and the reseller’s: by header and by impersonation', async () => {
    const { reseller, team } = await aFamily()
    const person = async (tenantId: string, isService: boolean) => {
      const id = randomUUID()
      await served.platform.query(
        `with u as (insert into users (id, name, email, is_service, home_tenant_id) values ($1, 'Pat', $2, $3, $4))
         insert into memberships (user_id, tenant_id, role) select $1, $4, 'admin'`,
        [id, `${id}@people.test`, isService, tenantId],
      )
      return id
    }
    const userId = await person(reseller.id, false)
    const inTheTeam = await person(team.id, true)
    const common = { userId, name: 'x', expiresAt: new Date(Date.now() + 600_000) }
    const own = await createToken(served.platform, {
      ...common,
      kind: 'rk',
      tenantId: reseller.id,
      scopes: ['monitors:manage'],
    })
    const standIn = await createToken(served.platform, {
      ...common,
      kind: 'ik',
      tenantId: team.id,
      userId: inTheTeam,
      scopes: ['read', 'write'],
      impersonator: { userId, tenantId: reseller.id },
    })
    const create = (plain: string, headers: Record<string, string>) =>
      fetch(`${served.plane.baseUrl}/api/v1/monitors`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${plain}`, 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify({ name: 'Shop', url: 'https://shop.example.com' }),
      })
    expect((await create(own.plain, { 'X-Tenant-Id': team.id })).status).toBe(201)
    expect((await create(standIn.plain, {})).status).toBe(201)
    await eventually(() => (reseller.received().length >= 2 && team.received().length >= 2 ? true : undefined))
    await settled(served, team.id)
    expect(eventsOf(team)).toEqual(['monitor.created', 'monitor.created'])
    expect(reseller.received().map(({ body }) => [body.event, body._managed_tenant?.managed_tenant_id])).toEqual([
      ['monitor.created', team.id],
      ['monitor.created', team.id],
    ])
    const { rows } = await served.platform.query(
      `select count(*)::int as n from outbox where tenant_id = $1 and kind = 'event'`,
      [reseller.id],
    )
    expect(rows).toEqual([{ n: 0 }])
  })
})

describe('grouping of flapping and storms', () => {
  const single = ['incident.created', 'incident.resolved']
  const grouped = ['monitor.flapping', 'monitor.flapping_resolved', 'storm.detected', 'storm.resolved']

  test('suppresses single alerts on channels for people only; a webhook gets every event', async () => {
    const tenant = await aTenantOf(served, receiver)
    await tenant.subscribe(['incident.created'])
    const asking = `/${randomUUID()}`
    const people = `/${randomUUID()}`
    const add = async (path: string, type: string, event_types: string[], rule = {}) => {
      const config = type === 'slack' ? { webhook_url: receiver.url + path } : { url: receiver.url + path }
      const channel = await tenant.call('POST', '/notification-channels', {
        name: 'x',
        type,
        config,
        notify_all: false,
      })
      await tenant.call('POST', '/notification-rules', { channel_id: channel.id, event_types, ...rule })
    }
    const { monitor } = await served.monitor(tenant.id, 'http://127.0.0.1:1')
    const narrow = `/${randomUUID()}`
    await add(asking, 'webhook', ['incident.created', 'monitor.flapping', 'storm.detected'])
    await add(people, 'slack', ['monitor.down'])
    await add(narrow, 'slack', ['incident.created'], { monitor_filter: { monitor_ids: [monitor] } })
    const suppressed = async (stage: 'begun' | 'released', by: 'flapping' | 'storm') => {
      await served.platform.query(
        `insert into outbox (tenant_id, kind, name, payload, suppression)
         values ($1, 'event', 'incident.created', $2, $3)`,
        [
          tenant.id,
          JSON.stringify(anIncident({ monitor_id: monitor })),
          suppression({ stage, by, is_reseller_notified: false }),
        ],
      )
      await served.platform.query(`select pg_notify('outbox', '')`)
      await settled(served, tenant.id)
    }
    const counts = async () => {
      await eventually(async () => {
        const { rows } = await served.platform.query(
          `select 1 from deliveries where tenant_id = $1 and status <> 'delivered'`,
          [tenant.id],
        )
        return rows.length === 0 ? true : undefined
      })
      return [tenant.path, asking, people, narrow].map(path => receiver.at(path).length)
    }
    await suppressed('begun', 'flapping')
    expect(await counts()).toEqual([1, 1, 0, 0])
    // a storm is about no monitor: rules for one monitor get the alert of that monitor
    await suppressed('begun', 'storm')
    expect(await counts()).toEqual([2, 2, 0, 1])
    await happen(served, tenant.id, 'monitor.flapping', { ...anIncident({ monitor_id: monitor }), incidents: [] })
    await settled(served, tenant.id)
    expect(await counts()).toEqual([2, 3, 1, 2])
    await happen(served, tenant.id, 'storm.detected', {
      storm_id: randomUUID(),
      monitors_count: 7,
      monitor_names: ['a'],
    })
    await settled(served, tenant.id)
    expect(await counts()).toEqual([2, 4, 2, 2])
    // a webhook already has the alerts that people get late
    await suppressed('released', 'flapping')
    expect(await counts()).toEqual([2, 4, 3, 3])
    await suppressed('released', 'storm')
    expect(await counts()).toEqual([2, 4, 4, 3])
  })

  test('sends every single event of a managed team to the webhooks of its reseller and of the team', async () => {
    const { reseller, team } = await aFamily([...single, ...grouped])
    const { monitor } = await served.monitor(team.id, 'http://127.0.0.1:1')
    const outages = Array.from({ length: 12 }, () => anIncident({ monitor_id: monitor }))
    await happen(served, team.id, 'monitor.flapping', { ...anIncident({ monitor_id: monitor }), incidents: [] })
    for (const incident of outages)
      for (const event of single)
        await served.platform.query(
          `insert into outbox (tenant_id, kind, name, payload, suppression) values ($1, 'event', $2, $3, $4)`,
          [
            team.id,
            event,
            JSON.stringify(incident),
            suppression({
              stage: event === 'incident.created' ? 'begun' : 'followed',
              by: 'flapping',
              is_reseller_notified: false,
            }),
          ],
        )
    await served.platform.query(`select pg_notify('outbox', '')`)
    await settled(served, team.id)
    const expected = ['monitor.flapping', ...outages.flatMap(() => single)].toSorted()
    for (const webhook of [reseller, team]) await expect.poll(() => eventsOf(webhook).toSorted()).toEqual(expected)
  })
})

describe('an acknowledged incident', () => {
  test('is acknowledged at PagerDuty with the key of its alert, and sent to no other channel', async () => {
    const tenant = await aTenantOf(served, receiver)
    await tenant.subscribe(['incident.created', 'incident.resolved'])
    const pager = await tenant.call('POST', '/notification-channels', {
      name: 'x',
      type: 'pagerduty',
      config: { routing_key: 'R0UTINGKEY0123456789' },
      notify_all: false,
    })
    await tenant.call('POST', '/notification-rules', {
      channel_id: pager.id,
      event_types: ['monitor.down', 'incident.resolved'],
    })
    const incident = anIncident()
    for (const [name, more] of [
      ['incident.created', {}],
      ['incident.acknowledged', {}],
      ['incident.resolved', { status: 'resolved' }],
    ] as const)
      await happen(served, tenant.id, name, { ...incident, ...more })
    const pages = await eventually(() =>
      receiver.at('/pagerduty/v2/enqueue').length >= 3 ? receiver.at('/pagerduty/v2/enqueue') : undefined,
    )
    await settled(served, tenant.id)
    expect(pages.map(({ body }) => body.event_action)).toEqual(['trigger', 'acknowledge', 'resolve'])
    expect(new Set(pages.map(({ body }) => body.dedup_key))).toEqual(
      new Set([`vedette-incident-${incident.incident_id}`]),
    )
    expect(eventsOf(tenant)).toEqual(['incident.created', 'incident.resolved'])
  })
})
