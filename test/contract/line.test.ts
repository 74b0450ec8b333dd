import { describe, expect, test } from 'vitest'
import { line, plainText, text } from '#contract/line.ts'
import { fieldErrors } from '#control-plane/http/field-errors.ts'
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

const zalgo = `a${'\u0300'.repeat(60)}`
const unseen = [
  ['zero width space', 'Shop\u200b', 'U+200B'],
  ['word joiner', 'Sh\u2060op', 'U+2060'],
  ['byte order mark', '\ufeffShop', 'U+FEFF'],
  ['soft hyphen', 'Sh\u00adop', 'U+00AD'],
  ['tags', 'Shop\u{e0053}\u{e0068}', 'U+E0053'],
  ['tags after a flag that is none', '🏴\u{e0053}\u{e007f}', 'U+E0053'],
  ['Hangul filler', '\u3164', 'U+3164'],
  ['joiner between Latin letters', 'Sh\u200dop', 'U+200D'],
  ['joiner at the end', 'متجر\u200c', 'U+200C'],
  ['joiners', 'متجر\u200c\u200cمتجر', 'U+200C'],
  ['sixty marks', zalgo, 'U+0300'],
] as const
const scripts = [
  'می\u200cخواهم',
  'क्\u200dष',
  'ที่นี่',
  'བསྒྲུབས',
  'Tiếng Việt',
  '1️⃣ ❤️ 👨‍👩‍👧‍👦 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 🏳️‍🌈',
  'שָׁלוֹם\u200f',
]

test.each(unseen)('a text with a %s is refused, and named by its code', (_, given, code) => {
  const { error } = line(100).safeParse(given)
  expect(fieldErrors(error!).body?.map(String)).toEqual([`Must not have characters that are not seen (${code}).`])
  const isSoft = code === 'U+00AD'
  expect(text(100).safeParse(`One\n${given}\ntwo`).success).toBe(isSoft)
  expect(text(100).safeParse(plainText(`One\n${given}\ntwo`)).success).toBe(true)
})

test.each(scripts)('%s is seen', given => {
  expect(line(100).parse(given)).toBe(given)
  expect(text(100).parse(`${given}\n\t${given}`)).toBe(`${given}\n\t${given}`)
  expect(plainText(given)).toBe(given.replaceAll(/🏴[\u{e0000}-\u{e007f}]+/gu, '🏴'))
})

test.each(['a\u202eb', 'a\u2066b', 'a\u0007b', 'a\u0085b'])('%j is no text of many lines', given => {
  expect(text(100).safeParse(`One\n${given}`).success).toBe(false)
  expect(plainText(`One\n${given}`)).toBe('One\nab')
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

  test('is refused for whatever has a text of many lines, as are characters that are not seen', async () => {
    const team = await given.tenant()
    const monitor = await aMonitor(team)
    const incident = await anIncident(team)
    const { body: page } = await team.post('/status-pages', { name: 'Page', slug: `p-${crypto.randomUUID()}` })
    const path = `/status-pages/${page.data.id}`
    const post = { title: 'Down', body: 'We are working on it.' }
    const { body: made } = await team.post(`${path}/posts`, post)
    const window = {
      title: 'W',
      scope: { all: true },
      starts_at: '2120-01-01T00:00',
      timezone: 'UTC',
      duration_minutes: 5,
    }
    for (const bad of ['One\ntwo \u202egnp.exe', 'One\ntwo\u200b', 'One\ntwo \u{e0053}', `One\n${zalgo}`])
      for (const [field, { status, body }] of [
        ['notes', await team.patch(`/monitors/${monitor.id}`, { notes: bad })],
        ['body', await team.post(`/incidents/${incident}/updates`, { status: 'investigating', body: bad })],
        ['message', await team.post(`/incidents/${incident}/resolve`, { message: bad })],
        ['description', await team.post('/maintenance-windows', { ...window, description: bad })],
        ['description', await team.patch(path, { description: bad })],
        ['texts.en.announcement', await team.patch(path, { texts: { en: { announcement: bad } } })],
        ['texts.de.footer', await team.patch(path, { texts: { de: { footer: bad } } })],
        ['body', await team.post(`${path}/posts`, { ...post, body: bad })],
        ['body', await team.put(`${path}/posts/${made.data.id}/postmortem`, { body: bad, is_published: true })],
        ['body', await team.post('/status-page-templates', { name: 'T', phase: 'resolved', body: bad })],
        [
          'description',
          await team.post(`${path}/components`, {
            type: 'monitor',
            monitor_id: monitor.id,
            name: 'C',
            description: bad,
          }),
        ],
      ] as const)
        expect([status, Object.keys(body.errors ?? {})], `${field} ${JSON.stringify(body)}`).toEqual([422, [field]])
    for (const good of ['One\r\n\ttwo — «three» 👩‍💻', 'سلام\nمی\u200cخواهم'])
      expect((await team.patch(path, { description: good })).status).toBe(200)
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
