import { createHmac, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { events, subscribable } from '#contract/events.ts'
import { resolutions } from '#contract/incident.ts'
import { planLimits } from '#contract/plans.ts'
import { readLinkToken } from '#control-plane/alerting/acknowledge-links/token.ts'
import { kinds } from '#control-plane/alerting/channels/kinds/index.ts'
import type { Message } from '#control-plane/alerting/channels/kinds/kind.ts'
import { signatureHeaders } from '#control-plane/alerting/channels/kinds/sign.ts'
import { readMessage, serialise } from '#control-plane/alerting/dispatch/message.ts'
import { brandOf } from '#control-plane/alerting/mail/brand.ts'
import { renderMail } from '#control-plane/alerting/mail/render.ts'
import { effectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import { unset } from '#control-plane/tenancy/branding/fields.ts'
import { languages } from '#locales/languages.ts'
import { bodyOf, channelTypes, chats, example, groups, mailOf, sending, write } from './messages.ts'
import { vendors } from './vendors.ts'

const { attempt } = sending
const brand = brandOf(effectiveBranding(unset, planLimits.free, null))
const mailed = (message: Message, language: (typeof languages)[number], timezone = 'Europe/Berlin') => {
  const { type, data } = mailOf(message)
  return renderMail(type, data, { language, brand, timezone })
}
const allOf = (parts: readonly string[]) => `${parts.join(`\n${'='.repeat(80)}\n`)}\n`
const namesOf = (messages: readonly Message[]) => [...new Set(messages.map(({ event }) => event))].join(', ')

/** `vitest -u` rewrites the snapshots; read the diff. */
describe('messages as their receivers get them', () => {
  for (const [group, messages] of Object.entries(groups)) {
    test.each(chats)(`%s: ${namesOf(messages)}`, async type => {
      const bodies = messages.map(message => JSON.stringify(bodyOf(type, message), null, 2))
      await expect(allOf(bodies)).toMatchFileSnapshot(`golden/${type}-${group}.txt`)
    })

    test(`webhook: ${namesOf(messages)}`, async () => {
      const sent = messages.map(message => JSON.stringify(write('webhook', message), null, 2))
      await expect(allOf(sent)).toMatchFileSnapshot(`golden/webhook-${group}.txt`)
    })

    test.each(languages)(`email in %s: ${namesOf(messages)}`, async language => {
      const mails = messages.map(message => {
        const { subject, text } = mailed(message, language)
        return `${subject}\n\n${text}`
      })
      await expect(allOf(mails)).toMatchFileSnapshot(`golden/email-${language}-${group}.txt`)
    })

    test(`telegram in German and the time of Berlin: ${namesOf(messages)}`, async () => {
      const bodies = messages.map(
        message => bodyOf('telegram', message, { language: 'de', timezone: 'Europe/Berlin' }).text,
      )
      await expect(allOf(bodies)).toMatchFileSnapshot(`golden/telegram-de-${group}.txt`)
    })
  }

  test('each end of an incident has its own words, and only a recovery says that it is up again', () => {
    const again: Record<string, RegExp> = { en: /again (after|\W|$)/, de: /wieder (erreichbar|in Ordnung)/ }
    for (const kind of ['uptime', 'ssl', 'cron', 'agent'])
      for (const language of languages) {
        const subjects = resolutions.map(
          resolution => mailed(example('incident.resolved', { check_type: kind, resolution }), language).subject,
        )
        expect(new Set(subjects).size, kind).toBe(resolutions.length)
        for (const [place, resolution] of resolutions.entries())
          if (resolution !== 'recovered') expect(subjects[place], resolution).not.toMatch(again[language]!)
        // PagerDuty gets no text of an end
        for (const type of chats.filter(each => each !== 'pagerduty'))
          for (const [place, resolution] of resolutions.entries()) {
            const message = example('incident.resolved', { check_type: kind, resolution })
            const text = JSON.stringify(bodyOf(type, message, { language, timezone: 'UTC' })).replaceAll('\\', '')
            const headline = subjects[place]?.replace(/ (after|nach) .*/, '') ?? ''
            expect(text, `${type} ${resolution}`).toContain(headline.split(' ').slice(-2).join(' '))
          }
      }
  })

  test.each([
    ['auto', 'recovered'],
    ['manual', 'by_hand'],
  ])('a message of before, which ended by "%s", has the words of "%s"', (former, today) => {
    for (const language of languages)
      expect(mailed(example('incident.resolved', { resolution: former }), language)).toEqual(
        mailed(example('incident.resolved', { resolution: today }), language),
      )
  })

  test('every event is written for every receiver, in the form that the vendor documents', () => {
    for (const event of subscribable) {
      for (const type of channelTypes) expect(write(type, example(event)), event).toBeDefined()
      for (const type of chats)
        for (const more of [{}, { language: 'de', timezone: 'America/New_York' }])
          expect(
            vendors[type].safeParse(bodyOf(type, example(event), more)).error?.issues ?? [],
            `${type} ${event}`,
          ).toEqual([])
      for (const language of languages)
        expect(mailed(example(event), language).text, event).not.toMatch(/undefined|null|NaN|\[object|\{\{/)
    }
  })

  test('an alert names the cause, the votes, the result of each region, the address, the begin and the link', () => {
    for (const type of chats) {
      const text = JSON.stringify(bodyOf(type, example('incident.created'))).replaceAll('\\\\', '')
      for (const part of [
        'The site answered with status 503',
        '2 of 3 regions (2 needed)',
        'us-east',
        'The connection was not made in time (while connecting, 10 s)',
        'up (status 200, 231 ms)',
        'https://shop.example.com/',
        '15 January 2026 at 08:30 UTC',
        'https://status.example.com/app/incidents/0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21',
      ])
        expect(text, type).toContain(part)
      expect(text, type).not.toMatch(/T08:30:00\.000000Z"?(?!,?"?component)[^"]*(Since|Seit)|What:/)
      // PagerDuty acknowledges in its own way
      if (type !== 'pagerduty') expect(text).toContain('https://status.example.com/acknowledge#')
    }
    for (const type of ['slack', 'discord', 'microsoft_teams', 'telegram'] as const)
      expect(JSON.stringify(bodyOf(type, example('incident.resolved'))), type).toContain('It lasted 12 min 10 s')
  })

  test('times are in the time zone of the channel, else of the monitor, else UTC', () => {
    const sinceOf = (more: object, config: object) =>
      /Since: (.*)/.exec(bodyOf('telegram', example('incident.created', { ...more }), { ...config }).text)?.[1]
    expect(sinceOf({}, {})).toBe('15 January 2026 at 08:30 UTC')
    expect(sinceOf({ timezone: 'Europe/Berlin' }, {})).toBe('15 January 2026 at 09:30 CET')
    expect(sinceOf({ timezone: 'Europe/Berlin' }, { timezone: 'Asia/Kolkata' })).toBe(
      '15 January 2026 at 14:00 GMT+5:30',
    )
    expect(sinceOf({ timezone: 'Nowhere/Else' }, { timezone: null })).toBe('15 January 2026 at 08:30 UTC')
    expect(sinceOf({ started_at: 'no moment' }, {})).toBeUndefined()
  })

  test('only the alert of an incident has an acknowledge link, for its channel and recipient, for seven days', async () => {
    const tokenIn = (text: string) => /acknowledge#([\w-]+)/.exec(text)?.[1] ?? ''
    const message = example('incident.created')
    const ofChat = readLinkToken(sending.home, 'acknowledge', tokenIn(bodyOf('telegram', message).text))
    expect(ofChat).toMatchObject({
      incidentId: message.payload.incident_id,
      channelId: sending.channelId,
      isForOneRecipient: false,
    })
    expect(ofChat?.expiresAt.toISOString()).toBe('2026-01-22T08:30:05.000Z')
    const ofMail = readLinkToken(sending.home, 'acknowledge', tokenIn(mailed(message, 'en').text))
    expect([ofMail?.isForOneRecipient, ofMail?.isFor('ops@example.com')]).toEqual([true, true])
    expect(tokenIn(bodyOf('telegram', example('monitor.down')).text)).toBe('')
    expect(tokenIn(bodyOf('telegram', { ...message, event: 'monitor.down' }).text)).not.toBe('')
    for (const other of [
      example('incident.resolved'),
      example('storm.detected'),
      example('incident.created', { test: true }),
    ])
      expect(tokenIn(bodyOf('telegram', other).text + mailed(other, 'en').text)).toBe('')
    // replayed after the link has expired
    const late = { ...sending, attempt: { ...attempt, at: attempt.at + 8 * 86_400 } }
    const outgoing = await kinds.telegram.write(message, { bot_token: 'x', chat_id: '1' }, late)
    expect('body' in outgoing && tokenIn(outgoing.body)).toBe('')
  })

  test('the example of a channel test is marked and has no links', () => {
    for (const type of ['slack', 'discord', 'microsoft_teams', 'telegram'] as const) {
      const text = JSON.stringify(bodyOf(type, example('incident.created', { test: true }))).replaceAll('\\\\', '')
      expect(text, type).toContain('[Test] Shop is down')
      expect(text, type).not.toContain('status.example.com')
    }
    expect(mailed(example('incident.created', { test: true }), 'de').subject).toBe(
      '[Test] Shop ist ausgefallen: Die Website hat mit Status 503 geantwortet (2 von 3 Regionen)',
    )
  })

  const hostile =
    '<!channel> <@U1> @everyone @here /start [x](http://evil.example) *_`~ {{ 7 | times: 1117 }} \r\nBcc: a@b.example\u2028\u202e\u0007 & </b>'
  const hostileMessages = () => {
    const failed = {
      phases: {},
      error: { code: 'x', message: hostile },
      http_status: 503,
      excerpt: hostile,
      at: '2026-01-15T08:30:02.000000Z',
    }
    const quorum = {
      policy: { mode: 'majority', count: null },
      required: 2,
      asked: [hostile],
      failed: [hostile],
      ok: [],
      silent: [],
      excluded: [],
      regions: {},
    }
    return [
      example('incident.created', {
        monitor_name: hostile,
        title: hostile,
        cause: hostile,
        monitor_url: hostile,
        quorum: { ...quorum, regions: { [hostile]: failed } },
      }),
      example('warning.ssl_expiring', { monitor_name: hostile, title: hostile, regions: [hostile] }),
      example('dns.records_changed', {
        zone: hostile,
        changes: [{ type: hostile, old: [hostile], new: hostile }],
        nameservers: [hostile],
      }),
      example('storm.detected', { monitor_names: [hostile, hostile] }),
      example('team.paused', { tenant_name: hostile, reason: hostile }),
      example('tenant.quota_warning', { feature: hostile, _managed_tenant: { name: hostile } }),
    ]
  }
  test('texts of customers are plain text: no mentions, no line breaks', () => {
    for (const message of hostileMessages()) {
      const slack = bodyOf('slack', message)
      expect(slack.text).not.toMatch(/<[!@]/)
      for (const block of slack.blocks)
        for (const part of [block.text, ...(block.fields ?? []), ...(block.elements ?? [])].filter(Boolean))
          if (part.type === 'mrkdwn') expect(part.text).not.toMatch(/[!@]|evil/)
      const discord = bodyOf('discord', message)
      expect(discord.allowed_mentions).toEqual({ parse: [] })
      expect(JSON.stringify(discord.embeds)).not.toMatch(/(?<!\\)@(everyone|here)|(?<!\\)<@|(?<!\\)\]\(http:\/\/evil/)
      const teams = bodyOf('microsoft_teams', message).attachments[0].content
      expect(JSON.stringify(teams)).not.toMatch(/(?<!\\)\]\(http:\/\/evil/)
      const telegram = bodyOf('telegram', message)
      expect(telegram).not.toHaveProperty('parse_mode')
      expect(telegram.text).not.toMatch(/(?<!\w)@\w|(^|\s)\/\w/)
      for (const type of chats) {
        const text = JSON.stringify(bodyOf(type, message))
        expect(text, type).not.toMatch(/\\u2028|\u202e|\\u0007|\\r/)
        expect(text, type).not.toContain('7819')
      }
      const { subject, html, text } = mailed(message, 'de')
      expect(html).not.toContain('</b>')
      expect(subject).not.toMatch(/[\r\n\u2028\u202e]/)
      expect(text.split('\n').some(line => line.startsWith('Bcc'))).toBe(false)
    }
  })

  test.each([
    ['characters of four bytes', '🦊'],
    ['what is escaped', '_'],
    ['what JSON escapes', '"\\'],
    ['what Slack escapes', '&'],
    ['combining marks', 'e\u0301\u0323'],
  ])('what is too long is cut to what each receiver takes, and no character in half: %s', (_, unit) => {
    const long = unit.repeat(2_000)
    const regions = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `${index} ${long}`,
        {
          phases: { dns: 1, connect: 1, tls: 1, first_byte: null, total: 1 },
          error: { code: 'timeout', message: long },
          http_status: null,
          excerpt: null,
          at: '2026-01-15T08:30:02.000000Z',
        },
      ]),
    )
    const asked = Object.keys(regions)
    const quorum = {
      policy: { mode: 'all', count: null },
      required: 30,
      asked,
      failed: asked,
      ok: [],
      silent: [],
      excluded: [],
      regions,
    }
    const address = `https://x.example.com/${'y'.repeat(5_000)}`
    const messages = [
      example('incident.created', {
        monitor_name: long,
        title: long,
        cause: long,
        monitor_url: address,
        quorum,
        _managed_tenant: { name: long },
      }),
      example('incident.resolved', { monitor_name: long, title: long, cause: long, monitor_url: address, quorum }),
      example('warning.broken_links', { monitor_name: long, title: long, regions: asked, details: { issuer: long } }),
      example('dns.records_changed', {
        zone: long,
        changes: Array.from({ length: 30 }, () => ({ type: long, old: asked.slice(0, 9), new: [long] })),
        nameservers: asked,
      }),
      example('storm.detected', { monitor_names: Array.from({ length: 60 }, () => long), monitors_count: 5_000 }),
      example('monitor.flapping', { monitor_name: long }),
      example('team.trial_ending', { tenant_name: long, label: long, plan: long }),
    ]
    for (const message of messages) {
      for (const type of chats) {
        const body = bodyOf(type, message)
        expect(vendors[type].safeParse(body).error?.issues ?? [], `${type} ${message.event}`).toEqual([])
        expect(JSON.stringify(body).isWellFormed(), type).toBe(true)
      }
      const { subject } = mailed(message, 'en')
      expect(subject.length).toBeLessThanOrEqual(200)
    }
    // the links are never cut
    for (const type of ['slack', 'discord', 'microsoft_teams', 'telegram'] as const) {
      const text = JSON.stringify(bodyOf(type, messages[0]!))
      expect(text, type).toContain('/app/incidents/0b9f4e0a-3a8e-4b57-8c0c-2f9f3b1d5e21')
      expect(
        readLinkToken(sending.home, 'acknowledge', /acknowledge#([\w-]+)/.exec(text)?.[1] ?? ''),
        type,
      ).not.toBeNull()
    }
  })

  test('PagerDuty gets the end of an alert with the key of its begin', () => {
    const body = (event: string, more?: object) => bodyOf('pagerduty', example(event, { ...more }))
    expect(body('incident.created')).toMatchObject({ event_action: 'trigger' })
    expect(body('incident.resolved')).toMatchObject({
      event_action: 'resolve',
      dedup_key: body('incident.created').dedup_key,
    })
    expect(body('monitor.up')).toMatchObject({ event_action: 'resolve' })
    expect(body('incident.acknowledged', events.get('incident.created')?.example)).toMatchObject({
      event_action: 'acknowledge',
      dedup_key: body('incident.created').dedup_key,
    })
    expect(body('warning.cleared').dedup_key).toBe(body('warning.ssl_expiring').dedup_key)
    // warnings of two checks of one kind on one monitor have different keys
    const [one, other] = [randomUUID(), randomUUID()].map(
      check_id => body('warning.ssl_expiring', { check_id }).dedup_key,
    )
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
  const secrets = [
    's',
    'with spaces and / slashes',
    'ключ ✓ 🦊',
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    'x'.repeat(255),
  ]
  const cases = vectors.flatMap(vector => secrets.map(secret => ({ vector, secret })))

  test('fifty vectors: sorted keys, plain slashes, nested values unchanged, the signature of the receivers', () => {
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
      expect(headers['X-Webhook-Signature']).toBe(
        createHmac('sha256', Buffer.from(secret, 'utf8')).update(Buffer.from(text, 'utf8')).digest('hex'),
      )
      expect(headers['X-Webhook-Signature']).not.toBe(createHmac('sha256', secret).update(`${text} `).digest('hex'))
    }
  })

  test('known answers, computed by other programs', () => {
    // printf '{"a":"/","b":"é"}' | openssl dgst -sha256 -hmac 'hush'
    const text = serialise({ b: 'é', a: '/' })
    expect(text).toBe('{"a":"/","b":"é"}')
    expect(signatureHeaders(['hush'], attempt, text)['X-Webhook-Signature']).toBe(
      'd203584d7e1025f4be9c3878fafdda4580c9649291336bc50f1d24d10b7d87e1',
    )
    // the example of the Standard Webhooks specification
    const standard = signatureHeaders(
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330 },
      '{"test": 2432232314}',
    )
    expect(standard['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  test('after a change both secrets sign, and the new one alone in the header with one signature', () => {
    const headers = signatureHeaders(['new', 'old'], attempt, '{}')
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    expect(headers['X-Webhook-Signature']).toBe(createHmac('sha256', 'new').update('{}').digest('hex'))
    const sent = (until: number) =>
      kinds.webhook.write(
        example('incident.created'),
        { url: 'https://x.example.com', secret: 'new', former: { secret: 'old', until } } as never,
        sending,
      )
    expect(JSON.stringify(sent(attempt.at * 1_000 + 1)).match(/v1,/g)).toHaveLength(2)
    expect(JSON.stringify(sent(attempt.at * 1_000)).match(/v1,/g)).toHaveLength(1)
  })

  test('without a secret, or with an empty one, nothing is signed', () => {
    for (const secrets of [[], ['']])
      expect(Object.keys(signatureHeaders(secrets, attempt, '{}'))).toEqual(['webhook-id', 'webhook-timestamp'])
  })

  test('a message read back has the same bytes', () => {
    const message = example('incident.created', { monitor_name: 'Größe / ✓' })
    expect(readMessage(message.text)).toEqual(message)
  })
})

describe('a webhook’s secret', () => {
  const attempt = { id: 'msg_1', at: 1_700_000_000 }
  const signatures = (secret: string) => signatureHeaders([secret], attempt, '{}')['webhook-signature']
  const empty = `v1,${createHmac('sha256', '').update('msg_1.1700000000.{}').digest('base64')}`

  test.each(['whsec_', 'whsec_!!!!', 'whsec_a', 'whsec_====', `whsec_${'!'.repeat(40)}`])(
    'stored as %s never signs with an empty key',
    secret => {
      expect(signatures(secret)).not.toBe(empty)
    },
  )

  test('after whsec_ is decoded from base64', () => {
    const key = Buffer.from('sixteen bytes or more of a key')
    const expected = `v1,${createHmac('sha256', key).update('msg_1.1700000000.{}').digest('base64')}`
    expect(signatures(`whsec_${key.toString('base64')}`)).toBe(expected)
  })
})
