import { canonicalName } from '#contract/events.ts'
import type { Message } from './kind.ts'

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

/** What an event says of an alert. An event without an alert, such as the renewal of a certificate, is a notice. */
export const phases = ['opened', 'resolved', 'notice'] as const
export type Phase = (typeof phases)[number]

export function phaseOf(name: string): Phase {
  const event = canonicalName(name)
  if (Object.hasOwn(ends, event)) return 'resolved'
  return Object.hasOwn(begins, event) || event.startsWith('warning.') ? 'opened' : 'notice'
}

/** The same key for the event that begins an alert and the one that ends it; `id` for events without an alert. */
export function alertKeyOf({ event: name, payload }: Message, id: string): string {
  const event = canonicalName(name)
  const about = ends[event] ?? begins[event] ?? (event.startsWith('warning.') ? 'warning' : undefined)
  if (about === 'incident') return `vedette-incident-${payload.incident_id}`
  if (about === 'storm') return `vedette-storm-${payload.storm_id}`
  if (about === 'warning') return `vedette-warning-${payload.check_id}`
  return about === undefined ? `vedette-${id}` : `vedette-${about}-${payload.monitor_id}`
}
