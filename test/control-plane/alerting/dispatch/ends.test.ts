import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { escalate } from '#control-plane/alerting/escalation-policies/runs/watch.ts'
import { defaultSuppression } from '#control-plane/engine/suppression/rules.ts'
import { WriteBatch } from '#control-plane/engine/verdicts/batch.ts'
import { writeBatch } from '#control-plane/engine/verdicts/write-batch.ts'
import { createUser } from '#control-plane/identity/users/create.ts'
import { wakeDispatcher } from '#control-plane/outbox/emit.ts'
import { aTenantOf, settled } from '#test/control-plane/alerting/alerted.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { aProof } from '#test/support/a-proof.ts'
import { takeEpoch } from '#test/support/epoch.ts'

let served: Serving
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
  const receivers = { pagerduty: receiver.url, telegram: receiver.url }
  served = await serving('ends', { roles: ['api', 'worker'], config: { receivers } })
})
afterAll(async () => {
  await served?.close()
  await receiver?.close()
})

const scopes = ['incidents:manage', 'monitors:manage', 'escalation:write', 'checks:manage']
const aTeam = () => aTenantOf(served, receiver, { scopes })
type Team = Awaited<ReturnType<typeof aTeam>>
const both = ['incident.created', 'incident.resolved']

async function aChannel(team: Team, type: string, config: object, event_types: string[] | null = null) {
  const { id } = await team.call('POST', '/notification-channels', { name: type, type, config, notify_all: false })
  if (event_types === null) return { id, rule: '' }
  const rule = await team.call('POST', '/notification-rules', { channel_id: id, event_types })
  return { id, rule: rule.id as string }
}
/** A webhook with a path of its own, and what it got of the incident, in the order of arrival. */
async function aHook(team: Team, event_types: string[] | null = null) {
  const path = `/${randomUUID()}`
  const made = await aChannel(team, 'webhook', { url: receiver.url + path }, event_types)
  return { ...made, path, got: () => receiver.at(path).map(({ body }) => body.event as string) }
}
async function aPager(team: Team, event_types: string[] | null = null) {
  const routing_key = randomUUID().replaceAll('-', '')
  const made = await aChannel(team, 'pagerduty', { routing_key }, event_types)
  const got = () => receiver.at('/v2/enqueue').filter(({ body }) => body.routing_key === routing_key)
  return { ...made, got: () => got().map(({ body }) => `${body.event_action} ${body.dedup_key}`) }
}
/** A member whose address is proven. */
async function aPerson(team: Team) {
  const email = `${randomUUID()}@people.test`
  const password = 'correct horse battery staple'
  const id = await createUser(served.platform, { name: 'Bea', email, password, tenantId: team.id, role: 'admin' })
  await served.platform.query('update users set email_verified_at = now() where id = $1', [id])
  return { id, email }
}
/** Gives a person one contact method alone, or none. */
async function withContact(team: Team, userId: string, type: string | null, config: object = {}) {
  await served.platform.query('delete from notification_channels where tenant_id = $1 and owner_user_id = $2', [
    team.id,
    userId,
  ])
  if (type === null) return
  await served.platform.query(
    `insert into notification_channels (id, tenant_id, owner_user_id, name, type, config, position, verified_at)
     values (gen_random_uuid(), $1, $2, 'Own', $3, $4, 0, now())`,
    [team.id, userId, type, JSON.stringify(config)],
  )
}
const mailsTo = async (address: string) =>
  (
    await served.platform.query<{ type: string; subject: string }>(
      'select type, subject from mail_sink_messages where $1 = any(recipients) order by created_at',
      [address],
    )
  ).rows

const aPolicy = (team: Team, ...steps: object[][]): Promise<{ id: string }> =>
  team.call('POST', '/escalation-policies', {
    name: 'Operations',
    is_default: true,
    repeat_count: 1,
    steps: steps.map(targets => ({ delay_minutes: 1, targets })),
  })

const write = async (batch: WriteBatch) =>
  writeBatch(served.platform, await takeEpoch(served.platform), batch, defaultSuppression)
async function goDown(team: Team) {
  const { monitor, check } = await served.monitor(team.id, 'http://127.0.0.1:1')
  const batch = new WriteBatch()
  const at = Date.now()
  batch.of(check).opens = {
    check_id: check,
    title: 'Shop is down',
    cause: 'The connection was refused.',
    severity: 'critical',
    started_at: at,
    confirmed_at: at,
    quorum: aProof,
    evidence: { error_code: 'refused', http_status: null, phase: 'tcp', snippet: null },
  } as never
  await write(batch)
  await quiet(team)
  const { rows } = await served.platform.query<{ id: string }>('select id from incidents where monitor_id = $1', [
    monitor,
  ])
  return { monitor, check, id: rows[0]!.id }
}
async function comeBack(team: Team, { check }: { check: string }) {
  const batch = new WriteBatch()
  batch.of(check).resolvedAt = Date.now()
  await write(batch)
  await quiet(team)
}
/** Takes the next step of all runs of a team. */
async function takeStep(team: Team) {
  const { platform } = served
  await platform.query(
    'update escalation_runs set next_at = clock_timestamp() where tenant_id = $1 and next_at is not null',
    [team.id],
  )
  await escalate(served.plane.services)
  await quiet(team)
}
/** Waits until all events of a team are routed, delivered and mailed. */
async function quiet(team: Team) {
  await wakeDispatcher(served.platform)
  await settled(served, team.id)
}
const reasonsOf = async (team: Team, incident: string, event: string) => {
  const entries = await team.call('GET', `/incidents/${incident}/notifications`)
  const channels = entries
    .filter((entry: { event: string }) => entry.event === event)
    .flatMap((entry: { channels: object[] }) => entry.channels)
  return Object.fromEntries(
    channels.map(({ channel_id, reason }: { channel_id: string; reason: string }) => [channel_id, reason]),
  )
}

describe('whom a step of an escalation policy called', () => {
  test('is notified once of the acknowledgement and of the end: a channel without a rule, and a person', async () => {
    const team = await aTeam()
    const hook = await aHook(team)
    const person = await aPerson(team)
    const path = `/${randomUUID()}`
    await withContact(team, person.id, 'webhook', { url: receiver.url + path })
    await aPolicy(team, [
      { type: 'channel', id: hook.id },
      { type: 'user', id: person.id },
    ])
    const bystander = await aHook(team)
    const incident = await goDown(team)
    await takeStep(team)
    await takeStep(team)
    await team.call('POST', `/incidents/${incident.id}/acknowledge`)
    await quiet(team)
    await comeBack(team, incident)
    const all = ['incident.escalated', 'incident.escalated', 'incident.acknowledged', 'incident.resolved']
    expect(hook.got()).toEqual(all)
    expect(receiver.at(path).map(({ body }) => body.event)).toEqual(all)
    expect(bystander.got()).toEqual([])
    expect(await reasonsOf(team, incident.id, 'incident.resolved')).toEqual({
      [hook.id]: 'opening_notified',
      [bystander.id]: 'no_rule',
    })
  })

  test('a pager has one alert an incident, by its rule and by every step and round, and it is closed', async () => {
    const team = await aTeam()
    const [ruled, called] = [await aPager(team, both), await aPager(team)]
    await aPolicy(team, [
      { type: 'channel', id: ruled.id },
      { type: 'channel', id: called.id },
    ])
    const incident = await goDown(team)
    for (let step = 0; step < 2; step++) await takeStep(team)
    await team.call('POST', `/incidents/${incident.id}/acknowledge`)
    await quiet(team)
    await comeBack(team, incident)
    const key = `vedette-incident-${incident.id}`
    const end = [`acknowledge ${key}`, `resolve ${key}`]
    const steps = [`trigger ${key}`, `trigger ${key}`]
    expect(ruled.got()).toEqual([`trigger ${key}`, ...steps, ...end])
    expect(called.got()).toEqual([...steps, ...end])
  })

  test('and chats that were notified of the beginning are notified of who took it, webhooks by their rule, mail lists not', async () => {
    const team = await aTeam()
    const reader = await aPerson(team)
    const path = `/${randomUUID()}`
    const slack = await aChannel(team, 'slack', { webhook_url: receiver.url + path }, both)
    const deaf = await aChannel(team, 'slack', { webhook_url: `${receiver.url}/${randomUUID()}` }, ['storm.detected'])
    const [named, plain] = [await aHook(team, [...both, 'incident.acknowledged']), await aHook(team, both)]
    const list = await aChannel(team, 'email', { recipients: [reader.email] }, both)
    const incident = await goDown(team)
    await served.platform.query('delete from notification_rules where id = $1', [slack.rule])
    await served.platform.query(`select pg_notify('alerting', $1)`, [team.id])
    const [taker] = [await aPerson(team)]
    const { plain: token } = await createToken(served.platform, {
      kind: 'sk',
      tenantId: team.id,
      userId: taker.id,
      name: 'test',
      scopes: ['incidents:write'],
      expiresAt: null,
    })
    await fetch(`${served.plane.baseUrl}/api/v1/incidents/${incident.id}/acknowledge`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
    })
    await quiet(team)
    await comeBack(team, incident)
    expect(named.got()).toEqual(['incident.created', 'incident.acknowledged', 'incident.resolved'])
    expect(receiver.at(named.path)[1]?.body).toMatchObject({ acknowledged_by_name: 'Bea', title: 'Shop is down' })
    expect(plain.got()).toEqual(both)
    expect(await reasonsOf(team, incident.id, 'incident.acknowledged')).toEqual({
      [slack.id]: 'opening_notified',
      [deaf.id]: 'no_rule',
      [named.id]: 'rule_matched',
      [plain.id]: 'pagers_only',
      [list.id]: 'pagers_only',
    })
    const posted = receiver.at(path).map(({ text }) => text)
    expect(posted).toHaveLength(3)
    expect(posted[1]).toContain('Bea has it')
  })

  test('a channel that a rule reaches too gets the end once, by the name of its rule', async () => {
    const team = await aTeam()
    const hook = await aHook(team, ['monitor.down', 'monitor.up'])
    await aPolicy(team, [{ type: 'channel', id: hook.id }])
    const incident = await goDown(team)
    await takeStep(team)
    await comeBack(team, incident)
    expect(hook.got()).toEqual(['monitor.down', 'incident.escalated', 'monitor.up'])
  })

  test('a person without a contact method is mailed the end once, also where its event is routed again', async () => {
    const team = await aTeam()
    const person = await aPerson(team)
    await withContact(team, person.id, null)
    await aPolicy(team, [{ type: 'user', id: person.id }])
    const incident = await goDown(team)
    for (let step = 0; step < 2; step++) await takeStep(team)
    await comeBack(team, incident)
    const types = ['escalation_notice', 'escalation_notice', 'incident_resolved']
    const read = async () => (await mailsTo(person.email)).map(({ type }) => type)
    await eventually(async () => (await read()).length >= types.length || undefined)
    await served.platform.query(
      `update outbox set done_at = null, next_at = now() where tenant_id = $1 and name = 'incident.resolved'`,
      [team.id],
    )
    await quiet(team)
    await served.platform.query(`select pg_notify('mails', '')`)
    expect(await read()).toEqual(types)
    const { rows } = await served.platform.query(
      `select 1 from outbox where tenant_id = $1 and kind = 'mail' and done_at is null`,
      [team.id],
    )
    expect(rows).toEqual([])
  })

  test('an address that a rule mails too gets the end once', async () => {
    const team = await aTeam()
    const [mailed, contacted] = [await aPerson(team), await aPerson(team)]
    await withContact(team, mailed.id, null)
    await withContact(team, contacted.id, 'email', { recipients: [contacted.email] })
    await aChannel(team, 'email', { recipients: [mailed.email.toUpperCase(), contacted.email] }, ['incident.resolved'])
    await aPolicy(team, [
      { type: 'user', id: mailed.id },
      { type: 'user', id: contacted.id },
    ])
    const incident = await goDown(team)
    await takeStep(team)
    await comeBack(team, incident)
    for (const { email } of [mailed, contacted]) {
      const of = async () => [
        ...(await mailsTo(email)),
        ...(email === mailed.email ? await mailsTo(email.toUpperCase()) : []),
      ]
      await eventually(async () => (await of()).length >= 2 || undefined)
      expect((await of()).map(({ type }) => type).toSorted()).toEqual(['escalation_notice', 'incident_resolved'])
    }
  })

  test('an address that two channels name, or a rule beside the call, gets each event once, and both logs say so', async () => {
    const team = await aTeam()
    const [mailed, contacted] = [await aPerson(team), await aPerson(team)]
    await withContact(team, mailed.id, null)
    await withContact(team, contacted.id, 'email', { recipients: [contacted.email] })
    const all = ['incident.created', 'incident.escalated', 'incident.escalation_exhausted', 'incident.resolved']
    const recipients = [mailed.email.toUpperCase(), contacted.email]
    const [first, second] = [
      await aChannel(team, 'email', { recipients }, all),
      await aChannel(team, 'email', { recipients: [contacted.email, mailed.email] }, all),
    ]
    await aPolicy(team, [
      { type: 'user', id: mailed.id },
      { type: 'user', id: contacted.id },
    ])
    const incident = await goDown(team)
    for (let step = 0; step < 3; step++) await takeStep(team)
    await comeBack(team, incident)
    const mails = ['incident_created', 'escalation_notice', 'escalation_notice', 'escalation_exhausted']
    for (const { email } of [mailed, contacted]) {
      const of = async () =>
        [...(await mailsTo(email)), ...(await mailsTo(email.toUpperCase()))].map(({ type }) => type)
      await eventually(async () => (await of()).length >= 5 || undefined)
      expect((await of()).toSorted()).toEqual([...mails, 'incident_resolved'].toSorted())
    }
    const logOf = async (channel: { id: string }) =>
      (await team.call('GET', `/notification-logs?channel_id=${channel.id}&event=incident.created`))[0]
    await eventually(async () => (await logOf(second)).status === 'delivered' || undefined)
    const answersOf = async (channel: { id: string }) =>
      (await logOf(channel)).attempts.map(({ response }: { response: string }) => response).join(' ')
    const answers = [await answersOf(first), await answersOf(second)].toSorted()
    expect(answers[0]).toContain('Sent once: another channel names 2 of 2 recipients too.')
    expect(answers[1]).toBe(
      'Sent once: to 2 of 2 recipients by another channel, or as the person who is called. ' +
        'The other channel sent it to the same recipients.',
    )
  })

  test('gets the end though its step or policy is gone', async () => {
    for (const change of ['step', 'policy'] as const) {
      const team = await aTeam()
      const [hook, other] = [await aHook(team), await aHook(team)]
      const policy = await aPolicy(team, [{ type: 'channel', id: hook.id }])
      const incident = await goDown(team)
      await takeStep(team)
      const steps = [{ delay_minutes: 1, targets: [{ type: 'channel', id: other.id }] }]
      if (change === 'step') await team.call('PATCH', `/escalation-policies/${policy.id}`, { steps })
      else await served.platform.query('delete from escalation_policies where id = $1', [policy.id])
      await comeBack(team, incident)
      expect(hook.got(), change).toEqual(['incident.escalated', 'incident.resolved'])
      expect(other.got(), change).toEqual([])
    }
  })

  test('gets the end also where the incident is resolved by hand, or its monitor is deleted', async () => {
    const team = await aTeam()
    const hook = await aHook(team)
    const person = await aPerson(team)
    await withContact(team, person.id, null)
    await aPolicy(team, [
      { type: 'channel', id: hook.id },
      { type: 'user', id: person.id },
    ])
    const ends: [string, (incident: { id: string; monitor: string; check: string }) => Promise<unknown>][] = [
      ['by_hand', ({ id }) => team.call('POST', `/incidents/${id}/resolve`)],
      ['deleted', ({ monitor }) => team.call('DELETE', `/monitors/${monitor}`)],
    ]
    for (const [resolution, end] of ends) {
      const incident = await goDown(team)
      await takeStep(team)
      await end(incident)
      await quiet(team)
      expect(receiver.at(hook.path).at(-1)?.body, resolution).toMatchObject({
        event: 'incident.resolved',
        incident_id: incident.id,
        resolution,
      })
    }
    const ended = async () => (await mailsTo(person.email)).filter(({ type }) => type === 'incident_resolved')
    await eventually(async () => (await ended()).length === ends.length || undefined)
  })

  test('keeps the name of then in the record of the incident after leaving the team', async () => {
    const team = await aTeam()
    const person = await aPerson(team)
    await withContact(team, person.id, null)
    await aPolicy(team, [{ type: 'user', id: person.id }])
    const incident = await goDown(team)
    await takeStep(team)
    await served.platform.query('delete from memberships where user_id = $1', [person.id])
    const { escalation } = await team.call('GET', `/incidents/${incident.id}`)
    expect(escalation.notifications).toMatchObject([{ user_id: person.id, user_name: 'Bea', via: 'mail' }])
  })

  test('gets no end where the channel is disabled or the person has left', async () => {
    const team = await aTeam()
    const hook = await aHook(team)
    const person = await aPerson(team)
    const path = `/${randomUUID()}`
    await withContact(team, person.id, 'webhook', { url: receiver.url + path })
    await aPolicy(team, [
      { type: 'channel', id: hook.id },
      { type: 'user', id: person.id },
    ])
    const incident = await goDown(team)
    await takeStep(team)
    await team.call('PATCH', `/notification-channels/${hook.id}`, { is_enabled: false })
    await served.platform.query('update memberships set disabled_at = now() where user_id = $1', [person.id])
    await comeBack(team, incident)
    expect(hook.got()).toEqual(['incident.escalated'])
    expect(receiver.at(path).map(({ body }) => body.event)).toEqual(['incident.escalated'])
  })

  test('who acknowledged is not notified of that by an own contact method, and others are', async () => {
    const team = await aTeam()
    const [taker, other] = [await aPerson(team), await aPerson(team)]
    const paths = { [taker.id]: `/${randomUUID()}`, [other.id]: `/${randomUUID()}` }
    for (const id of [taker.id, other.id]) await withContact(team, id, 'webhook', { url: receiver.url + paths[id] })
    await aPolicy(team, [
      { type: 'user', id: taker.id },
      { type: 'user', id: other.id },
    ])
    const incident = await goDown(team)
    await takeStep(team)
    const { acknowledge_url } = receiver.at(paths[taker.id]!)[0]!.body
    await fetch(`${served.plane.baseUrl}/api/v1/incidents/acknowledge-by-link`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: acknowledge_url.split('#')[1] }),
    })
    await quiet(team)
    await comeBack(team, incident)
    const got = (id: string) => receiver.at(paths[id]!).map(({ body }) => body.event)
    expect(got(other.id)).toEqual(['incident.escalated', 'incident.acknowledged', 'incident.resolved'])
    expect(got(taker.id)).toEqual(['incident.escalated', 'incident.resolved'])
  })
})

describe('a channel that a rule notified of the beginning', () => {
  test('is notified of the end though the rule is deleted or changed, by the name that it used', async () => {
    const team = await aTeam()
    const hooks = { deleted: await aHook(team, ['monitor.down', 'monitor.up']), narrowed: await aHook(team, both) }
    const pagers = { both: await aPager(team, both), beginning: await aPager(team, ['incident.created']) }
    const [beginning, off] = [await aHook(team, ['incident.created']), await aHook(team, both)]
    const incident = await goDown(team)
    for (const { rule } of [hooks.deleted, pagers.both, pagers.beginning, beginning, off])
      await team.call('DELETE', `/notification-rules/${rule}`)
    await team.call('PATCH', `/notification-rules/${hooks.narrowed.rule}`, { monitor_filter: { tags: ['another'] } })
    await team.call('PATCH', `/notification-channels/${off.id}`, { is_enabled: false })
    const late = await aHook(team, both)
    await comeBack(team, incident)
    expect(hooks.deleted.got()).toEqual(['monitor.down', 'monitor.up'])
    expect(hooks.narrowed.got()).toEqual(both)
    const key = `vedette-incident-${incident.id}`
    for (const pager of Object.values(pagers)) expect(pager.got()).toEqual([`trigger ${key}`, `resolve ${key}`])
    expect(beginning.got()).toEqual(['incident.created'])
    expect(off.got()).toEqual(['incident.created'])
    expect(late.got()).toEqual(['incident.resolved'])
    expect(await reasonsOf(team, incident.id, 'incident.resolved')).toMatchObject({
      [hooks.deleted.id]: 'opening_notified',
      [hooks.narrowed.id]: 'opening_notified',
      [beginning.id]: 'no_rule',
      [off.id]: 'channel_disabled',
      [late.id]: 'rule_matched',
    })
  })

  test('a pager whose rule is deleted is notified of the acknowledgement', async () => {
    const team = await aTeam()
    const pager = await aPager(team, both)
    const incident = await goDown(team)
    await team.call('DELETE', `/notification-rules/${pager.rule}`)
    await team.call('POST', `/incidents/${incident.id}/acknowledge`)
    await quiet(team)
    const key = `vedette-incident-${incident.id}`
    expect(pager.got()).toEqual([`trigger ${key}`, `acknowledge ${key}`])
  })

  test('a pager that the end of an escalation opened an alert at is notified of the end', async () => {
    const team = await aTeam()
    const pager = await aPager(team, ['incident.escalation_exhausted'])
    const hook = await aHook(team)
    await aPolicy(team, [{ type: 'channel', id: hook.id }])
    const incident = await goDown(team)
    for (let step = 0; step < 3; step++) await takeStep(team)
    await comeBack(team, incident)
    const key = `vedette-incident-${incident.id}`
    expect(pager.got()).toEqual([`trigger ${key}`, `resolve ${key}`])
  })
})
