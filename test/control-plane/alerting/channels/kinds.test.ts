import { createHmac, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { events, subscribable } from '#contract/events.ts'
import { planLimits } from '#contract/plans.ts'
import { kinds } from '#control-plane/alerting/channels/kinds/index.ts'
import { publicReceivers } from '#control-plane/alerting/channels/kinds/kind.ts'
import { cut } from '#control-plane/alerting/channels/kinds/limits.ts'
import { signatureHeaders } from '#control-plane/alerting/channels/kinds/sign.ts'
import { composeMessage, readMessage, serialise } from '#control-plane/alerting/dispatch/message.ts'
import { brandOf } from '#control-plane/alerting/mail/brand.ts'
import { renderMail } from '#control-plane/alerting/mail/render.ts'
import { effectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import { unset } from '#control-plane/tenancy/branding/fields.ts'

const at = new Date('2026-01-15T08:30:05.123Z')
const attempt = { id: 'msg_0123456789abcdef0123456789abcdef', at: 1_768_465_805 }
const example = (event: string, more: Record<string, unknown> = {}) => composeMessage({ event, at, payload: { ...events.get(event)?.example, ...more } })

const configs: Record<string, unknown> = {
  webhook: { url: 'https://hooks.example.com/in', secret: 'hush' },
  email: { recipients: ['ops@example.com'] },
  slack: { webhook_url: 'https://hooks.slack.example.com/x' },
  discord: { webhook_url: 'https://discord.example.com/x' },
  microsoft_teams: { webhook_url: 'https://teams.example.com/x' },
  pagerduty: { routing_key: 'R0UTINGKEY0123456789' },
  telegram: { bot_token: '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11', chat_id: '-1001234' },
}
const write = (type: keyof typeof kinds, message: ReturnType<typeof example>) => kinds[type].write(message, configs[type] as never, attempt, publicReceivers)
const told = ['incident.created', 'incident.resolved', 'warning.ssl_expiring', 'team.trial_ending'] as const
const readable = (outgoing: ReturnType<typeof write>) =>
  `${JSON.stringify('body' in outgoing ? { ...outgoing, body: JSON.parse(outgoing.body) } : outgoing, null, 2)}\n`

describe('how a message looks at its receivers', () => {
  for (const type of Object.keys(kinds) as (keyof typeof kinds)[])
    test.each(told)(`${type}: %s`, async event => {
      await expect(readable(write(type, example(event)))).toMatchFileSnapshot(`golden/${type}-${event}.txt`)
    })

  test('every event can be written for every receiver', () => {
    for (const event of subscribable) for (const type of Object.keys(kinds) as (keyof typeof kinds)[]) expect(write(type, example(event)), event).toBeDefined()
  })

  const hostile = '<!channel> @everyone [x](http://evil.example) *_`~ \r\nBcc: a@b.example\u2028 & </b>'
  test('what a customer wrote is text everywhere, mentions nobody, and breaks no line', () => {
    const message = example('incident.created', { monitor_name: hostile, title: hostile })
    const slack = JSON.parse((write('slack', message) as { body: string }).body)
    expect(slack.text).toContain('&lt;!channel&gt;')
    for (const field of slack.blocks[1].fields) expect(field.type).toBe('plain_text')
    const discord = JSON.parse((write('discord', message) as { body: string }).body)
    expect(discord.allowed_mentions).toEqual({ parse: [] })
    expect(discord.embeds[0].title).toContain('\\[x\\]\\(http')
    const outgoing = kinds.email.write(message, { recipients: ['ops@example.com'] }, attempt, publicReceivers)
    if (!('type' in outgoing)) return expect.unreachable()
    const mail = renderMail(outgoing.type, outgoing.data, { language: 'en', brand: brandOf(effectiveBranding(unset, planLimits.free, null)) })
    expect(mail.html).not.toContain('</b>')
    expect(mail.subject).not.toMatch(/[\r\n\u2028]/)
    expect(mail.text.split('\n').some(line => line.startsWith('Bcc'))).toBe(false)
    expect(JSON.parse((write('telegram', message) as { body: string }).body)).not.toHaveProperty('parse_mode')
  })

  test('what is too long is cut to what each receiver takes, and no character in half', () => {
    const message = example('incident.created', {
      monitor_name: '🦊'.repeat(5_000),
      title: 'x'.repeat(50_000),
      monitor_url: `https://x.example.com/${'y'.repeat(5_000)}`,
    })
    const body = (type: keyof typeof kinds) => JSON.parse((write(type, message) as { body: string }).body)
    const slack = body('slack')
    expect(slack.blocks[0].text.text.length).toBeLessThanOrEqual(150)
    for (const field of slack.blocks[1].fields) expect(field.text.length).toBeLessThanOrEqual(2_000)
    const [embed] = body('discord').embeds
    expect(embed.title.length).toBeLessThanOrEqual(256)
    expect(JSON.stringify(embed).length).toBeLessThanOrEqual(6_000)
    expect(body('pagerduty').payload.summary.length).toBeLessThanOrEqual(1_024)
    expect(body('telegram').text.length).toBeLessThanOrEqual(4_096)
    expect(JSON.stringify(body('microsoft_teams')).length).toBeLessThanOrEqual(28_000)
    for (const type of ['slack', 'discord', 'telegram', 'pagerduty'] as const) expect(JSON.stringify(body(type)).isWellFormed()).toBe(true)
    for (let most = 1; most < 8; most++) expect(cut('a🦊b🦊c', most).isWellFormed()).toBe(true)
  })

  test('PagerDuty knows the end of what it knows the beginning of', () => {
    const body = (event: string, more?: object) => JSON.parse((write('pagerduty', example(event, { ...more })) as { body: string }).body)
    expect(body('incident.created')).toMatchObject({ event_action: 'trigger' })
    expect(body('incident.resolved')).toMatchObject({ event_action: 'resolve', dedup_key: body('incident.created').dedup_key })
    expect(body('monitor.up')).toMatchObject({ event_action: 'resolve' })
    expect(body('incident.acknowledged', events.get('incident.created')?.example)).toMatchObject({
      event_action: 'acknowledge',
      dedup_key: body('incident.created').dedup_key,
    })
    expect(body('warning.cleared').dedup_key).toBe(body('warning.ssl_expiring').dedup_key)
    // two checks of one kind on one monitor warn each for itself
    const [one, other] = [randomUUID(), randomUUID()].map(check_id => body('warning.ssl_expiring', { check_id }).dedup_key)
    expect(one).not.toBe(other)
    expect(body('storm.resolved').dedup_key).toBe(body('storm.detected').dedup_key)
  })
})

describe('the bytes of a webhook and their signatures', () => {
  const vectors: Record<string, unknown>[] = [
    {},
    { b: 1, a: 2 },
    { url: 'https://a.example/b/c?d=e/f', '/': '/' },
    { text: 'Größe ✓ 🦊 \u2028 "quoted" \\ back' },
    { nested: { z: 1, a: { y: [3, 2, 1], b: null } } },
    { float: 0.1, small: 1e-7, big: 1e21, negative: -0.5, whole: 10 },
    { list: [{ b: 1, a: 2 }], empty: [], none: null, yes: true },
    { 10: 'ten', 9: 'nine', a: 1, _b: 2, A: 3 },
    { '': 'nothing', ' ': 'space', ä: 1, z: 2 },
    { tabs: 'a\tb', control: '\u0001', lone: 'x' },
  ]
  const secrets = ['s', 'with spaces and / slashes', 'ключ ✓ 🦊', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 'x'.repeat(255)]
  const cases = vectors.flatMap(vector => secrets.map(secret => ({ vector, secret })))

  test('fifty vectors: keys in order, slashes as they are, nested as given, and signed as receivers reckon', () => {
    expect(cases).toHaveLength(50)
    for (const { vector, secret } of cases) {
      const text = serialise(vector)
      expect(JSON.parse(text)).toEqual(vector)
      expect(text).not.toContain('\\/')
      const names = [...text.matchAll(/^\{|"(?:[^"\\]|\\.)*":/g)].length
      expect(names).toBeGreaterThan(0)
      const again = `{${Object.keys(vector)
        .sort()
        .map(name => `${JSON.stringify(name)}:${JSON.stringify(vector[name])}`)
        .join(',')}}`
      expect(text).toBe(again)
      const headers = signatureHeaders([secret], attempt, text)
      expect(headers['X-Webhook-Signature']).toBe(createHmac('sha256', Buffer.from(secret, 'utf8')).update(Buffer.from(text, 'utf8')).digest('hex'))
      expect(headers['X-Webhook-Signature']).not.toBe(createHmac('sha256', secret).update(`${text} `).digest('hex'))
    }
  })

  test('known answers, reckoned by other means', () => {
    // printf '{"a":"/","b":"é"}' | openssl dgst -sha256 -hmac 'hush'
    const text = serialise({ b: 'é', a: '/' })
    expect(text).toBe('{"a":"/","b":"é"}')
    expect(signatureHeaders(['hush'], attempt, text)['X-Webhook-Signature']).toBe('d203584d7e1025f4be9c3878fafdda4580c9649291336bc50f1d24d10b7d87e1')
    // the example of the Standard Webhooks specification
    const standard = signatureHeaders(
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330 },
      '{"test": 2432232314}',
    )
    expect(standard['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  test('while a secret changes both sign, the new one alone where there is room for one', () => {
    const headers = signatureHeaders(['new', 'old'], attempt, '{}')
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    expect(headers['X-Webhook-Signature']).toBe(createHmac('sha256', 'new').update('{}').digest('hex'))
    const sent = (until: number) =>
      kinds.webhook.write(
        example('incident.created'),
        { url: 'https://x.example.com', secret: 'new', former: { secret: 'old', until } } as never,
        attempt,
        publicReceivers,
      )
    expect(JSON.stringify(sent(attempt.at * 1_000 + 1)).match(/v1,/g)).toHaveLength(2)
    expect(JSON.stringify(sent(attempt.at * 1_000)).match(/v1,/g)).toHaveLength(1)
  })

  test('without a secret, or with an empty one, nothing is signed', () => {
    for (const secrets of [[], ['']]) expect(Object.keys(signatureHeaders(secrets, attempt, '{}'))).toEqual(['webhook-id', 'webhook-timestamp'])
  })

  test('a message read back is the same bytes', () => {
    const message = example('incident.created', { monitor_name: 'Größe / ✓' })
    expect(readMessage(message.text)).toEqual(message)
  })
})

describe('a webhook’s secret', () => {
  const attempt = { id: 'msg_1', at: 1_700_000_000 }
  const signatures = (secret: string) => signatureHeaders([secret], attempt, '{}')['webhook-signature']
  const empty = `v1,${createHmac('sha256', '').update('msg_1.1700000000.{}').digest('base64')}`

  test.each(['whsec_', 'whsec_!!!!', 'whsec_a', 'whsec_====', `whsec_${'!'.repeat(40)}`])('that is stored as %s signs with no empty key', secret => {
    expect(signatures(secret)).not.toBe(empty)
  })

  test('after whsec_ is the bytes that its base64 stands for', () => {
    const key = Buffer.from('sixteen bytes or more of a key')
    const expected = `v1,${createHmac('sha256', key).update('msg_1.1700000000.{}').digest('base64')}`
    expect(signatures(`whsec_${key.toString('base64')}`)).toBe(expected)
  })
})
