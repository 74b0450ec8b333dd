import { canonicalName, type EventName, type WarningName } from '#contract/events.ts'
import type { Message } from './kind.ts'

/** What an event says of an alert. An event without an alert, such as the renewal of a certificate, is a notice. */
export const phases = ['opened', 'acknowledged', 'resolved', 'notice'] as const
export type Phase = (typeof phases)[number]

/** The field of a payload in which the alerts of a subject differ. */
const fields = {
  incident: 'incident_id',
  flapping: 'monitor_id',
  storm: 'storm_id',
  warning: 'check_id',
  budget: 'monitor_id',
  schedule: 'schedule_id',
} as const
type Subject = keyof typeof fields
type InAlert = readonly [Exclude<Phase, 'notice'>, Subject]

/** Warnings are named here as well, so that a new one is placed on purpose. */
const warnings: Record<WarningName, InAlert> = {
  'warning.application_health': ['opened', 'warning'],
  'warning.broken_links': ['opened', 'warning'],
  'warning.degraded_performance': ['opened', 'warning'],
  'warning.dnsbl_listing': ['opened', 'warning'],
  'warning.domain_expiring': ['opened', 'warning'],
  'warning.mixed_content': ['opened', 'warning'],
  'warning.redirect_chain': ['opened', 'warning'],
  'warning.robots_txt': ['opened', 'warning'],
  'warning.security_headers': ['opened', 'warning'],
  'warning.server_resources': ['opened', 'warning'],
  'warning.sitemap_issues': ['opened', 'warning'],
  'warning.ssl_expiring': ['opened', 'warning'],
}

/**
 * The phase of every event but `email.*`, which webhooks alone receive, and what its alert is about. Events that ask
 * for an action open an alert, those of a gap on call too, which has no event for its end.
 */
export const placed: Record<Exclude<EventName, `email.${string}`>, InAlert | 'notice'> = {
  'incident.created': ['opened', 'incident'],
  'incident.escalated': ['opened', 'incident'],
  'incident.escalation_exhausted': ['opened', 'incident'],
  'incident.acknowledged': ['acknowledged', 'incident'],
  'incident.resolved': ['resolved', 'incident'],
  'monitor.flapping': ['opened', 'flapping'],
  'monitor.flapping_resolved': ['resolved', 'flapping'],
  'storm.detected': ['opened', 'storm'],
  'storm.resolved': ['resolved', 'storm'],
  ...warnings,
  'warning.cleared': ['resolved', 'warning'],
  'slo.budget_burning': ['opened', 'budget'],
  'slo.budget_exhausted': ['opened', 'budget'],
  'slo.budget_recovered': ['resolved', 'budget'],
  'on_call.gap_found': ['opened', 'schedule'],

  'billing.invoice_paid': 'notice',
  'billing.payment_failed': 'notice',
  'billing.plan_changed': 'notice',
  'certificate.renewed': 'notice',
  'dns.nameserver_changed': 'notice',
  'dns.records_changed': 'notice',
  'invitation.created': 'notice',
  'invitation.resent': 'notice',
  'maintenance.cancelled': 'notice',
  'maintenance.ended': 'notice',
  'maintenance.scheduled': 'notice',
  'maintenance.started': 'notice',
  'member.added': 'notice',
  'member.erased': 'notice',
  'member.removed': 'notice',
  'monitor.created': 'notice',
  'monitor.deleted': 'notice',
  'monitor.disabled': 'notice',
  'monitor.enabled': 'notice',
  'monitor.updated': 'notice',
  'status_page.incident_posted': 'notice',
  'status_page.incident_updated': 'notice',
  'status_page.published': 'notice',
  'team.deleted': 'notice',
  'team.paused': 'notice',
  'team.provisioned': 'notice',
  'team.restored': 'notice',
  'team.trial_ending': 'notice',
  'team.trial_expired': 'notice',
  'team.unpaused': 'notice',
  'tenant.quota_exceeded': 'notice',
  'tenant.quota_warning': 'notice',
}

const places: ReadonlyMap<string, InAlert | 'notice'> = new Map(Object.entries(placed))
const alertOf = (name: string): InAlert | null => {
  const place = places.get(canonicalName(name)) ?? 'notice'
  return place === 'notice' ? null : place
}

export const phaseOf = (name: string): Phase => alertOf(name)?.[0] ?? 'notice'

const ends = new Map(
  [...places].flatMap(([name, place]): [Subject, string][] =>
    place !== 'notice' && place[0] === 'resolved' ? [[place[1], name]] : [],
  ),
)

/** The event that ends the alert that an event opens; null: it opens none, or one without an event for its end. */
export function endOf(name: string): string | null {
  const alert = alertOf(name)
  return alert?.[0] === 'opened' ? (ends.get(alert[1]) ?? null) : null
}

/** The same key for all events of an alert, from the one that opens it to its end; `id` for events without an alert. */
export function alertKeyOf({ event, payload }: Pick<Message, 'event' | 'payload'>, id: string): string {
  const alert = alertOf(event)
  return alert === null ? `vedette-${id}` : `vedette-${alert[1]}-${payload[fields[alert[1]]]}`
}
