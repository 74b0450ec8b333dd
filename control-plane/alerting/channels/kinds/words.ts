import { events, meantBy } from '#contract/events.ts'
import type { Message } from './kind.ts'

export type Tone = 'bad' | 'good' | 'warning' | 'neutral'

/** A message in words, the same for all receivers that people read. */
export interface Words {
  title: string
  lines: [label: string, value: string][]
  tone: Tone
}

const good = new Set(['incident.resolved', 'warning.cleared', 'monitor.flapping_resolved', 'storm.resolved', 'certificate.renewed', 'team.unpaused'])
const bad = new Set(['incident.created', 'storm.detected'])
const warnings = /^(warning\.|dns\.|monitor\.flapping$|team\.trial_ending$|tenant\.quota_)/

export function toneOf(name: string): Tone {
  const event = meantBy(name)
  if (good.has(event)) return 'good'
  if (bad.has(event)) return 'bad'
  return warnings.test(event) ? 'warning' : 'neutral'
}

const labels: Record<string, string> = {
  title: 'What',
  monitor_name: 'Monitor',
  monitor_url: 'Address',
  severity: 'Severity',
  started_at: 'Since',
  resolved_at: 'Until',
  zone: 'Zone',
  tenant_name: 'Team',
  reason: 'Reason',
  plan: 'Plan',
  previous_plan: 'Plan until now',
  trial_ends_at: 'Trial ends',
  feature: 'Feature',
  current_count: 'Now',
  limit: 'Limit',
  monitors_count: 'Monitors',
  down_count: 'Down now',
  issuer: 'Issuer',
  valid_to: 'Valid to',
  name: 'Name',
  role: 'Role',
}

export function wordsOf({ event, payload }: Message): Words {
  const subject = textOf(payload.monitor_name) ?? textOf(payload.tenant_name) ?? textOf(payload.name)
  const team = isRecord(payload._managed_tenant) ? textOf(payload._managed_tenant.name) : undefined
  const isTest = payload.test === true
  const lines = Object.entries(labels).flatMap(([name, label]): [string, string][] => {
    const value = textOf(payload[name])
    return value === undefined ? [] : [[label, value]]
  })
  const names = Array.isArray(payload.monitor_names) ? payload.monitor_names.flatMap(name => textOf(name) ?? []) : []
  const others = Number(payload.monitors_count ?? 0) - names.length
  const times = Array.isArray(payload.incidents) ? payload.incidents.flatMap(incident => (isRecord(incident) ? (textOf(incident.started_at) ?? []) : [])) : []
  const failed = isRecord(payload.quorum) && Array.isArray(payload.quorum.failed) ? payload.quorum.failed.map(String).join(', ') : ''
  return {
    title: `${isTest ? '[Test] ' : ''}${headline(event, subject)}`,
    lines: [
      ...optional('Team', team),
      ...lines,
      ...optional('Which', listOf(names, others)),
      ...optional('Was down at', times.join(', ')),
      ...optional('Seen from', failed),
    ],
    tone: toneOf(event),
  }
}

const listOf = (names: string[], others: number) => (names.length > 0 && others > 0 ? `${names.join(', ')} and ${others} more` : names.join(', '))
const optional = (label: string, value: string | undefined): [string, string][] => (value ? [[label, value]] : [])

function headline(name: string, subject: string | undefined): string {
  const event = meantBy(name)
  if (event === 'incident.created') return `${subject ?? 'A monitor'} is down`
  if (event === 'incident.resolved') return `${subject ?? 'A monitor'} is up again`
  if (event === 'incident.acknowledged') return `${subject ?? 'A monitor'} is seen to`
  const words = events.get(event)?.description ?? name
  return subject === undefined ? words : `${subject}: ${words}`
}

/** One line each: what receivers take for line breaks is none of the sender's. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value)
        .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
        .trim() || undefined
    : undefined

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
