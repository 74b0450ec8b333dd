import { canonicalName, events } from '#contract/events.ts'
import type { Named } from '#control-plane/alerting/mail/content.ts'
import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { changes } from './change.ts'
import { incidents } from './incident.ts'
import { monitoringEvents } from './monitoring.ts'
import { suppressions } from './suppression.ts'
import { teamEvents } from './team.ts'
import { warnings } from './warning.ts'

const templates: Readonly<Record<string, MessageTemplate>> = {
  ...incidents,
  ...warnings,
  ...changes,
  ...suppressions,
  ...monitoringEvents,
  ...teamEvents,
}

/** The template of events without their own: `email.*`, which only webhooks get, and tests of channels. */
const anyEvent: MessageTemplate = {
  tone: 'neutral',
  details: ['timestamp'],
  derive: ({ event }) => ({ description: events.get(canonicalName(String(event)))?.description ?? String(event) }),
}

/** The template of an event, also by an alias. */
export function templateOf(event: string): Named {
  const canonical = canonicalName(event)
  const name = canonical.startsWith('warning.') && !Object.hasOwn(templates, canonical) ? 'warning' : canonical
  return { area: 'notifications', ...(templates[name] ? { name, ...templates[name] } : { name: 'any', ...anyEvent }) }
}
