import { describe, expect, test } from 'vitest'
import { line } from '#control-plane/base/line.ts'
import { aMonitor, anIncident } from '#test/control-plane/monitoring/monitored.ts'
import { given } from '#test/support/app.ts'

const misleading = [
  'a\nb',
  'a\r\nb',
  'tab\there',
  'bell\u0007',
  'end\n',
  '\u0085next',
  'line\u2028sep',
  'para\u2029sep',
  'rtl\u202egnp.exe',
  '\u2066isolate\u2069',
]
const fine = ['Café Größe', '商店', 'متجر', 'Shop 🛒 👩‍💻', 'a\u200fb', 'x'.repeat(50)]

test.each(misleading)('%j is no line of text', text => {
  expect(
    line(50)
      .safeParse(text)
      .error?.issues.map(({ message }) => message),
  ).toEqual(['Must be one line of text, without control characters.'])
})

test.each(fine)('%j is a line of text', text => {
  expect(line(50).parse(` ${text}  `)).toBe(text)
})

test('a line has its bounds after it is trimmed', () => {
  expect(line(3).safeParse('  abc ').success).toBe(true)
  expect(line(3).safeParse('abcd').success).toBe(false)
  expect(line(3).safeParse('   ').success).toBe(false)
  expect(line(3, 0).parse('   ')).toBe('')
})

describe('a name that would break or turn the line it is shown in', () => {
  const url = 'https://shop.example.com/'

  test('is refused for whatever has a name', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const monitor = await aMonitor(team)
    const incident = await anIncident(team)
    const bad = 'Shop\u202e\n'
    const webhook = { name: 'Hook', type: 'webhook', config: { url } }
    const template = { name: 'T', monitors: [{ name_template: 'Shop', url_template: url }] }
    const path = '/reseller/managed-teams'
    for (const [field, { status, body }] of [
      ['name', await team.post('/monitors', { name: bad, url })],
      ['group', await team.post('/monitors', { name: 'Shop', url, group: bad })],
      ['external_ref', await team.post('/monitors', { name: 'Shop', url, external_ref: bad })],
      ['tags.0', await team.post('/monitors', { name: 'Shop', url, tags: [bad] })],
      ['name', await team.patch(`/monitors/${monitor.id}`, { name: bad })],
      ['monitors.0.name', await team.post('/monitors/bulk', { monitors: [{ name: bad, url }] })],
      ['name', await team.post('/cron-monitors', { name: bad, period_minutes: 5 })],
      ['name', await team.post('/agent-monitors', { name: bad })],
      ['reason', await team.post(`/checks/${monitor.check}/snooze`, { minutes: 5, reason: bad })],
      ['title', await team.patch(`/incidents/${incident}`, { title: bad })],
      ['name', await team.post('/notification-channels', { ...webhook, name: bad })],
      ['name', await team.post('/api-keys', { name: bad, scopes: ['monitors:read'] })],
      ['name', await team.post('/api-tokens', { name: bad, scopes: ['monitors:read'] })],
      ['name', await team.patch('/profile', { name: bad })],
      ['brand_name', await team.patch('/branding', { brand_name: bad })],
      ['from_name', await team.patch('/smtp-config', { from_name: bad })],
      ['name', await reseller.post(path, { name: bad, slug: `t-${crypto.randomUUID()}` })],
      ['label', await reseller.post(path, { name: 'Acme', slug: `t-${crypto.randomUUID()}`, label: bad })],
      [
        'external_ref',
        await reseller.post(path, { name: 'Acme', slug: `t-${crypto.randomUUID()}`, external_ref: bad }),
      ],
      ['admin_name', await reseller.post(path, { name: 'Acme', slug: `t-${crypto.randomUUID()}`, admin_name: bad })],
      ['name', await reseller.patch(team.path, { name: bad })],
      ['reason', await reseller.post(`${team.path}/pause`, { reason: bad })],
      ['label', await reseller.post(`${team.path}/impersonation-tokens`, { label: bad })],
      ['name', await reseller.post('/reseller/webhooks', { name: bad, url, events: ['incident.created'] })],
      ['name', await reseller.post('/reseller/monitor-templates', { ...template, name: bad })],
      [
        'monitors.0.name_template',
        await reseller.post('/reseller/monitor-templates', {
          name: 'T',
          monitors: [{ name_template: bad, url_template: url }],
        }),
      ],
      ['name', await reseller.post('/reseller/provisioning-profiles', { name: bad })],
      ['name', await reseller.post('/reseller/tokens', { name: bad, scopes: ['teams:read'] })],
      [
        'device_name',
        await given.stranger().post('/auth/token', { email: 'a@b.example', password: 'x', device_name: bad }),
      ],
    ] as const) {
      expect([status, body.errors?.[field]], `${field}: ${body.message}`).toEqual([
        422,
        ['Must be one line of text, without control characters.'],
      ])
    }
  })

  test('is refused as well where a template makes it of a value', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const template = {
      name: 'T',
      variables: [{ name: 'shop' }],
      monitors: [{ name_template: 'Shop {{shop}}', url_template: url }],
    }
    const { body } = await reseller.post('/reseller/monitor-templates', template)
    const applied = await reseller.post(`${team.path}/apply-template`, {
      template_id: body.data.id,
      variables: { shop: 'a\nb' },
    })
    expect([applied.status, Object.keys(applied.body.errors)]).toEqual([422, ['monitors.0.name']])
  })
})
