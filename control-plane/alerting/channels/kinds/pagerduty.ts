import { z } from 'zod'
import { meantBy } from '#contract/events.ts'
import { channelKind, type Message, post } from './kind.ts'
import { cut, limits } from './limits.ts'
import { wordsOf } from './words.ts'

const severities: Record<string, string> = { critical: 'critical', major: 'error', minor: 'warning' }
const ends: Record<string, string> = {
  'incident.resolved': 'incident',
  'monitor.flapping_resolved': 'flapping',
  'storm.resolved': 'storm',
  'warning.cleared': 'warning',
}
const begins: Record<string, string> = {
  'incident.created': 'incident',
  'incident.acknowledged': 'incident',
  'monitor.flapping': 'flapping',
  'storm.detected': 'storm',
}

export const pagerduty = channelKind({
  type: 'pagerduty',
  config: z.object({ routing_key: z.string().regex(/^[A-Za-z0-9]{8,64}$/, 'Must be the integration’s routing key.') }),
  secrets: ['routing_key'],
  urls: [],

  write(message, { routing_key }, { id }, { pagerduty: base }) {
    const event = meantBy(message.event)
    const { title, lines, tone } = wordsOf(message)
    const action = event in ends ? 'resolve' : event === 'incident.acknowledged' ? 'acknowledge' : 'trigger'
    return post(`${base}/v2/enqueue`, {
      routing_key,
      event_action: action,
      dedup_key: cut(dedupKeyOf(message, id), limits.pagerduty.dedupKey),
      ...(action === 'trigger' && {
        payload: {
          summary: cut(title, limits.pagerduty.summary),
          source: cut(String(message.payload.monitor_url ?? 'vedette'), limits.pagerduty.dedupKey),
          severity: severities[String(message.payload.severity)] ?? (tone === 'neutral' ? 'info' : 'warning'),
          custom_details: Object.fromEntries(lines.map(([label, value]) => [label, cut(value, limits.pagerduty.detail)])),
        },
      }),
    })
  },
})

/** The same for what begins and for what ends it. */
function dedupKeyOf({ event: name, payload }: Message, id: string): string {
  const event = meantBy(name)
  const about = ends[event] ?? begins[event] ?? (event.startsWith('warning.') ? 'warning' : undefined)
  if (about === 'incident') return `vedette-incident-${payload.incident_id}`
  if (about === 'storm') return `vedette-storm-${payload.storm_id}`
  if (about === 'warning') return `vedette-warning-${payload.check_id}`
  return about === undefined ? `vedette-${id}` : `vedette-${about}-${payload.monitor_id}`
}
