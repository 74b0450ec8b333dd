import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { serverAgentPaths } from '#contract/server-agent.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

let tenant: CallerUnderTest
beforeAll(async () => {
  tenant = await given.tenant()
})

const sendMetrics = (token: string, ...samples: object[]) =>
  fetch(app.baseUrl + serverAgentPaths.metrics, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'X-Forwarded-For': tenant.ip },
    body: JSON.stringify({ batch: randomUUID(), samples }),
  })

describe('agent monitors', () => {
  test('are created with a token that is shown once, and are listed as monitors', async () => {
    const made = await tenant.post('/agent-monitors', { name: 'Web 1 (Köln)', tags: ['web'], no_data_after_minutes: 5 })
    expect(made.status, made.text).toBe(201)
    const { data, plain_text_token: token, install } = made.body
    expect(token).toMatch(/^am-/)
    expect(data).toMatchObject({
      name: 'Web 1 (Köln)',
      tags: ['web'],
      status: null,
      no_data_after_minutes: 5,
      host: null,
      last_heard_at: null,
      severity: 'critical',
    })
    expect(data.thresholds.map((threshold: { metric: string }) => threshold.metric)).toEqual(['cpu', 'memory', 'disk'])
    expect(data.token.masked).toBe(`am-********${token.slice(-4)}`)
    for (const text of [install.command, install.environment]) expect(text).toContain(token)
    expect(install.systemd_unit).toContain('ExecStart=')
    expect(install.systemd_unit).not.toContain(token)

    const read = await tenant.get(`/agent-monitors/${data.id}`)
    expect(read.text).not.toContain(token)
    expect(read.body.data).toEqual(data)
    const monitor = (await tenant.get(`/monitors/${data.id}`)).body.data
    expect(monitor).toMatchObject({
      type: 'agent',
      url: 'agent://web-1-koln',
      checks: [{ type: 'agent', status: null }],
      next_check_at: null,
    })
    expect((await tenant.get('/monitors?check_type=agent')).body.data.map((row: { id: string }) => row.id)).toContain(
      data.id,
    )
    expect(await app.emitted(tenant)).toContain('monitor.created')
  })

  test('are updated, listed and deleted', async () => {
    const { id } = (await tenant.post('/agent-monitors', { name: 'db-1', tags: ['db'] })).body.data
    const changed = await tenant.patch(`/agent-monitors/${id}`, {
      name: 'db-2',
      thresholds: [{ metric: 'load', above: 8, severity: 'critical' }],
      no_data_after_minutes: null,
      severity: 'minor',
    })
    expect(changed.body.data).toMatchObject({
      name: 'db-2',
      no_data_after_minutes: null,
      severity: 'minor',
      thresholds: [{ metric: 'load', label: null, above: 8, for_minutes: 5 }],
    })
    expect((await tenant.patch(`/agent-monitors/${id}`, { notes: 'x' })).body.data.thresholds).toHaveLength(1)
    const off = (await tenant.patch(`/agent-monitors/${id}`, { is_enabled: false })).body.data
    expect(off).toMatchObject({ status: 'paused', status_reason: 'Disabled.' })
    const {
      thresholds: _,
      no_data_after_minutes: __,
      severity: ___,
      host: ____,
      last_heard_at: _____,
      token: ______,
      ...own
    } = off
    expect((await tenant.get(`/monitors/${id}`)).body.data).toMatchObject(own)
    expect((await tenant.get('/agent-monitors?tag=db&search=db-2')).body).toMatchObject({
      meta: { total: 1 },
      data: [{ id }],
    })
    expect((await tenant.get('/agent-monitors?status=down')).body.meta.total).toBe(0)
    const refused = await tenant.patch(`/agent-monitors/${id}`, { thresholds: [{ metric: 'cpu', above: 120 }] })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['thresholds.0.above']])
    expect((await tenant.patch(`/monitors/${id}`, { url: 'file:///etc/passwd' })).status).toBe(422)

    expect((await tenant.delete(`/agent-monitors/${id}`)).status).toBe(204)
    expect((await tenant.get(`/agent-monitors/${id}`)).status).toBe(404)
    const { rows } = await app.services.platform.query('select 1 from agent_tokens where monitor_id = $1', [id])
    expect(rows).toEqual([])
    const website = (await tenant.post('/monitors', { name: 'Site', url: 'https://example.com/' })).body.data
    for (const path of [`/agent-monitors/${website.id}`, `/monitors/${website.id}/agent`])
      expect((await tenant.get(path)).status, path).toBe(404)
    expect((await tenant.get(`/monitors/${website.id}/agent`)).body).toMatchObject({
      code: 'no_such_check',
      message: 'This monitor has no agent check.',
    })
  })

  test('have the only checks of kind agent', async () => {
    const website = (await tenant.post('/monitors', { name: 'Site', url: 'https://example.com/' })).body.data
    for (const answer of [
      await tenant.post(`/monitors/${website.id}/checks`, { type: 'agent' }),
      await tenant.post('/monitors', { name: 'x', url: 'https://example.com/', checks: [{ type: 'agent' }] }),
      await tenant.post('/monitors', { name: 'x', url: 'https://example.com/', type: 'agent' }),
    ])
      expect(answer.status, answer.text).toBe(422)
    expect(
      (await tenant.post('/monitors', { name: 'x', url: 'https://example.com/', type: 'agent' })).body.errors,
    ).toEqual({
      type: ['Monitors of type agent are made by POST /agent-monitors.'],
    })
  })

  test('are accessible to the reseller of the team, not to other resellers', async () => {
    const reseller = await given.reseller()
    const [team, other] = [await given.team(reseller), await given.team(await given.reseller())]
    const made = await reseller.post(`${team.path}/agent-monitors`, { name: 'of a team' })
    expect(made.status, made.text).toBe(201)
    const { id } = made.body.data
    expect((await sendMetrics(made.body.plain_text_token, { at: Date.now(), metrics: { cpu: 5 } })).status).toBe(200)
    for (const path of [`/agent-monitors/${id}`, `/agent-monitors/${id}/metrics`, `/monitors/${id}/agent`]) {
      expect((await reseller.get(team.path + path)).status, path).toBe(200)
      expect((await team.get(path)).status, path).toBe(200)
      expect((await other.get(path)).status, path).toBe(404)
    }
    expect((await reseller.post(`${team.path}/agent-monitors/${id}/rotate-token`)).status).toBe(201)
    expect((await other.post(`/agent-monitors/${id}/rotate-token`)).status).toBe(404)
    expect((await reseller.delete(`${team.path}/agent-monitors/${id}`)).status).toBe(204)
  })
})

describe('the plan of a team', () => {
  test('without server monitoring refuses agent monitors', async () => {
    const poor = await given.tenant({ plan: 'free' })
    const { status, body } = await poor.post('/agent-monitors', { name: 'x' })
    expect([status, body.code, body.quota]).toEqual([403, 'not_in_plan', 'server_monitoring'])
  })

  test('limits agent monitors, also of concurrent requests, and notifies the reseller', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { overrides: { agent_limit: 3 } })
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => team.post('/agent-monitors', { name: `web-${i}` })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 201, 422, 422, 422])
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      code: 'plan_limit',
      quota: 'agent_limit',
      current: 3,
      limit: 3,
    })
    const events = await app.emitted(team)
    expect(events.filter(name => name.startsWith('tenant.quota')).toSorted()).toEqual([
      'tenant.quota_exceeded',
      'tenant.quota_warning',
    ])
    expect((await team.get('/plan')).body.data.usage.agent_limit).toBe(3)
  })

  test('limits monitors, agent monitors included', async () => {
    const small = await given.tenant({ overrides: { monitors: 1 } })
    expect((await small.post('/agent-monitors', { name: 'a' })).status).toBe(201)
    expect((await small.post('/agent-monitors', { name: 'b' })).body).toMatchObject({ quota: 'monitors' })
    expect((await small.post('/monitors', { name: 'c', url: 'https://example.com/' })).body).toMatchObject({
      quota: 'monitors',
    })
  })
})

describe('metrics of a server over time', () => {
  test('are means and highest values of buckets, with limits', async () => {
    const { data, plain_text_token: token } = (await tenant.post('/agent-monitors', { name: 'charts' })).body
    const start = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3_600_000 // read raw: hours before it are computed
    const samples = Array.from({ length: 60 }, (_, i) => ({
      at: start + i * 60_000,
      metrics: { cpu: { c0: i, c1: i + 20 }, disk: { '/': 50, '/srv': i } },
    }))
    expect((await sendMetrics(token, ...samples)).status).toBe(200)
    const read = async (query: string) =>
      (await tenant.get(`/agent-monitors/${data.id}/metrics?from=${new Date(start).toISOString()}&${query}`)).body
    const hours = await read('resolution=hour&metrics=cpu,disk')
    expect(hours.data).toEqual([
      { metric: 'cpu', unit: 'percent', label: null, points: [{ at: expect.any(String), mean: 39.5, highest: 79 }] },
      { metric: 'disk', unit: 'percent', label: '/', points: [{ at: expect.any(String), mean: 50, highest: 50 }] },
      { metric: 'disk', unit: 'percent', label: '/srv', points: [{ at: expect.any(String), mean: 29.5, highest: 59 }] },
    ])
    expect((await read('resolution=five_minutes&metrics=disk')).data[1].points).toHaveLength(12)
    expect((await read('resolution=minute&metrics=cpu')).data[0].points[59]).toMatchObject({ mean: 69, highest: 79 })
    expect((await read('metrics=load')).data).toEqual([])
    const old = `/agent-monitors/${data.id}/metrics?from=2026-01-01`
    for (const query of ['resolution=minute', 'metrics=mood', 'resolution=week', 'to=2025-01-01'])
      expect((await tenant.get(`${old}&${query}`)).status, query).toBe(422)
  })
})

describe('the agent program', () => {
  test('is one file, served without authentication and with an ETag', async () => {
    const stranger = given.stranger()
    const first = await stranger.get(serverAgentPaths.program)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toContain('text/javascript')
    expect(first.text.startsWith('#!/usr/bin/env node')).toBe(true)
    expect(first.text.length).toBeLessThan(500_000)
    for (const [, from] of first.text.matchAll(/from"([^"]+)"/g)) expect(from).toMatch(/^node:/)
    const again = await stranger.get(serverAgentPaths.program, {
      headers: { 'If-None-Match': first.headers.get('etag') ?? '' },
    })
    expect([again.status, again.text]).toEqual([304, ''])
  })
})
