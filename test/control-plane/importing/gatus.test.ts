import { describe, expect, test } from 'vitest'
import { gatus } from '#importers/gatus/source.ts'
import type { SourceItem } from '#importers/source.ts'
import { readText } from './read-source.ts'

const read = (content: string) => readText(gatus, content)
const endpoint = (more: string) => `endpoints:\n  - {name: a, url: "https://a.example.com", ${more}}`
const conditions = 'conditions: ["[STATUS] == 200"]'
const only = async (more: string): Promise<SourceItem> => (await read(endpoint(more))).get('_a')!
const bodyOf = (item: SourceItem | undefined) => item?.wanted?.body as Record<string, unknown>
const uptimeOf = (item: SourceItem | undefined) =>
  (bodyOf(item).checks as { settings: Record<string, unknown> }[])[0]!.settings
const said = (item: SourceItem | undefined) => item?.standIns.join('\n') ?? ''

describe('an alert of Gatus', () => {
  const confirmations = async (alerting: string, alerts: string) => {
    const content = `alerting: ${alerting}\n${endpoint(`${conditions}, alerts: ${alerts}`)}`
    return bodyOf((await read(content)).get('_a')).confirmations
  }
  test.each<[alerting: string, alerts: string, confirmations: number | undefined]>([
    ['{slack: {default-alert: {failure-threshold: 5}}}', '[{type: slack}]', 5],
    ['{slack: {default-alert: {failure-threshold: 5}}}', '[{type: slack, failure-threshold: 2}]', 2],
    ['{slack: {default-alert: {failure-threshold: 5}}, pagerduty: {}}', '[{type: pagerduty}]', 3],
    ['{slack: {default-alert: {failure-threshold: 5}}}', '[{type: slack, failure-threshold: 0}]', 5],
    ['{slack: {default-alert: {failure-threshold: 5}}}', '[{type: slack, failure-threshold: null}]', 5],
    ['{slack: {default-alert: {failure-threshold: -1}}}', '[{type: slack}]', 3],
    ['{slack: {default-alert: {description: x}}}', '[{type: slack}]', 3],
    [
      '{slack: {default-alert: {failure-threshold: 5}}, email: {default-alert: {failure-threshold: 4}}}',
      '[{type: slack}, {type: email}]',
      4,
    ],
    [
      '{slack: {default-alert: {enabled: false, failure-threshold: 2}}, email: {}}',
      '[{type: slack}, {type: email}]',
      3,
    ],
    ['{slack: {default-alert: {enabled: false, failure-threshold: 2}}}', '[{type: slack, enabled: true}]', 2],
    ['{slack: {default-alert: {enabled: false}}}', '[{type: slack}]', undefined],
    ['{}', '[]', undefined],
  ])('of the providers %s and the alerts %s waits for %s failures', async (alerting, alerts, expected) => {
    expect(await confirmations(alerting, alerts)).toBe(expected)
  })

  test('takes what it does not say through an anchor, and by a merge', async () => {
    const items = await read(`
alerting: {slack: {default-alert: &usual {failure-threshold: 6}}}
x-alert: &mine {type: slack, <<: *usual, success-threshold: 4}
endpoints:
  - {name: a, url: "https://a.example.com", ${conditions}, alerts: [*mine]}`)
    expect(bodyOf(items.get('_a')).confirmations).toBe(6)
    expect(said(items.get('_a'))).toContain('success-threshold')
  })

  test('says what of it is not carried over', async () => {
    const item = await only(
      `${conditions}, alerts: [{type: slack, send-on-resolved: true, minimum-reminder-interval: 1h, provider-override: {x: 1}, description: x, mood: bad}]`,
    )
    for (const word of ['send-on-resolved', 'minimum-reminder-interval', 'provider-override', 'alerts.mood'])
      expect(said(item)).toContain(word)
    expect(said(item)).not.toContain('description')
  })
})

describe('maintenance in Gatus', () => {
  test('of all endpoints is named as left behind', async () => {
    const items = await read(
      `maintenance: {start: "23:00", duration: 1h, timezone: Europe/Amsterdam, every: [Monday]}\n${endpoint(conditions)}`,
    )
    expect(items.get('maintenance')).toMatchObject({ kind: 'maintenance', wanted: null })
    expect(items.get('maintenance')?.reason).toContain('from 23:00 for 1h on Monday in Europe/Amsterdam')
    expect((await read(`maintenance: {enabled: false}\n${endpoint(conditions)}`)).has('maintenance')).toBe(false)
  })
  test('of one endpoint is a note of it, each window', async () => {
    const item = await only(
      `${conditions}, maintenance-windows: [{start: "01:00", duration: 30m}, {start: "02:00", duration: 1h, every: [Sunday]}, {enabled: false, start: "03:00", duration: 1h}]`,
    )
    expect(said(item)).toContain('from 01:00 for 30m every day in UTC')
    expect(said(item)).toContain('from 02:00 for 1h on Sunday in UTC')
    expect(said(item)).not.toContain('03:00')
  })
})

describe('dollar signs in Gatus', () => {
  test('that are doubled are dollar signs, in every text', async () => {
    const items = await read(`
endpoints:
  - name: price $$5
    group: $$
    url: https://e.example.com/pay?sum=$$5&of=$$NAME
    method: POST
    headers: {X-Key: "pa$$WORD", X-Two: "$$\${{"}
    body: '{"sum": "$$1", "open": "$ {"}'
    conditions: ["[STATUS] == 200", "[BODY].sum == $$5"]`)
    const item = items.get('$_price $5')
    expect(bodyOf(item)).toMatchObject({
      name: 'price $5',
      group: '$',
      url: 'https://e.example.com/pay?sum=$5&of=$NAME',
    })
    expect(uptimeOf(item)).toMatchObject({
      headers: { 'X-Key': 'pa$WORD', 'X-Two': '$${{' },
      body: '{"sum": "$1", "open": "$ {"}',
      assertions: [{ property: 'sum', target: '$5' }],
    })
    expect(item?.standIns).toEqual([])
  })

  test.each([
    [`body: '{"token": "\${TOKEN}"}', method: POST`, 'TOKEN', 'body'],
    [`body: "$TOKEN and $OTHER", method: POST`, 'OTHER', 'body'],
    ['method: $METHOD', 'METHOD', 'method'],
    [`interval: "\${EVERY}"`, 'EVERY', 'interval'],
    [`enabled: "\${ON}"`, 'ON', 'enabled'],
    ['client: {timeout: "$WAIT"}', 'WAIT', 'client.timeout'],
    ['group: "team-$TEAM"', 'TEAM', 'group'],
    ['alerts: [{type: slack, failure-threshold: "$FAILS"}]', 'FAILS', 'alerts.0.failure-threshold'],
  ])('of %s are a note that names %s', async (more, name, place) => {
    const items = await read(`endpoints:\n  - {name: a, url: "https://a.example.com", ${conditions}, ${more}}`)
    const [item] = items.values()
    expect(said(item)).toMatch(new RegExp(`${place}.*${name}|${name}.*${place}`))
  })

  test('of a header and of a condition leave these out, of an address the endpoint', async () => {
    const item = await only(
      `headers: {X-Key: "\${KEY}", X-Other: plain}, conditions: ["[STATUS] == 200", "[BODY].v == $VERSION"]`,
    )
    expect(uptimeOf(item)).toMatchObject({ headers: { 'X-Other': 'plain' } })
    expect(uptimeOf(item)).not.toHaveProperty('assertions')
    expect(said(item)).toContain('The header X-Key stands in an environment variable: set it.')
    expect(said(item)).toContain(`[BODY].v == \${VERSION}`)
    const gone = (await read(`endpoints:\n  - {name: a, url: "https://\${HOST}/", ${conditions}}`)).get('_a')
    expect([gone?.wanted, gone?.reason]).toEqual([null, expect.stringContaining('environment variable')])
  })
})

describe('an endpoint of Gatus', () => {
  test('says each setting that is not carried over, known or not', async () => {
    const item = await only(
      `${conditions}, ssh: {username: u}, extra-labels: {team: x}, mood: good, off: false, empty: "", ui: {hide-url: true}, ` +
        'client: {proxy-url: "http://p.example.com", dns-resolver: "tcp://8.8.8.8:53", store-cookies: true, network: ip4, tls: {certificate-file: x}, speed: fast}, dns: {query-name: a.example.com, ttl: 5}',
    )
    for (const word of [
      'ssh',
      'extra-labels',
      'mood',
      'off',
      'proxy',
      'resolver',
      'store-cookies',
      'client certificate',
      'client.speed',
      'dns.ttl',
    ])
      expect(said(item), word).toContain(word)
    for (const word of ['empty', 'hide-url']) expect(said(item), word).not.toContain(word)
  })
  test('by ICMP keeps its protocol, and comparisons with "or equal" hold at their limit', async () => {
    const ping = (
      await read(
        `endpoints:\n  - {name: a, url: "icmp://a.example.com", client: {network: ip6}, conditions: ["[CONNECTED] == true"]}`,
      )
    ).get('_a')
    expect(uptimeOf(ping)).toMatchObject({ ip_version: '6' })
    const item = await only(
      `conditions: ["[BODY].queue <= 0", "[BODY].nodes >= 3", "[BODY].load < 5", "[BODY] != pat(*error*)", "[BODY] == pat(*ok*)"]`,
    )
    expect(uptimeOf(item)).toMatchObject({
      keyword_present: 'ok',
      keyword_absent: 'error',
      assertions: [
        { property: 'queue', comparison: 'less_than', target: '0.000001' },
        { property: 'nodes', comparison: 'greater_than', target: '2.999999' },
        { property: 'load', comparison: 'less_than', target: '5' },
      ],
    })
  })
  test('that is external says what its alerts and its token mean here', async () => {
    const items = await read(
      `${endpoint(conditions)}\nexternal-endpoints:\n  - {name: job, token: "$TOKEN", heartbeat: {interval: 1h, mood: x}, alerts: [{type: slack}], colour: red}`,
    )
    const item = items.get('_job')
    expect(bodyOf(item)).toMatchObject({ period_minutes: 60 })
    for (const word of ['waits for 3 failures', 'heartbeat.mood', 'colour']) expect(said(item)).toContain(word)
    expect(said(item)).not.toContain('TOKEN')
  })
  test('stands beside what is named as left behind, and beside keys that Gatus does not know', async () => {
    const items = await read(
      `${endpoint(conditions)}\nannouncements: [{message: x}]\nsecurity: {basic: {}}\nconnectivity: {checker: {target: x}}\nremote: {instances: []}\ntunneling: {t: {}}\nx-anchors: {a: 1}\nweb: {port: 80}\nstorage: {type: memory}\nui: {title: x}`,
    )
    expect([...items.keys()].toSorted()).toEqual(
      ['_a', 'announcements', 'connectivity', 'remote', 'security', 'tunneling'].toSorted(),
    )
  })
})

describe('several files of Gatus sent as one', () => {
  const one = `endpoints:\n  - {name: one, url: "https://one.example.com", ${conditions}}\n`
  const two = `endpoints:\n  - {name: two, url: "https://two.example.com", ${conditions}}\n`
  test.each<[string, string]>([
    ['joined', one + two],
    ['joined, with a byte order mark', `\ufeff${one}${two}`],
    ['joined, of DOS', (one + two).replaceAll('\n', '\r\n')],
    ['joined, with keys in quotes', one.replace('endpoints', '"endpoints"') + two.replace('endpoints', "'endpoints' ")],
    ['as documents', `---\n${one}---\n${two}`],
    ['as documents with an end', `${one}...\n---\n${two}...\n`],
    ['as documents, one of them empty', `---\n---\n# nothing\n---\n${one}---\n${two}`],
    [
      'joined, each with an anchor that others use',
      `x: &c ["[STATUS] == 200"]\n${one}y: &d ["[STATUS] == 200"]\n${two}  - {name: three, url: "https://3.example.com", conditions: *d}\n`,
    ],
  ])('%s are read whole', async (_, text) => {
    const names = [...(await read(text)).values()].map(({ name }) => name)
    expect(names.slice(0, 2)).toEqual(['one', 'two'])
  })
  test('share their providers: maps are merged, lists are joined', async () => {
    const items = await read(
      `alerting:\n  slack: {default-alert: {failure-threshold: 7}}\n${one}alerting:\n  email: {}\nendpoints:\n  - {name: two, url: "https://two.example.com", ${conditions}, alerts: [{type: slack}]}\nexternal-endpoints: [{name: x}]\nexternal-endpoints: [{name: y}]\n`,
    )
    expect([...items.keys()].toSorted()).toEqual(['_one', '_two', '_x', '_y', 'alerting-email', 'alerting-slack'])
    expect(bodyOf(items.get('_two')).confirmations).toBe(7)
  })
  test('are refused where one of them names a key twice within', async () => {
    await expect(read(`${one}${two.replace('name: two', 'name: two, name: again')}`)).rejects.toThrow(
      'duplicated mapping key',
    )
    await expect(read('---\n'.repeat(2_000) + one)).rejects.toThrow('more values than are read')
  })
})
