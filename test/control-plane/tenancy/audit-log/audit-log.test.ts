import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { anIncident } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'

const actionsOf = (body: { data: { action: string }[] }) => body.data.map(entry => entry.action)

/** A team in which its owner, a colleague and its reseller did something. */
async function aBusyTeam() {
  const reseller = await given.reseller()
  const team = await given.team(reseller)
  const colleague = await given.colleague(team, 'member')
  const [one, two] = [await anIncident(team), await anIncident(team)]
  await team.post(`/incidents/${one}/acknowledge`)
  await colleague.post(`/incidents/${two}/snooze`, { minutes: 5 })
  await reseller.post(`${team.path}/incidents/${one}/resolve`)
  return { reseller, team, colleague, one, two }
}

describe('GET /audit-log', () => {
  test('lists newest first who did what to what, from where', async () => {
    const { team, reseller, one } = await aBusyTeam()
    const { status, body } = await team.get('/audit-log')
    expect(status).toBe(200)
    expect(actionsOf(body)).toEqual(['incident.resolved', 'incident.snoozed', 'incident.acknowledged'])
    expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 3 })
    expect(body.data[2]).toMatchObject({
      entity_type: 'incident',
      entity_id: one,
      user_id: team.userId,
      user_name: 'Pat Person',
      ip: team.ip,
    })
    expect(body.data[2].changes.acknowledged_by).toEqual({ before: null, after: team.userId })
    expect(body.data[2].created_at).toMatch(/\.\d{6}Z$/)
    // the reseller is not one of the team
    expect(body.data[0]).toMatchObject({ user_id: reseller.userId, user_name: null })
    expect((await reseller.get('/audit-log')).body.data).toEqual([])
    expect(actionsOf((await reseller.get(`${team.path}/audit-log`)).body)).toHaveLength(3)
  })

  test('finds by action, entity and person', async () => {
    const { team, colleague, two } = await aBusyTeam()
    const found = async (query: string) => actionsOf((await team.get(`/audit-log?${query}`)).body)
    expect(await found('action=incident.snoozed,incident.resolved')).toEqual(['incident.resolved', 'incident.snoozed'])
    expect(await found('action=monitor.created')).toEqual([])
    expect(await found(`entity_id=${two}`)).toEqual(['incident.snoozed'])
    expect(await found(`user_id=${colleague.userId}&entity_type=incident`)).toEqual(['incident.snoozed'])
    expect(await found('entity_type=monitor')).toEqual([])
    expect(await found(`user_id=${randomUUID()}`)).toEqual([])
    const kinds = [
      'monitor',
      'check',
      'notification_channel',
      'notification_rule',
      'status_page',
      'maintenance_window',
      'incident',
      'user',
      'tenant',
    ]
    const more = [
      'managed_tenant',
      'personal_access_token',
      'team_invitation',
      'escalation_policy',
      'escalation_step',
      'on_call_schedule',
      'on_call_rotation',
    ]
    expect(await found(`entity_type=${[...kinds, ...more].join(',')}`)).toHaveLength(3)
    for (const query of [
      'entity_type=spaceship',
      'entity_id=1',
      'user_id=x',
      'action=',
      'action=a%27',
      'per_page=101',
      'per_page=0',
      'page=0',
      'page=1e2',
    ])
      expect((await team.get(`/audit-log?${query}`)).status, query).toBe(422)
  })

  test('finds from a moment on, and up to another', async () => {
    const { team } = await aBusyTeam()
    const [last, middle, first] = (await team.get('/audit-log')).body.data.map(
      (entry: { created_at: string }) => new Date(entry.created_at),
    )
    const found = async (query: string) => actionsOf((await team.get(`/audit-log?${query}`)).body).length
    expect(await found(`from=${middle.toISOString()}`)).toBe(2)
    expect(await found(`to=${middle.toISOString()}`)).toBe(1)
    expect(await found(`from=${first.toISOString()}&to=${last.toISOString()}`)).toBe(2)
    expect(await found(`from=${new Date(last.getTime() + 1).toISOString()}`)).toBe(0)
    for (const query of ['from=yesterday', 'to=', 'from=2026-13-01'])
      expect((await team.get(`/audit-log?${query}`)).status, query).toBe(422)
  })

  test('comes in numbered pages, empty beyond the last', async () => {
    const { team } = await aBusyTeam()
    const { body } = await team.get(
      '/audit-log?per_page=2&page=2&action=incident.acknowledged,incident.snoozed,incident.resolved',
    )
    expect(actionsOf(body)).toEqual(['incident.acknowledged'])
    expect(body.links.prev).toContain('page=1')
    expect(body.links.prev).toContain('action=')
    expect(body.links.next).toBeNull()
    expect((await team.get('/audit-log?page=1000000000')).body).toMatchObject({ data: [], meta: { total: 3 } })
  })

  test('is kept from other teams and from tokens without the scope', async () => {
    const { team } = await aBusyTeam()
    expect((await (await given.tenant()).get('/audit-log')).body.data).toEqual([])
    expect((await (await given.token(team, 'sk', ['monitors:manage'])).get('/audit-log')).status).toBe(403)
    expect((await (await given.token(team, 'sk', ['settings:read'])).get('/audit-log')).status).toBe(200)
    expect((await (await given.reseller()).get(`${team.path}/audit-log`)).status).toBe(403)
    expect((await given.stranger().get('/audit-log')).status).toBe(401)
  })

  test('cannot be changed by the service', async () => {
    const { team } = await aBusyTeam()
    expect((await team.delete('/audit-log')).status).toBe(405)
    const { rows } = await app.services.platform.query(
      `select bool_or(has_table_privilege('vedette_app', 'audit_entries', privilege)) as may
       from unnest(array['update', 'delete', 'truncate']) privilege`,
    )
    expect(rows).toEqual([{ may: false }])
  })
})

test('GET /audit-log/filters lists the actions and entity types of this log', async () => {
  const { team } = await aBusyTeam()
  expect((await team.get('/audit-log/filters')).body.data).toEqual({
    actions: ['incident.acknowledged', 'incident.resolved', 'incident.snoozed'],
    entity_types: ['incident'],
  })
  expect((await (await given.tenant()).get('/audit-log/filters')).body.data).toEqual({ actions: [], entity_types: [] })
})

test('every entity type that GET /audit-log/filters lists can be filtered by', async () => {
  const reseller = await given.reseller()
  const monitor = { name_template: 'Shop', url_template: 'https://example.com', checks: [{ type: 'uptime' }] }
  const template = { name: 'Shop', variables: [], monitors: [monitor] }
  expect((await reseller.post('/reseller/monitor-templates', template)).status).toBe(201)
  expect((await reseller.post('/reseller/provisioning-profiles', { name: 'Small', plan: 'free' })).status).toBe(201)
  const inOwnLog = await given.colleague(reseller, 'owner')
  const { entity_types } = (await inOwnLog.get('/audit-log/filters')).body.data
  expect(entity_types).toEqual(['monitor_template', 'provisioning_profile'])
  for (const type of entity_types) {
    const { status, body } = await inOwnLog.get(`/audit-log?entity_type=${type}`)
    expect([status, body.data?.map((entry: { entity_type: string }) => entry.entity_type)], type).toEqual([200, [type]])
  }
})
