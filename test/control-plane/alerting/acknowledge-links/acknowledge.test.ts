import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { linkToken } from '#control-plane/alerting/acknowledge-links/token.ts'
import { anIncident } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform, config, clock } = app.services
const slack = { name: 'On call', type: 'slack', config: { webhook_url: 'https://hooks.slack.example.com/services/x' } }
const mailTo = (...recipients: string[]) => ({ name: 'On call', type: 'email', config: { recipients } })
const inDays = (days: number) => new Date(clock.nowMs() + days * 86_400_000)

async function aChannel(owner: CallerUnderTest, channel: object): Promise<string> {
  const { status, body, text } = await owner.post('/notification-channels', channel)
  expect(status, text).toBe(201)
  return body.data.id
}
const tokenFor = (
  incidentId: string,
  channelId: string,
  { recipient = null as string | null, expiresAt = inDays(7) } = {},
) => linkToken(config, 'acknowledge', { incidentId, channelId, recipient, expiresAt })
const stranger = given.stranger
const lookUp = (token: string) => stranger().post('/incidents/acknowledge-by-link/lookup', { token })
const acknowledge = (token: string) => stranger().post('/incidents/acknowledge-by-link', { token })
const auditOf = async (of: { tenantId: string }) =>
  (
    await platform.query<{ user_id: string | null; entity_id: string; changes: Record<string, unknown> }>(
      `select user_id, entity_id, changes from audit_entries where tenant_id = $1 and action = 'incident.acknowledged'`,
      [of.tenantId],
    )
  ).rows

describe('acknowledge links of alerts', () => {
  test('a link in a chat acknowledges without a login, and the audit log names the channel', async () => {
    const tenant = await given.tenant()
    const [incident, channel] = [await anIncident(tenant), await aChannel(tenant, slack)]
    const token = tokenFor(incident, channel)
    const seen = await lookUp(token)
    expect(seen.status, seen.text).toBe(200)
    expect(seen.body.data).toMatchObject({
      incident_id: incident,
      monitor_name: 'Shop',
      title: 'Shop is down',
      cause: 'HTTP 503',
      acknowledged_at: null,
    })
    // the lookup changes nothing, however often
    await lookUp(token)
    expect((await tenant.get(`/incidents/${incident}`)).body.data.acknowledged_at).toBeNull()
    expect(await auditOf(tenant)).toEqual([])

    const done = await acknowledge(token)
    expect(done.status, done.text).toBe(200)
    expect(done.body.data).toMatchObject({
      incident_id: incident,
      acknowledged_at: expect.any(String),
      acknowledged_by_name: null,
    })
    expect((await tenant.get(`/incidents/${incident}`)).body.data).toMatchObject({
      acknowledged_at: done.body.data.acknowledged_at,
      acknowledged_by: null,
    })
    const [entry, ...others] = await auditOf(tenant)
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      user_id: null,
      entity_id: incident,
      changes: { acknowledge_link: { channel_id: channel, channel_name: 'On call', channel_type: 'slack' } },
    })
    expect(await app.emitted(tenant)).toEqual(['incident.acknowledged'])
  })

  test('a second acknowledgement changes nothing and shows who was first', async () => {
    const tenant = await given.tenant()
    const [incident, channel] = [await anIncident(tenant), await aChannel(tenant, slack)]
    await tenant.post(`/incidents/${incident}/acknowledge`)
    const token = tokenFor(incident, channel)
    for (const answer of [await lookUp(token), await acknowledge(token), await acknowledge(token)])
      expect(answer.body.data).toMatchObject({ acknowledged_by_name: 'Pat Person' })
    expect(await auditOf(tenant)).toHaveLength(1)
    expect(await app.emitted(tenant)).toEqual(['incident.acknowledged'])
  })

  test('a link in a mail names the member who acknowledged, and another recipient by the address', async () => {
    const tenant = await given.tenant()
    const address = `${randomUUID()}@partner.example`
    const channel = await aChannel(tenant, mailTo(`${tenant.userId}@people.test`, address))
    const [byMember, byOther] = [await anIncident(tenant), await anIncident(tenant)]
    const first = await acknowledge(tokenFor(byMember, channel, { recipient: `${tenant.userId}@PEOPLE.test` }))
    expect(first.body.data).toMatchObject({ acknowledged_by_name: 'Pat Person' })
    expect((await acknowledge(tokenFor(byOther, channel, { recipient: address }))).body.data).toMatchObject({
      acknowledged_by_name: null,
    })
    const entries = new Map((await auditOf(tenant)).map(entry => [entry.entity_id, entry]))
    expect(entries.get(byMember)).toMatchObject({
      user_id: tenant.userId,
      changes: { acknowledge_link: { channel_type: 'email' } },
    })
    expect(JSON.stringify(entries.get(byMember)?.changes)).not.toContain('@')
    expect(entries.get(byOther)).toMatchObject({ user_id: null, changes: { acknowledge_link: { recipient: address } } })
    const timeline = (await tenant.get(`/incidents/${byMember}`)).body.data.timeline
    expect(timeline.at(-1)).toMatchObject({ type: 'acknowledged', user_name: 'Pat Person' })
  })

  test('a link in a reseller’s channel is in both audit logs, in the team’s by the channel’s type', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const address = `${reseller.userId}@people.test`
    const channel = await aChannel(await given.token(reseller, 'ss', []), mailTo(address))
    const incident = await anIncident(team)
    const done = await acknowledge(tokenFor(incident, channel, { recipient: address }))
    expect(done.status, done.text).toBe(200)
    const [inTeam] = await auditOf(team)
    expect(inTeam?.changes.acknowledge_link).toEqual({ channel_type: 'email' })
    const [inReseller] = await auditOf(reseller)
    expect(inReseller?.changes.acknowledge_link).toMatchObject({ channel_id: channel, channel_name: 'On call' })
  })

  test('a link expires after exactly seven days', async () => {
    const tenant = await given.tenant()
    const [incident, channel] = [await anIncident(tenant), await aChannel(tenant, slack)]
    const at = (ms: number) => tokenFor(incident, channel, { expiresAt: new Date(clock.nowMs() + ms) })
    for (const ask of [lookUp, acknowledge]) {
      const { status, body } = await ask(at(-1_000))
      expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'link_expired', ['token']])
    }
    expect((await acknowledge(at(60_000))).status).toBe(200)
  })

  test('a link for a resolved or deleted incident is refused', async () => {
    const tenant = await given.tenant()
    const channel = await aChannel(tenant, slack)
    const incident = await anIncident(tenant, { resolvedAt: new Date() })
    for (const ask of [lookUp, acknowledge]) {
      const { status, body } = await ask(tokenFor(incident, channel))
      expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'incident_resolved', ['token']])
      expect((await ask(tokenFor(randomUUID(), channel))).body.code).toBe('link_revoked')
    }
    expect(await auditOf(tenant)).toEqual([])
  })

  test('a link is refused once its channel is disabled, has another recipient, or is deleted', async () => {
    const tenant = await given.tenant()
    const [kept, gone] = ['kept@example.com', 'gone@example.com']
    const incident = await anIncident(tenant)
    const channel = await aChannel(tenant, mailTo(kept, gone))
    const token = (recipient: string) => tokenFor(incident, channel, { recipient })
    expect((await lookUp(token(gone))).status).toBe(200)
    await tenant.patch(`/notification-channels/${channel}`, { config: { recipients: [kept] } })
    expect((await acknowledge(token(gone))).body.code).toBe('link_revoked')
    await tenant.patch(`/notification-channels/${channel}`, { is_enabled: false })
    expect((await acknowledge(token(kept))).body.code).toBe('link_revoked')
    await tenant.patch(`/notification-channels/${channel}`, { is_enabled: true })
    expect((await lookUp(token(kept))).status).toBe(200)
    await tenant.delete(`/notification-channels/${channel}`)
    expect((await acknowledge(token(kept))).body.code).toBe('link_revoked')
    expect(await auditOf(tenant)).toEqual([])
  })

  test('a link for an incident of a tenant that the channel gets no alerts about is refused', async () => {
    const [tenant, other] = [await given.tenant(), await given.tenant()]
    const [reseller, otherReseller] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    const pairs = [
      [await anIncident(tenant), await aChannel(other, slack)],
      [await anIncident(team), await aChannel(await given.token(otherReseller, 'ss', []), slack)],
      [await anIncident(reseller), await aChannel(team, slack)],
    ] as const
    for (const [incident, channel] of pairs)
      expect((await acknowledge(tokenFor(incident, channel))).body.code).toBe('link_revoked')
  })

  test('malformed tokens are refused, and forged ones all with the same error', async () => {
    const tenant = await given.tenant()
    const [incident, channel] = [await anIncident(tenant), await aChannel(tenant, slack)]
    const token = tokenFor(incident, channel)
    for (const forged of [`A${token.slice(1)}`, token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A'), 'A'.repeat(80)])
      if (forged !== token)
        expect([(await acknowledge(forged)).status, (await acknowledge(forged)).body.code]).toEqual([422, 'bad_link'])
    for (const body of [{}, { token: '' }, { token: 1 }, { token: token.slice(1) }, { token: `${token}=` }]) {
      const { status, body: answer } = await stranger().post('/incidents/acknowledge-by-link', body)
      expect([status, Object.keys(answer.errors)]).toEqual([422, ['token']])
    }
    expect((await stranger().get('/incidents/acknowledge-by-link')).status).not.toBe(200)
    expect((await tenant.get(`/incidents/${incident}`)).body.data.acknowledged_at).toBeNull()
  })

  test('concurrent requests acknowledge once', async () => {
    const tenant = await given.tenant()
    const [incident, channel] = [await anIncident(tenant), await aChannel(tenant, slack)]
    const answers = await Promise.all(Array.from({ length: 8 }, () => acknowledge(tokenFor(incident, channel))))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data.acknowledged_at}`)).size).toBe(1)
    expect(await auditOf(tenant)).toHaveLength(1)
    expect(await app.emitted(tenant)).toEqual(['incident.acknowledged'])
  })
})
