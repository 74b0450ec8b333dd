import { canonicalName, events } from '#contract/events.ts'
import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { certificateRenewed, dnsRecordsChanged, nameserverChanged } from './change.ts'
import {
  escalationExhausted,
  incidentAcknowledged,
  incidentCreated,
  incidentEscalated,
  incidentResolved,
} from './incident.ts'
import { maintenanceTemplates } from './maintenance.ts'
import { monitorTemplates } from './monitor.ts'
import { gapFound } from './on-call.ts'
import { sloTemplates } from './slo.ts'
import { statusPageTemplates } from './status-page.ts'
import { flapping, flappingResolved, stormDetected, stormResolved } from './suppression.ts'
import { billingTemplates, teamTemplates } from './team.ts'
import { warning, warningCleared } from './warning.ts'

const templates: ReadonlyMap<string, MessageTemplate> = new Map(
  Object.entries({
    'incident.created': incidentCreated,
    'incident.resolved': incidentResolved,
    'incident.acknowledged': incidentAcknowledged,
    'incident.escalated': incidentEscalated,
    'incident.escalation_exhausted': escalationExhausted,
    'warning.cleared': warningCleared,
    'dns.records_changed': dnsRecordsChanged,
    'dns.nameserver_changed': nameserverChanged,
    'certificate.renewed': certificateRenewed,
    'monitor.flapping': flapping,
    'monitor.flapping_resolved': flappingResolved,
    'storm.detected': stormDetected,
    'storm.resolved': stormResolved,
    ...maintenanceTemplates,
    ...monitorTemplates,
    ...statusPageTemplates,
    'on_call.gap_found': gapFound,
    ...sloTemplates,
    ...teamTemplates,
    ...billingTemplates,
  }),
)

/** The template of events without their own: `email.*`, which only webhooks get, and tests of channels. */
const anyEvent: MessageTemplate = {
  tone: 'neutral',
  derive: ({ event }) => ({ description: events.get(canonicalName(String(event)))?.description ?? String(event) }),
  en: {
    subject: '{{ description }}',
    heading: '{{ description }}',
    paragraphs: [],
    details: [['When', '{{ timestamp | moment }}']],
  },
  de: {
    subject: 'Ereignis {{ event }}',
    heading: 'Ereignis {{ event }}',
    paragraphs: [],
    details: [['Wann', '{{ timestamp | moment }}']],
  },
}

/** The template of an event, also by an alias. */
export function templateOf(name: string): MessageTemplate {
  const event = canonicalName(name)
  return templates.get(event) ?? (event.startsWith('warning.') ? warning : anyEvent)
}
