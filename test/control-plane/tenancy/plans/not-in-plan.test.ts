import { expect, test } from 'vitest'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { given } from '#test/support/app.ts'

const shop = { name: 'Shop', url: 'https://shop.example.com/' }

test('what a plan does not include is refused in one shape, whatever asks for it', async () => {
  const reseller = await given.reseller()
  const team = await given.team(reseller, { plan: 'free' })
  const admin = await given.colleague(team, 'admin')
  const { id } = await aMonitor(team)
  const slack = { name: 'Chat', type: 'slack', config: { webhook_url: 'https://hooks.slack.com/services/x' } }
  const smtp = { host: 'mail.example.com', port: 587, encryption: 'tls' }
  const profile = { name: 'Small', plan: 'free', branding: { hide_powered_by: true } }
  const lighthouse = { ...shop, checks: [{ type: 'uptime' }, { type: 'lighthouse' }] }
  const readOnly = await given.team(reseller, { plan: 'free', overrides: { api_access: 'read' } })
  const key = await given.token(readOnly, 'svc', ['monitors:manage'])
  for (const [feature, field, { status, body }] of [
    ['site_crawls', null, await team.post(`/monitors/${id}/crawl-runs`)],
    ['geo_audits', null, await team.post(`/monitors/${id}/geo-audits`)],
    ['web_vitals', null, await team.post(`/monitors/${id}/web-vitals`)],
    ['server_monitoring', null, await team.post('/agent-monitors', { name: 'Server' })],
    ['notification_channels', 'type', await team.post('/notification-channels', slack)],
    ['lighthouse_audits', 'type', await team.post(`/monitors/${id}/checks`, { type: 'lighthouse' })],
    ['lighthouse_audits', 'checks.1.type', await team.post('/monitors', lighthouse)],
    [
      'lighthouse_audits',
      'monitors.1.checks.1.type',
      await team.post('/monitors/bulk', { monitors: [shop, lighthouse] }),
    ],
    ['white_label_branding', 'hide_powered_by', await admin.patch('/branding', { hide_powered_by: true })],
    [
      'white_label_branding',
      'branding.hide_powered_by',
      await reseller.post('/reseller/provisioning-profiles', profile),
    ],
    ['custom_smtp', null, await admin.patch('/smtp-config', smtp)],
    ['api_access', null, await key.post('/monitors', shop)],
  ] as const) {
    expect([status, body.code, body.quota, body.plan], body.message).toEqual([403, 'not_in_plan', feature, 'free'])
    expect(body.errors).toEqual(field === null ? undefined : { [field]: [body.message] })
  }
  expect((await team.get('/monitors')).body.meta.total).toBe(1)
})

test('a limit that is reached stays 422, and so does what is wrong besides', async () => {
  const team = await given.tenant({ plan: 'free', overrides: { monitors: 1 } })
  await team.post('/monitors', shop)
  expect((await team.post('/monitors', shop)).body).toMatchObject({
    code: 'plan_limit',
    quota: 'monitors',
    current: 1,
    limit: 1,
  })
  const other = await given.tenant({ plan: 'free' })
  const refused = await other.post('/monitors', { ...shop, check_interval: 5, checks: [{ type: 'lighthouse' }] })
  expect([refused.status, refused.body.code, Object.keys(refused.body.errors)]).toEqual([
    422,
    'invalid',
    ['check_interval'],
  ])
})
