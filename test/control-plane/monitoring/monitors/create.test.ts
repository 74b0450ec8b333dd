import { describe, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'

const shop = { name: 'Shop', url: 'https://shop.example.com/' }

describe('POST /monitors', () => {
  test('creates a monitor with one uptime check, tells it and notes it', async () => {
    const team = await given.tenant()
    const { status, body } = await team.post('/monitors', shop)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      ...shop,
      type: 'website',
      tags: [],
      group: null,
      notes: null,
      is_enabled: true,
      held_by_plan: false,
      status: null,
      status_reason: null,
      status_changed_at: null,
      coverage: 'none',
      check_interval: 60,
      timeout: 10,
      regions: [],
      region_policy: { mode: 'majority', count: null },
      confirmations: 2,
      recovery_confirmations: 2,
      depends_on: [],
      external_ref: null,
      metadata: {},
      last_checked_at: null,
      next_check_at: null,
    })
    expect(body.data.checks).toMatchObject([{ type: 'uptime', is_enabled: true, severity: 'critical', status: null, coverage: 'none', snoozed_until: null }])
    expect(body.data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    expect(await app.emitted(team)).toEqual(['monitor.created'])
    expect(await app.audited(team)).toEqual(['monitor.created'])
    expect((await team.get(`/monitors/${body.data.id}`)).body).toEqual(body)
  })
})
