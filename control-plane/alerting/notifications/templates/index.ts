import { canonicalName, events } from '#contract/events.ts'
import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { certificateRenewed, dnsRecordsChanged, nameserverChanged } from './change.ts'
import { incidentAcknowledged, incidentCreated, incidentResolved } from './incident.ts'
import { maintenanceTemplates } from './maintenance.ts'
import { monitorTemplates } from './monitor.ts'
import { flapping, flappingResolved, stormDetected, stormResolved } from './suppression.ts'
import { teamTemplates } from './team.ts'
import { warning, warningCleared } from './warning.ts'

const templates: ReadonlyMap<string, MessageTemplate> = new Map(
  Object.entries({
    'incident.created': incidentCreated,
    'incident.resolved': incidentResolved,
    'incident.acknowledged': incidentAcknowledged,
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
    ...teamTemplates,
  }),
)

/** Of an event that has no words of its own: `email.*`, which machines alone receive, and what somebody tries a channel with. */
const anyEvent: MessageTemplate = {
  tone: 'neutral',
  derive: ({ event }) => ({ description: events.get(canonicalName(String(event)))?.description ?? String(event) }),
  en: {
    subject: '{{ description }}',
    heading: '{{ description }}',
    paragraphs: [],
    facts: [['When', '{{ timestamp | moment }}']],
  },
  de: {
    subject: 'Ereignis {{ event }}',
    heading: 'Ereignis {{ event }}',
    paragraphs: [],
    facts: [['Wann', '{{ timestamp | moment }}']],
  },
}

/** The words of an event, whatever name a receiver subscribed to. */
export function templateOf(name: string): MessageTemplate {
  const event = canonicalName(name)
  return templates.get(event) ?? (event.startsWith('warning.') ? warning : anyEvent)
}
