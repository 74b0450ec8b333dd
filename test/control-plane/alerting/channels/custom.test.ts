import { describe, expect, test } from 'vitest'
import { canonicalName, subscribable } from '#contract/events.ts'
import { complete } from '#control-plane/alerting/channels/kinds/custom/complete.ts'
import { type PresetName, presetNames, presets } from '#control-plane/alerting/channels/kinds/custom/presets.ts'
import { kinds } from '#control-plane/alerting/channels/kinds/index.ts'
import type { Message } from '#control-plane/alerting/channels/kinds/kind.ts'
import { app, given } from '#test/support/app.ts'
import { blockedBy, mostBlockedMs } from '#test/support/loop.ts'
import { example, sending } from './messages.ts'

const configured: Record<PresetName, Record<string, unknown>> = {
  ntfy: { fields: { topic: 'ops', token: 'tk_1' } },
  pushover: { fields: { token: 'apptoken', user: 'userkey' } },
  mattermost: { url: 'https://mattermost.example.com/hooks/x' },
  google_chat: { url: 'https://chat.googleapis.example.com/v1/spaces/A/messages?key=k&token=t' },
  opsgenie: { url: 'https://api.eu.opsgenie.example.com', fields: { api_key: 'key' } },
  twilio_sms: { fields: { account_sid: 'AC1', auth_token: 'secret', from: '+4930111', to: '+4930222' } },
  sms_gateway: { url: 'https://sms.example.com/send', fields: { to: '+4930222' } },
}
const presetConfig = (preset: PresetName) => complete({ preset, ...configured[preset] })
async function write(config: Record<string, unknown>, message: Message) {
  const outgoing = await kinds.custom.write(message, kinds.custom.config.parse(config) as never, sending)
  if (!('url' in outgoing)) throw new Error('No request is written.')
  return outgoing
}
const validated = async (config: Record<string, unknown>): Promise<Record<string, string[]>> =>
  (await kinds.custom.validate?.(kinds.custom.config.parse(config) as never, sending.templating)) ?? {}
const shown = ({ method, url, headers, body }: Awaited<ReturnType<typeof write>>) =>
  [
    `${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    headers['Content-Type'] === 'application/json' ? JSON.stringify(JSON.parse(body), null, 2) : body,
  ].join('\n')

describe('presets of custom channels', () => {
  const messages = {
    opened: example('incident.created'),
    resolved: example('incident.resolved'),
    warning: example('warning.ssl_expiring'),
    test: example('incident.created', { test: true }),
  }
  for (const preset of presetNames)
    test.each(Object.entries(messages))(`${preset}: %s`, async (name, message) => {
      await expect(`${shown(await write(presetConfig(preset), message))}\n`).toMatchFileSnapshot(
        `golden/custom-${preset}-${name}.txt`,
      )
    })

  test('every preset writes every event, also with names that a text without a filter would break', async () => {
    const hostile = '"Shop" \\ </b> @all <users/all> \r\nBcc: x $%7B {{ fields.token }} 🦊'
    for (const preset of presetNames)
      for (const event of subscribable)
        for (const more of [{}, { monitor_name: hostile, title: hostile, cause: hostile, tenant_name: hostile }]) {
          const { headers, body, url } = await write(presetConfig(preset), example(event, more))
          expect(URL.canParse(url), `${preset} ${event}`).toBe(true)
          if (headers['Content-Type'] === 'application/json')
            expect(() => JSON.parse(body), `${preset} ${event}`).not.toThrow()
          expect(body).not.toContain('{{ title')
          for (const value of Object.values(headers)) expect(value).not.toMatch(/[\r\n]/)
        }
  })

  test('the end of an alert has the key of its begin', async () => {
    const [begin, end] = await Promise.all(
      ['incident.created', 'incident.resolved'].map(event => write(presetConfig('opsgenie'), example(event))),
    )
    const { alias } = JSON.parse(begin!.body)
    expect(end!.url).toBe(`https://api.eu.opsgenie.example.com/v2/alerts/${alias}/close?identifierType=alias`)
    expect(canonicalName('incident.resolved')).toBe('incident.resolved')
  })
})

const channel = (config: Record<string, unknown>) => ({ name: 'Phone', type: 'custom', config })
const hook = { url: 'https://hooks.example.com/in' }

describe('/notification-channels of type custom', () => {
  test('a preset with its fields makes a channel; nothing of its secrets is shown', async () => {
    const owner = await given.tenant()
    const { body: listed } = await owner.get('/notification-channels/presets')
    expect(listed.data.map(({ preset }: { preset: string }) => preset)).toEqual([...presetNames])
    const made = await owner.post(
      '/notification-channels',
      channel({ preset: 'ntfy', fields: { topic: 'ops', token: 'tk_hush' } }),
    )
    expect(made.status).toBe(201)
    expect(made.text).not.toMatch(/tk_hush/)
    expect(made.body.data.config).toMatchObject({
      preset: 'ntfy',
      url: '********',
      method: 'POST',
      headers: { Authorization: '********' },
      fields: { topic: '********', token: '********' },
      body_template: presets.ntfy.body_template,
    })
    const { rows } = await app.services.platform.query<{ row: string }>(
      'select c::text as row from notification_channels c where id = $1',
      [made.body.data.id],
    )
    expect(rows[0]?.row).not.toMatch(/tk_hush|ntfy\.sh/)
  })

  test.each<[what: string, config: Record<string, unknown>, field: string]>([
    ['no address', {}, 'config.url'],
    ['a template in the host', { url: 'https://{{ title }}.example.com/' }, 'config.url'],
    ['a template after the host without a slash', { url: 'https://example.com{{ title }}' }, 'config.url'],
    ['a private address', { url: 'http://127.0.0.1/{{ title }}' }, 'config.url'],
    ['another scheme', { url: 'file:///etc/passwd' }, 'config.url'],
    ['an unknown preset', { ...hook, preset: 'carrier_pigeon' }, 'config.preset'],
    ['a preset without a field', { preset: 'ntfy' }, 'config.fields.topic'],
    ['a preset without its address', { preset: 'mattermost' }, 'config.url'],
    ['another method', { ...hook, method: 'DELETE' }, 'config.method'],
    ['the header Host', { ...hook, headers: { Host: 'a.example' } }, 'config.headers'],
    ['the length of the content', { ...hook, headers: { 'content-length': '1' } }, 'config.headers'],
    ['a hop-by-hop header', { ...hook, headers: { 'Transfer-Encoding': 'chunked' } }, 'config.headers'],
    ['a header name with a line break', { ...hook, headers: { 'A\r\nB': 'x' } }, 'config.headers'],
    ['a header twice', { ...hook, headers: { 'X-A': '1', 'x-a': '2' } }, 'config.headers'],
    ['an unknown tag', { ...hook, body_template: '\n{% include "x" %}' }, 'config.body_template'],
    ['a file', { ...hook, body_template: '{% render "/etc/passwd" %}' }, 'config.body_template'],
    ['an unknown filter', { ...hook, body_template: '{{ title | date: "%999999999Y" }}' }, 'config.body_template'],
    ['an unknown value', { ...hook, body_template: '{{ titel | json }}' }, 'config.body_template'],
    ['an unclosed tag', { ...hook, body_template: '{% if title %}' }, 'config.body_template'],
    ['no JSON', { ...hook, body_template: '{"a": ' }, 'config.body_template'],
    ['a text without the filter json', { ...hook, body_template: '{"a":\n"{{ title }}"}' }, 'config.body_template'],
    ['a body of a GET request', { ...hook, method: 'GET', body_template: '{}' }, 'config.body_template'],
    ['a field that is not given', { ...hook, body_template: '{{ fields.key | json }}' }, 'config.fields.key'],
    ['a template in a header', { ...hook, headers: { 'X-A': '{% x %}' } }, 'config.headers.X-A'],
    ['a template that is too long', { ...hook, body_template: 'x'.repeat(16_001) }, 'config.body_template'],
    ['a masked field that is not stored', { ...hook, fields: { a: '********' } }, 'config.fields'],
    ['a content type with a line break', { ...hook, content_type: 'text/plain\r\nX: y' }, 'config.content_type'],
  ])('refuses %s', async (_, config, field) => {
    const owner = await given.tenant()
    const { status, body } = await owner.post('/notification-channels', channel(config))
    expect(
      [status, Object.keys(body.errors ?? {}).some(name => name === field || name.startsWith(`${field}.`))],
      JSON.stringify(body),
    ).toEqual([422, true])
  })

  test('a refusal names the line', async () => {
    const owner = await given.tenant()
    const errorOf = async (body_template: string) =>
      (await owner.post('/notification-channels', channel({ ...hook, body_template }))).body.errors[
        'config.body_template'
      ][0]
    expect(await errorOf('{\n"a":\n{% oops %}}')).toMatch(/^Line 3: /)
    expect(await errorOf('{\n"a": "x"\n"b": 1}')).toMatch(/line 3/)
  })

  test('limits at their edge', async () => {
    const owner = await given.tenant()
    const long = `{"a":"${'x'.repeat(16_000 - 8)}"}`
    const headers = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`X-${index}`, 'v']))
    expect(
      (await owner.post('/notification-channels', channel({ ...hook, body_template: long, headers }))).status,
    ).toBe(201)
    const { status, body } = await owner.post(
      '/notification-channels',
      channel({ ...hook, headers: { ...headers, 'X-20': 'v' } }),
    )
    expect([status, Object.keys(body.errors)]).toEqual([422, ['config.headers']])
  })

  test('masked values stay, others change, and none goes to another host', async () => {
    const owner = await given.tenant()
    const first = { ...hook, headers: { 'X-Key': 'one', 'X-Other': 'two' }, fields: { a: 'x' } }
    const { id } = (await owner.post('/notification-channels', channel(first))).body.data
    const kept = await owner.patch(`/notification-channels/${id}`, {
      config: { headers: { 'X-Key': '********', 'X-New': 'three' } },
    })
    expect(kept.body.data.config.headers).toEqual({ 'X-Key': '********', 'X-New': '********' })
    const moved = await owner.patch(`/notification-channels/${id}`, { config: { url: 'https://evil.example.com/' } })
    expect([moved.status, Object.keys(moved.body.errors).sort()]).toEqual([422, ['config.fields', 'config.headers']])
    const sent = { url: 'https://other.example.com/', headers: { 'X-Key': 'new' }, fields: {} }
    expect((await owner.patch(`/notification-channels/${id}`, { config: sent })).status).toBe(200)
  })

  test('the plan without chat has none', async () => {
    const owner = await given.tenant({ plan: 'free' })
    const { status, body } = await owner.post('/notification-channels', channel(hook))
    expect([status, Object.keys(body.errors)]).toEqual([403, ['type']])
  })
})

describe('templates of customers are bounded', () => {
  const loops = (depth: number, inner: string) =>
    `${'{% for i in (1..1000) %}'.repeat(depth)}${inner}${'{% endfor %}'.repeat(depth)}`
  const doubled = `{% assign a = "xxxxxxxxxxxxxxxx" %}${'{% assign a = a | append: a %}'.repeat(40)}{{ a }}`
  test.each([
    ['a loop of a thousand million', '{% for i in (1..1000000000) %}x{% endfor %}'],
    ['nested loops', loops(3, 'x')],
    ['nested loops without a body', loops(3, '')],
    ['nested loops over rows', `${'{% for d in details %}'.repeat(12)}x${'{% endfor %}'.repeat(12)}`],
    ['a text that doubles', doubled],
    ['replacing', `{% assign a = "${'x'.repeat(2_000)}" %}{{ a | replace: "x", a | replace: "x", a }}`],
    [
      'splitting',
      `{% assign a = "${'x'.repeat(2_000)}" %}${'{% assign a = a | split: "" | join: a %}'.repeat(5)}{{ a }}`,
    ],
    ['a large result', `{% for i in (1..1900) %}${'x'.repeat(100)}{% endfor %}`],
    ['deep nesting', `${'{% if true %}'.repeat(800)}x`],
  ])('%s is refused', async (_, body_template) => {
    const config = { ...hook, content_type: 'text/plain', body_template }
    expect(await validated(config)).toHaveProperty('body_template')
  })

  test('templates see the message and their channel alone', async () => {
    const names = ['constructor', '__proto__', 'process', 'globalThis', 'title.constructor', 'payload.__proto__']
    for (const name of names) {
      const config = { ...hook, content_type: 'text/plain', body_template: `[{{ ${name} }}]` }
      const errors = await validated(config)
      if (errors.body_template === undefined) expect((await write(config, example('incident.created'))).body).toBe('[]')
    }
    // values are never read as templates
    const named = example('incident.created', { monitor_name: '{{ fields.key }}' })
    const { body } = await write(
      { ...hook, content_type: 'text/plain', body_template: '{{ monitor_name }}', fields: { key: 'hush' } },
      named,
    )
    expect(body).toBe('{{ fields.key }}')
  })

  test('a filled header stays one line, and a filled address stays at its host', async () => {
    const message = example('incident.created', { monitor_name: 'x/../../@evil.example?a=b#c\r\nX: y' })
    const { url, headers } = await write(
      {
        url: 'https://sms.example.com/{{ monitor_name }}?t={{ title }}',
        headers: { 'X-A': 'a\r\nX-Evil: {{ monitor_name }}', 'X-None': '{{ note | slice: 0, 0 }}', 'X-B': 'ü' },
      },
      message,
    )
    const { host, pathname } = new URL(url)
    expect([host, pathname]).toEqual(['sms.example.com', `/${encodeURIComponent('x/../../@evil.example?a=b#c X: y')}`])
    expect(headers['X-A']).toMatch(/^a X-Evil: x\/.* X: y$/)
    expect(Object.keys(headers)).not.toContain('X-None')
    expect(Buffer.from(headers['X-B'] ?? '', 'latin1').toString()).toBe('ü')
  })

  const letters = `{% assign a = "${'x'.repeat(64)}" %}${'{% assign a = a | append: a %}'.repeat(10)}`
  const needle = `{% assign b = "z" %}{% assign c = "${'x'.repeat(64)}" %}${'{% assign c = c | append: c %}'.repeat(6)}{% assign b = b | append: c %}`
  const turns = (count: number, inner: string) => `{% for i in (1..${count}) %}${inner}{% endfor %}`
  const expensive: [what: string, template: string][] = [
    ['searches of long texts', `${letters}${needle}${turns(1_900, '{% if a contains b %}{% endif %}')}`],
    ['searches that find nothing', `${letters}${turns(1_900, '{% if a contains "y" %}{% endif %}')}`],
    [
      'Markdown of long texts',
      `{% assign a = "${'*'.repeat(64)}" %}${'{% assign a = a | append: a %}'.repeat(11)}${'{{ a | markdown | size }}'.repeat(50)}`,
    ],
    ['codes of long texts', `${letters}${turns(500, '{{ a | url_encode | size }}')}`],
    ['split texts', `${letters}${turns(500, '{% assign d = a | split: "" %}')}`],
    [
      'words of long texts',
      `{% assign a = "x " %}${'{% assign a = a | append: a %}'.repeat(16)}${turns(100, '{{ a | truncatewords: 9 }}')}`,
    ],
    ['numbers', turns(1_900, '{{ i | times: 999999999999 | divided_by: 7 | modulo: 3 }}')],
    ['names of values', '{{ payload.a.b.c.d.e.f.g }}'.repeat(590)],
    ['brackets', `{{ ${'payload['.repeat(1_500)}"a"${']'.repeat(1_500)} }}`],
    ['conditions', `{% if ${'true and '.repeat(1_700)} true %}x{% endif %}`],
    ['cases', `{% case title %}${'{% when 1, 2, 3, 4, 5, 6, 7, 8 %}'.repeat(450)}{% endcase %}`],
    ['ranges', '{{ (1..399000) | size }}'.repeat(30)],
    ['comments without end', '{% comment %}'.repeat(1_200)],
    ['braces without end', '{{ '.repeat(5_300)],
    ['quotes without end', '{{ " '.repeat(3_100)],
  ]

  test.each(expensive)(
    '%s in 20 headers and a body block the event loop for milliseconds at a save',
    async (_, text) => {
      const owner = await given.tenant()
      const header = text.length > 2_000 ? 'x' : text
      const config = {
        ...hook,
        content_type: 'text/plain',
        headers: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`X-${n}`, header])),
        body_template: text,
      }
      const blocked = await blockedBy(async () => {
        expect([201, 422]).toContain((await owner.post('/notification-channels', channel(config))).status)
      })
      expect(blocked).toBeLessThan(mostBlockedMs)
    },
  )

  test.each(expensive)('%s in a contact method of a viewer block the event loop for milliseconds', async (_, text) => {
    const viewer = await given.colleague(await given.tenant(), 'viewer')
    const blocked = await blockedBy(async () => {
      const config = { ...hook, content_type: 'text/plain', body_template: text }
      expect([201, 422]).toContain((await viewer.post('/profile/contact-methods', channel(config))).status)
    })
    expect(blocked).toBeLessThan(mostBlockedMs)
  })

  test.each(expensive)(
    '%s block the event loop for milliseconds when a message is written',
    async (_, body_template) => {
      const message = example('incident.created')
      const blocked = await blockedBy(() =>
        write({ ...hook, content_type: 'text/plain', body_template }, message).catch(error => {
          expect(error.name).toBe('UnwritableMessage')
        }),
      )
      expect(blocked).toBeLessThan(mostBlockedMs)
    },
  )

  test('saves of one team leave the saves of another undisturbed', async () => {
    const [hog, honest] = [await given.tenant(), await given.tenant()]
    const [, text = ''] = expensive[0]!
    const config = { ...hook, content_type: 'text/plain', body_template: text }
    const hogged = Array.from({ length: 16 }, () => hog.post('/notification-channels', channel(config)))
    const template = { ...hook, body_template: '{"a": {{ title | upcase | json }}}' }
    expect((await honest.post('/notification-channels', channel(template))).status).toBe(201)
    const answers = await Promise.all(hogged)
    for (const { status, headers } of answers.filter(({ status }) => status !== 422)) {
      expect(status).toBe(429)
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
})
