import { z } from 'zod'
import { canonicalName } from '#contract/events.ts'
import { asRecord } from '#control-plane/alerting/mail/voice.ts'
import { clean } from '#control-plane/alerting/mail/words.ts'
import { texts } from '#locales/texts.ts'
import { alertKeyOf, phaseOf } from './alert-key.ts'
import { reading } from './fields.ts'
import { channelKind, post } from './kind.ts'
import { cut, limits } from './limits.ts'
import { notificationFor } from './read.ts'

const { pagerduty: most } = limits
const severities: Record<string, string> = { critical: 'critical', major: 'error', minor: 'warning' }

export const pagerduty = channelKind({
  type: 'pagerduty',
  config: z.object({
    routing_key: z.string().regex(/^[A-Za-z0-9]{8,64}$/, 'Must be the integration’s routing key.'),
    ...reading,
  }),
  secrets: ['routing_key'],
  urls: [],

  write(message, { routing_key, ...config }, sending) {
    const event = canonicalName(message.event)
    const phase = phaseOf(event)
    const action = phase === 'resolved' ? 'resolve' : phase === 'acknowledged' ? 'acknowledge' : 'trigger'
    const known = {
      routing_key,
      event_action: action,
      dedup_key: cut(alertKeyOf(message, sending.attempt.id), most.dedupKey),
    }
    const url = `${sending.receivers.pagerduty}/v2/enqueue`
    if (action !== 'trigger') return post(url, known)

    const { subject, paragraphs, details, lists, buttons, note, tone } = notificationFor(message, config, sending)
    const payload = asRecord(clean(message.payload))
    const { summary, next_step } = texts('notifications', config.language ?? 'en').shared
    const { host } = new URL(sending.home.baseUrl)
    // no link to acknowledge: PagerDuty has its own acknowledgement and does not report it
    const [page] = buttons
    return post(url, {
      ...known,
      client: host,
      ...(page && { client_url: page.url, links: [{ href: page.url, text: cut(page.label, most.linkText) }] }),
      payload: {
        summary: cut(subject, most.summary),
        source: cut(String(payload.monitor_url ?? host), most.source),
        severity: severities[String(payload.severity)] ?? (tone === 'neutral' ? 'info' : 'warning'),
        ...(typeof payload.started_at === 'string' && { timestamp: payload.started_at }),
        ...(typeof payload.monitor_name === 'string' && { component: cut(payload.monitor_name, most.source) }),
        ...(typeof payload.code === 'string' && { class: cut(payload.code, most.source) }),
        custom_details: Object.fromEntries([
          ...(paragraphs.length > 0 ? [[summary, cut(paragraphs.join(' '), most.detail)]] : []),
          ...details.map(({ label, value }) => [label, cut(value, most.detail)]),
          ...lists.map(({ title, rows }) => [
            title,
            cut(rows.map(({ text, detail }) => (detail === '' ? text : `${text}: ${detail}`)).join('\n'), most.detail),
          ]),
          ...(note === '' ? [] : [[next_step, cut(note, most.detail)]]),
        ]),
      },
    })
  },
})
