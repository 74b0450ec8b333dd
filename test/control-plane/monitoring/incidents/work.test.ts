import { describe, expect, test } from 'vitest'
import { audiencesOf } from '#test/control-plane/alerting/plan/suppressions.ts'
import { anIncident, minutesAgo } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'

describe('working on an incident', () => {
  test('shows proof, evidence, updates and timeline', async () => {
    const tenant = await given.tenant()
    const id = await anIncident(tenant, { startedAt: minutesAgo(3) })
    await tenant.post(`/incidents/${id}/acknowledge`)
    await tenant.post(`/incidents/${id}/updates`, { status: 'identified', body: 'The database is full.' })
    const { status, body } = await tenant.get(`/incidents/${id}`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      id,
      status: 'identified',
      storm_id: null,
      evidence: { error_code: 'http_status' },
      quorum: { required: 2 },
    })
    expect(body.data.updates).toMatchObject([
      { status: 'identified', body: 'The database is full.', user_id: tenant.userId, user_name: 'Pat Person' },
    ])
    expect(body.data.timeline.map((entry: { type: string }) => entry.type)).toEqual([
      'started',
      'confirmed',
      'acknowledged',
      'update_posted',
    ])
    expect(body.data.timeline[3]).toMatchObject({
      user_name: 'Pat Person',
      details: { status: { before: 'investigating', after: 'identified' } },
    })
  })

  test('is acknowledged once, by the first person, and can be unacknowledged', async () => {
    const tenant = await given.tenant()
    const colleague = await given.colleague(tenant, 'member')
    const id = await anIncident(tenant)
    const first = await tenant.post(`/incidents/${id}/acknowledge`)
    expect(first.body.data.acknowledged_by).toBe(tenant.userId)
    expect(first.body.data.acknowledged_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    const second = await colleague.post(`/incidents/${id}/acknowledge`)
    expect(second.body.data).toMatchObject({
      acknowledged_by: tenant.userId,
      acknowledged_at: first.body.data.acknowledged_at,
    })
    expect((await colleague.post(`/incidents/${id}/unacknowledge`)).body.data).toMatchObject({
      acknowledged_at: null,
      acknowledged_by: null,
    })
    expect((await colleague.post(`/incidents/${id}/unacknowledge`)).status).toBe(200)
    expect(await app.audited(tenant)).toEqual(['incident.acknowledged', 'incident.unacknowledged'])
    expect(await app.emitted(tenant)).toEqual(['incident.acknowledged'])
  })

  test('is snoozed for one minute to one day', async () => {
    const tenant = await given.tenant()
    const id = await anIncident(tenant)
    for (const minutes of [1, 1_440]) {
      const { body } = await tenant.post(`/incidents/${id}/snooze`, { minutes })
      const until = Date.parse(body.data.snoozed_until) - app.services.clock.nowMs()
      expect(Math.abs(until - minutes * 60_000)).toBeLessThan(5_000)
      expect(body.data.is_snoozed).toBe(true)
    }
    for (const minutes of [0, 1_441, 1.5, '5', null, undefined]) {
      const { status, body } = await tenant.post(`/incidents/${id}/snooze`, { minutes })
      expect(status, String(minutes)).toBe(422)
      expect(Object.keys(body.errors)).toEqual(['minutes'])
    }
    expect((await tenant.post(`/incidents/${id}/unsnooze`)).body.data).toMatchObject({
      snoozed_until: null,
      is_snoozed: false,
    })
    expect((await tenant.post(`/incidents/${id}/unsnooze`)).status).toBe(200)
  })

  test('has updates, which set its status', async () => {
    const tenant = await given.tenant()
    const id = await anIncident(tenant)
    for (const status of ['identified', 'monitoring', 'investigating']) {
      const posted = await tenant.post(`/incidents/${id}/updates`, { status, body: `Now ${status}` })
      expect(posted.status).toBe(201)
      expect((await tenant.get(`/incidents/${id}`)).body.data.status).toBe(status)
    }
    const { body } = await tenant.get(`/incidents/${id}/updates?per_page=2`)
    expect(body.data.map((update: { body: string }) => update.body)).toEqual(['Now identified', 'Now monitoring'])
    expect(body.meta).toEqual({ current_page: 1, last_page: 2, per_page: 2, total: 3 })
    for (const refused of [
      { status: 'resolved', body: 'x' },
      { status: 'identified', body: ' ' },
      { status: 'identified' },
      { body: 'x' },
      { status: 'identified', body: 'x'.repeat(5_001) },
    ])
      expect((await tenant.post(`/incidents/${id}/updates`, refused)).status).toBe(422)
  })

  test.each([
    ['auto', 'recovered'],
    ['manual', 'by_hand'],
  ])('that a process of the version before ends by "%s" is "%s", in its timeline too', async (former, today) => {
    const tenant = await given.tenant()
    const id = await anIncident(tenant)
    const { platform } = app.services
    await platform.query(
      `update incidents set status = 'resolved', resolved_at = now(), resolution = $2 where id = $1`,
      [id, former],
    )
    const { rows } = await platform.query('select resolution from incidents where id = $1', [id])
    expect(rows).toEqual([{ resolution: today }])
    await platform.query(
      `insert into audit_entries (id, tenant_id, action, entity_type, entity_id, changes)
       values (gen_random_uuid(), $1, 'incident.resolved', 'incident', $2, $3)`,
      [tenant.tenantId, id, { resolution: { before: null, after: former } }],
    )
    const { body } = await tenant.get(`/incidents/${id}`)
    expect(body.data.resolution).toBe(today)
    expect(body.data.timeline.findLast(({ details }: { details: unknown }) => details)).toMatchObject({
      type: 'resolved',
      details: { resolution: { before: null, after: today } },
    })
  })

  test('is resolved by hand once, with a last update and an event', async () => {
    const tenant = await given.tenant()
    const id = await anIncident(tenant)
    await tenant.post(`/incidents/${id}/snooze`, { minutes: 5 })
    const { status, body } = await tenant.post(`/incidents/${id}/resolve`, { message: 'Moved to another host.' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ status: 'resolved', resolution: 'by_hand', snoozed_until: null })
    expect((await tenant.get(`/incidents/${id}`)).body.data.updates).toMatchObject([
      { status: 'resolved', body: 'Moved to another host.' },
    ])
    const { rows } = await app.services.platform.query(`select name, payload from outbox where tenant_id = $1`, [
      tenant.tenantId,
    ])
    expect(rows).toEqual([
      {
        name: 'incident.resolved',
        payload: expect.objectContaining({
          incident_id: id,
          monitor_name: 'Shop',
          monitor_url: 'https://shop.example/',
          title: 'Shop is down',
          severity: 'critical',
          status: 'resolved',
          resolved_at: body.data.resolved_at,
          number: body.data.number,
          check_type: 'uptime',
          cause: 'HTTP 503',
          code: 'http_status',
          resolution: 'by_hand',
          timezone: null,
        }),
      },
    ])
    const again = await tenant.post(`/incidents/${id}/resolve`)
    expect(again.status).toBe(422)
    expect(again.body.code).toBe('incident_resolved')
    expect(await app.emitted(tenant)).toEqual(['incident.resolved'])
  })

  test('that a snooze suppressed from its beginning is resolved without notifying the team', async () => {
    const tenant = await given.tenant()
    const id = await anIncident(tenant)
    await app.services.platform.query('update incidents set notified_at = null where id = $1', [id])
    expect((await tenant.post(`/incidents/${id}/resolve`)).status).toBe(200)
    const { rows } = await app.services.platform.query('select name, suppression from outbox where tenant_id = $1', [
      tenant.tenantId,
    ])
    expect(rows).toEqual([
      {
        name: 'incident.resolved',
        suppression: {
          stage: 'followed',
          by: null,
          is_muted: false,
          is_team_notified: false,
          is_reseller_notified: true,
        },
      },
    ])
  })

  test('that flapping suppresses is resolved without the channels that get flapping events', async () => {
    const tenant = await given.tenant()
    const id = await anIncident(tenant)
    const outbox = async () =>
      (
        await app.services.platform.query('select name, suppression from outbox where tenant_id = $1 order by id', [
          tenant.tenantId,
        ])
      ).rows.flatMap(({ name, suppression }) => audiencesOf(suppression).map(audience => ({ name, ...audience })))
    await app.services.platform.query(
      `update incidents set forwarded_at = null, suppressed_by = 'flapping' where id = $1`,
      [id],
    )
    expect((await tenant.post(`/incidents/${id}/acknowledge`)).status).toBe(200)
    expect(await outbox()).toEqual([
      { name: 'incident.acknowledged', audience: 'all', only_with: null, only_without: 'monitor.flapping' },
    ])
    // released to the reseller, while the team had muted it
    await app.services.platform.query(`update incidents set forwarded_at = now() where id = $1`, [id])
    expect((await tenant.post(`/incidents/${id}/resolve`)).status).toBe(200)
    expect((await outbox()).slice(1).toSorted((a, b) => a.audience.localeCompare(b.audience))).toEqual([
      { name: 'incident.resolved', audience: 'reseller', only_with: null, only_without: null },
      { name: 'incident.resolved', audience: 'team', only_with: null, only_without: 'monitor.flapping' },
    ])
  })

  test('needs no body to be resolved', async () => {
    const tenant = await given.tenant()
    const id = await anIncident(tenant)
    expect((await tenant.call('POST', `/incidents/${id}/resolve`)).status).toBe(200)
    expect((await tenant.get(`/incidents/${id}`)).body.data.updates).toEqual([])
  })

  test('is resolved once when two ask at the same time', async () => {
    const tenant = await given.tenant()
    const id = await anIncident(tenant)
    const answers = await Promise.all(Array.from({ length: 6 }, () => tenant.post(`/incidents/${id}/resolve`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422])
    expect(await app.emitted(tenant)).toEqual(['incident.resolved'])
  })

  test('once resolved can only be archived or corrected', async () => {
    const tenant = await given.tenant()
    const id = await anIncident(tenant)
    expect((await tenant.post(`/incidents/${id}/archive`)).body.code).toBe('incident_open')
    await tenant.post(`/incidents/${id}/resolve`)
    for (const [verb, body] of [
      ['acknowledge', {}],
      ['unacknowledge', {}],
      ['snooze', { minutes: 5 }],
      ['updates', { status: 'monitoring', body: 'x' }],
    ] as const)
      expect((await tenant.post(`/incidents/${id}/${verb}`, body)).body.code, verb).toBe('incident_resolved')
    expect((await tenant.post(`/incidents/${id}/archive`)).body.data.archived_at).toBeTruthy()
    expect((await tenant.post(`/incidents/${id}/archive`)).status).toBe(200)
    expect((await tenant.post(`/incidents/${id}/unarchive`)).body.data.archived_at).toBeNull()
    expect((await tenant.patch(`/incidents/${id}`, { title: 'Full disk' })).body.data.title).toBe('Full disk')
  })

  test('has an editable title and severity, with an audit entry', async () => {
    const tenant = await given.tenant()
    const id = await anIncident(tenant)
    const { body } = await tenant.patch(`/incidents/${id}`, {
      title: ' Checkout fails ',
      severity: 'minor',
    })
    expect(body.data).toMatchObject({ title: 'Checkout fails', severity: 'minor', visibility: 'internal' })
    await tenant.patch(`/incidents/${id}`, { severity: 'minor' })
    const { rows } = await app.services.platform.query(
      'select action, changes from audit_entries where tenant_id = $1',
      [tenant.tenantId],
    )
    expect(rows).toEqual([
      {
        action: 'incident.updated',
        changes: expect.objectContaining({ severity: { before: 'critical', after: 'minor' } }),
      },
    ])
    for (const refused of [
      { title: '' },
      { title: 'x'.repeat(256) },
      { severity: 'fatal' },
      { title: null },
      { title: 'a\0b' },
    ])
      expect((await tenant.patch(`/incidents/${id}`, refused)).status, JSON.stringify(refused)).toBe(422)
  })

  test('is 404 for other tenants and read-only for viewers', async () => {
    const tenant = await given.tenant()
    const viewer = await given.colleague(tenant, 'viewer')
    const foreign = await given.tenant()
    const id = await anIncident(tenant)
    expect((await viewer.get(`/incidents/${id}`)).status).toBe(200)
    expect((await foreign.get(`/incidents/${id}`)).status).toBe(404)
    expect((await foreign.get('/incidents/not-a-uuid')).status).toBe(404)
    expect((await foreign.get(`/incidents/${id}/updates`)).status).toBe(404)
    for (const [verb, body] of [
      ['acknowledge', {}],
      ['unacknowledge', {}],
      ['snooze', { minutes: 5 }],
      ['unsnooze', {}],
      ['archive', {}],
      ['unarchive', {}],
      ['resolve', {}],
      ['updates', { status: 'monitoring', body: 'x' }],
    ] as const) {
      expect((await foreign.post(`/incidents/${id}/${verb}`, body)).status, verb).toBe(404)
      expect((await viewer.post(`/incidents/${id}/${verb}`, body)).status, verb).toBe(403)
    }
    expect((await foreign.patch(`/incidents/${id}`, { title: 'x' })).status).toBe(404)
    expect((await viewer.patch(`/incidents/${id}`, { title: 'x' })).status).toBe(403)
    expect(await app.audited(tenant)).toEqual([])
  })

  test('can be changed by the reseller of the team, with entries in the team’s audit log', async () => {
    const reseller = await given.reseller({ scopes: ['incidents:manage'] })
    const team = await given.team(reseller)
    const id = await anIncident(team)
    const { body } = await reseller.post(`${team.path}/incidents/${id}/acknowledge`)
    expect(body.data.acknowledged_by).toBe(reseller.userId)
    expect((await reseller.post(`${team.path}/incidents/${id}/resolve`)).status).toBe(200)
    expect(await app.audited(team)).toEqual(['incident.acknowledged', 'incident.resolved'])
    expect(await app.audited(reseller)).toEqual([])
    const reader = await given.token(reseller, 'rk', ['incidents:read'])
    expect((await reader.post(`${team.path}/incidents/${id}/archive`)).status).toBe(403)
    expect((await reseller.get(`/incidents/${id}`)).status).toBe(404)
  })
})

describe('POST /reseller/incidents/batch-acknowledge', () => {
  const path = '/reseller/incidents/batch-acknowledge'

  test('acknowledges across teams and returns a result for each', async () => {
    const reseller = await given.reseller({ scopes: ['incidents:write'] })
    const [one, two] = [await given.team(reseller), await given.team(reseller)]
    const fresh = await anIncident(one)
    const other = await anIncident(two)
    const over = await anIncident(one, { startedAt: minutesAgo(9), resolvedAt: minutesAgo(1) })
    const foreign = await anIncident(await given.team(await given.reseller()))
    await two.post(`/incidents/${other}/acknowledge`)
    const { status, body } = await reseller.post(path, {
      incident_ids: [fresh, other, over, foreign, fresh.toUpperCase()],
    })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      acknowledged: 1,
      results: [
        { incident_id: fresh, result: 'acknowledged' },
        { incident_id: other, result: 'already_acknowledged' },
        { incident_id: over, result: 'resolved' },
        { incident_id: foreign, result: 'not_found' },
      ],
    })
    expect((await one.get(`/incidents/${fresh}`)).body.data.acknowledged_by).toBe(reseller.userId)
    expect(await app.audited(one)).toEqual(['incident.acknowledged'])
    expect((await reseller.post(path, { incident_ids: [fresh] })).body.data.acknowledged).toBe(0)
  })

  test('accepts one to a hundred ids', async () => {
    const reseller = await given.reseller()
    const many = Array.from({ length: 101 }, () => crypto.randomUUID())
    expect((await reseller.post(path, { incident_ids: many.slice(1) })).body.data.results).toHaveLength(100)
    for (const refused of [
      { incident_ids: many },
      { incident_ids: [] },
      {},
      { incident_ids: ['1'] },
      { incident_ids: many[0] },
    ])
      expect((await reseller.post(path, refused)).status).toBe(422)
  })

  test('is for reseller tokens with the scope', async () => {
    const reseller = await given.reseller({ scopes: ['incidents:read'] })
    const ids = { incident_ids: [crypto.randomUUID()] }
    expect((await reseller.post(path, ids)).status).toBe(403)
    expect((await (await given.tenant()).post(path, ids)).status).toBe(403)
    expect((await (await given.token(reseller, 'sk', ['incidents:write'])).post(path, ids)).status).toBe(403)
  })

  test('does not find incidents of a deleted team', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const id = await anIncident(team)
    await app.services.platform.query('update managed_teams set deleted_at = now() where id = $1', [team.id])
    expect((await reseller.post(path, { incident_ids: [id] })).body.data.results).toEqual([
      { incident_id: id, result: 'not_found' },
    ])
  })
})
