import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { deleteExpiredDeliveries } from '#control-plane/alerting/deliveries/delete-expired.ts'
import type { Suppression } from '#control-plane/db/model/shapes.ts'
import { rows } from '#control-plane/db/queries.ts'
import { insertIncidentEventsSql } from '#control-plane/engine/incident-events.ts'
import { endSnooze } from '#control-plane/monitoring/checks/end-snooze.ts'
import { wakeDispatcher } from '#control-plane/outbox/emit.ts'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { aTenantOf, settled } from '#test/control-plane/alerting/alerted.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
  served = await serving('decisions', { roles: ['api', 'worker'] })
})
afterAll(async () => {
  await served?.close()
  await receiver?.close()
})

const events = ['incident.created', 'incident.resolved']
type Team = Awaited<ReturnType<typeof aTenantOf>>

/** A tenant's token for incidents. */
async function tokenOf(tenantId: string, kind: 'svc' | 'rk' = 'svc', scopes = ['incidents:manage']): Promise<string> {
  const { plain } = await createToken(served.platform, {
    kind,
    tenantId,
    userId: null,
    name: 'x',
    scopes,
    expiresAt: null,
  })
  return plain
}

async function call(token: string, method: string, path: string) {
  const response = await fetch(`${served.plane.baseUrl}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}` },
  })
  const body = (await response.json()) as { data: Entry[]; meta: { next_cursor: string | null } }
  return { status: response.status, body }
}

interface Entry {
  event: string
  stage: string
  audience: string
  notified_count: number
  message: string
  channels: {
    channel_id: string
    channel_name: string
    channel_type: string
    is_notified: boolean
    reason: string
    message: string
    rule_id: string | null
    delivery: { id: string; status: string; attempts: number; error: string | null } | null
  }[]
}

async function entriesOf(team: Team, incident: string): Promise<Entry[]> {
  const { body } = await call(await tokenOf(team.id), 'GET', `/incidents/${incident}/notifications`)
  return body.data
}
const reasonsOf = (entry: Entry | undefined) =>
  Object.fromEntries(entry?.channels.map(({ channel_name, reason }) => [channel_name, reason]) ?? [])

/** A channel with one rule, or none. */
async function add(team: Team, name: string, type: string, rule: object | null = {}, more: object = {}) {
  const config =
    type === 'email'
      ? { recipients: [`${randomUUID()}@people.test`] }
      : { [type === 'slack' ? 'webhook_url' : 'url']: `${receiver.url}/${name.replaceAll(' ', '-')}` }
  const channel = await team.call('POST', '/notification-channels', { name, type, config, notify_all: false, ...more })
  if (rule)
    channel.rule = await team.call('POST', '/notification-rules', {
      channel_id: channel.id,
      event_types: events,
      ...rule,
    })
  return channel
}

/** An incident as the engine opens it. */
async function open(
  team: Team,
  { isMuted = false, by = null }: { isMuted?: boolean; by?: Suppression['by'] } = {},
): Promise<{ id: string; monitor: string; check: string }> {
  const { monitor, check } = await served.monitor(team.id, 'http://127.0.0.1:1')
  const id = randomUUID()
  await served.platform.query(
    `insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, severity, started_at,
         confirmed_at, quorum,
       notified_at, forwarded_at, suppressed_by)
     values ($1, $2, $3, $4, 'uptime', (select count(*) + 1 from incidents where tenant_id = $2), 'Site is down',
       'critical', now(), now(), '{}',
       case when not $5::boolean then now() end, case when $6::text is null then now() end, $6)`,
    [id, team.id, monitor, check, isMuted, by],
  )
  await emit(id, 'begun', sql`i.notified_at is null`)
  await settled(served, team.id)
  return { id, monitor, check }
}

async function emit(incident: string, stage: Suppression['stage'], isMuted = sql`false`) {
  const from = sql`from incidents i join monitors m on m.id = i.monitor_id where i.id = ${incident}`
  await rows(served.platform, insertIncidentEventsSql('incident.created', stage, { isMuted, from }))
  await wakeDispatcher(served.platform)
}

describe('GET /incidents/{incident}/notifications', () => {
  test('lists every channel with its delivery, or the reason why it was not notified', async () => {
    const team = await aTenantOf(served, receiver)
    const webhook = await add(team, 'delivered', 'webhook')
    await add(team, 'failed', 'email')
    await add(team, 'disabled', 'webhook', {}, { is_enabled: false })
    await add(team, 'without rule', 'webhook', null)
    await add(team, 'other event', 'webhook', { event_types: ['monitor.created'] })
    await add(team, 'other monitor', 'slack', {
      monitor_filter: { monitor_ids: [randomUUID()], tags: [], types: [] },
    })
    const incident = await open(team)
    const entry = await eventually(async () => {
      const [entry] = await entriesOf(team, incident.id)
      const done = entry?.channels.filter(({ delivery }) => /^(delivered|failed)$/.test(delivery?.status ?? ''))
      return done?.length === 2 ? entry : undefined
    })
    expect(entry).toMatchObject({
      event: 'incident.created',
      stage: 'begun',
      audience: 'team',
      notified_count: 2,
      message: '2 of 6 channels of the team were notified.',
    })
    expect(reasonsOf(entry)).toEqual({
      delivered: 'rule_matched',
      failed: 'rule_matched',
      disabled: 'channel_disabled',
      'without rule': 'no_rule',
      'other event': 'no_rule',
      'other monitor': 'monitor_filter',
    })
    const of = (name: string) => entry.channels.find(({ channel_name }) => channel_name === name)
    expect(of('delivered')).toMatchObject({
      channel_id: webhook.id,
      channel_type: 'webhook',
      is_notified: true,
      rule_id: webhook.rule.id,
      delivery: { id: expect.any(String), status: 'delivered', attempts: 1, error: null },
    })
    expect(of('failed')).toMatchObject({
      is_notified: true,
      delivery: { status: 'failed', attempts: 1, error: 'unconfirmed' },
    })
    expect(of('disabled')).toMatchObject({
      is_notified: false,
      message: 'The channel was disabled.',
      rule_id: null,
      delivery: null,
    })
  })

  test('names the plan if it does not include the type of a channel', async () => {
    const team = await aTenantOf(served, receiver)
    await add(team, 'chat', 'slack')
    await served.platform.query(`update tenants set plan = 'free' where id = $1`, [team.id])
    const incident = await open(team)
    expect((await entriesOf(team, incident.id)).map(reasonsOf)).toEqual([{ chat: 'plan_limit' }])
  })

  test('names a rule that cannot be read', async () => {
    const team = await aTenantOf(served, receiver)
    const hook = await add(team, 'hook', 'webhook')
    await served.platform.query(`update notification_rules set monitor_filter = '{"tags":7}' where id = $1`, [
      hook.rule.id,
    ])
    const incident = await open(team)
    expect((await entriesOf(team, incident.id)).map(reasonsOf)).toEqual([{ hook: 'rule_unreadable' }])
  })

  test('says if there are no channels', async () => {
    const team = await aTenantOf(served, receiver)
    const incident = await open(team)
    expect(await entriesOf(team, incident.id)).toMatchObject([
      { notified_count: 0, message: 'The team had no notification channels.', channels: [] },
    ])
  })

  test('the team is not notified of the begin and the end of an incident while its check is snoozed', async () => {
    const team = await aTenantOf(served, receiver)
    await add(team, 'hook', 'webhook')
    const incident = await open(team, { isMuted: true })
    await call(await tokenOf(team.id), 'POST', `/incidents/${incident.id}/resolve`)
    await settled(served, team.id)
    expect((await entriesOf(team, incident.id)).map(entry => [entry.event, entry.stage, reasonsOf(entry)])).toEqual([
      ['incident.created', 'begun', { hook: 'check_snoozed' }],
      ['incident.resolved', 'followed', { hook: 'opening_not_notified' }],
    ])
  })

  test('the team is notified when a snooze ends while the incident is open', async () => {
    const team = await aTenantOf(served, receiver)
    await add(team, 'hook', 'webhook')
    const incident = await open(team, { isMuted: true })
    const until = new Date(Date.now() - 1_000)
    await served.platform.query('update checks set snoozed_until = $2 where id = $1', [incident.check, until])
    expect(await endSnooze(served.platform, incident.check, until)).toBe('ended')
    await settled(served, team.id)
    expect((await entriesOf(team, incident.id)).map(entry => [entry.stage, reasonsOf(entry)])).toEqual([
      ['begun', { hook: 'check_snoozed' }],
      ['unmuted', { hook: 'rule_matched' }],
    ])
  })

  test.each([
    ['flapping', 'grouped_by_flapping'],
    ['storm', 'grouped_by_storm'],
    ['host', 'grouped_by_host'],
  ] as const)('%s: people are not notified until it is released, webhooks are at once', async (by, reason) => {
    const team = await aTenantOf(served, receiver)
    await add(team, 'people', 'slack')
    await add(team, 'hook', 'webhook')
    const incident = await open(team, { by })
    await emit(incident.id, 'released')
    await settled(served, team.id)
    expect((await entriesOf(team, incident.id)).map(entry => [entry.stage, reasonsOf(entry)])).toEqual([
      ['begun', { people: reason, hook: 'rule_matched' }],
      ['released', { people: 'rule_matched', hook: 'already_notified' }],
    ])
  })

  test('an acknowledgement goes to no webhook whose rules do not name it', async () => {
    const team = await aTenantOf(served, receiver)
    await add(team, 'hook', 'webhook')
    const incident = await open(team)
    await call(await tokenOf(team.id), 'POST', `/incidents/${incident.id}/acknowledge`)
    await settled(served, team.id)
    expect((await entriesOf(team, incident.id)).map(entry => [entry.event, reasonsOf(entry)])).toEqual([
      ['incident.created', { hook: 'rule_matched' }],
      ['incident.acknowledged', { hook: 'pagers_only' }],
    ])
  })

  test('a decision stays unchanged when the channel is changed or deleted', async () => {
    const team = await aTenantOf(served, receiver)
    const hook = await add(team, 'hook', 'webhook', null)
    const incident = await open(team)
    await team.call('DELETE', `/notification-channels/${hook.id}`)
    expect((await entriesOf(team, incident.id)).map(reasonsOf)).toEqual([{ hook: 'no_rule' }])
  })

  test('the reseller sees its own channels and those of the team, the team only its own', async () => {
    const reseller = await aTenantOf(served, receiver, { isReseller: true })
    const team = await aTenantOf(served, receiver)
    await addManagedTeam(served.platform, reseller.id, team.id, 'gold')
    await add(reseller, 'of the reseller', 'webhook')
    await add(reseller, 'of other teams', 'webhook', { tenant_filter: { tenant_ids: [], labels: ['silver'] } })
    await add(team, 'of the team', 'webhook')
    const incident = await open(team, { isMuted: true })
    const { rows } = await served.platform.query('select id from managed_teams where tenant_id = $1', [team.id])
    const path = `/reseller/managed-teams/${rows[0].id}/incidents/${incident.id}/notifications`
    const entries = await eventually(async () => {
      const { body } = await call(await tokenOf(reseller.id, 'rk', ['incidents:read']), 'GET', path)
      const found = body.data
      return found.some(({ channels }) => channels.some(({ delivery }) => delivery?.status === 'delivered'))
        ? found
        : undefined
    })
    expect(
      Object.fromEntries(entries.map(entry => [entry.audience, [entry.notified_count, reasonsOf(entry)]])),
    ).toEqual({
      team: [0, { 'of the team': 'check_snoozed' }],
      reseller: [1, { 'of the reseller': 'rule_matched', 'of other teams': 'tenant_filter' }],
    })
    expect((await entriesOf(team, incident.id)).map(({ audience }) => audience)).toEqual(['team'])
  })

  test('is read page by page, and is unknown to another tenant', async () => {
    const [team, other] = [await aTenantOf(served, receiver), await aTenantOf(served, receiver)]
    const incident = await open(team)
    for (const action of ['acknowledge', 'resolve'])
      await call(await tokenOf(team.id), 'POST', `/incidents/${incident.id}/${action}`)
    await settled(served, team.id)
    const token = await tokenOf(team.id)
    const seen: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const cursor = next && `&cursor=${encodeURIComponent(next)}`
      const { body } = await call(token, 'GET', `/incidents/${incident.id}/notifications?per_page=1${cursor}`)
      seen.push(...body.data.map(({ event }) => event))
      next = body.meta.next_cursor
    }
    expect(seen).toEqual(['incident.created', 'incident.acknowledged', 'incident.resolved'])
    const foreign = await call(await tokenOf(other.id), 'GET', `/incidents/${incident.id}/notifications`)
    expect(foreign.status).toBe(404)
    const scoped = await tokenOf(team.id, 'svc', ['notifications:read'])
    expect((await call(scoped, 'GET', `/incidents/${incident.id}/notifications`)).status).toBe(403)
  })
})

test('decisions are kept as long as the plan keeps data, and deleted with their incident', async () => {
  const team = await aTenantOf(served, receiver)
  await served.platform.query(`update tenants set plan = 'free' where id = $1`, [team.id])
  const [old, recent] = [await open(team), await open(team)]
  await served.platform.query(
    `update notification_decisions set created_at = now() - interval '91 days' where incident_id = $1`,
    [old.id],
  )
  await deleteExpiredDeliveries(served.platform)
  expect(await entriesOf(team, old.id)).toEqual([])
  expect(await entriesOf(team, recent.id)).toHaveLength(1)
  await served.platform.query('delete from incidents where id = $1', [recent.id])
  const { rows } = await served.platform.query('select 1 from notification_decisions where tenant_id = $1', [team.id])
  expect(rows).toEqual([])
})
