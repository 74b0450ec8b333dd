import type { MessageTemplate, Tone } from '#control-plane/alerting/mail/templates/template.ts'
import { isGiven, type Scope, type Voice } from '#control-plane/alerting/mail/voice.ts'
import { teamOf, textOf, textsOf } from '#control-plane/alerting/notifications/values.ts'

const deriveTeam = (data: Scope) => ({ team: teamOf(data) })

const ofMonitor: MessageTemplate = {
  tone: 'neutral',
  details: ['team', 'monitor_url', 'timestamp'],
  buttons: { open_monitor: 'details_url' },
  derive: deriveTeam,
}

const maintenance = (tone: Tone): MessageTemplate => ({
  tone,
  groups: ['maintenance'],
  paragraphs: ['{description}'],
  details: ['team', 'starts_at', 'ends_at', 'monitors', 'tag_list'],
  derive(data, { say }) {
    const named = textsOf(data.monitor_ids).length
    return {
      ...deriveTeam(data),
      monitors: isGiven(data.all) ? say('all') : named > 0 ? say('named', { named }) : '',
      tag_list: textsOf(data.tags).join(', '),
    }
  },
})

const budget = (tone: Tone): MessageTemplate => ({
  tone,
  groups: ['slo'],
  details: ['team', 'monitor_name', 'objective', 'uptime_pct', 'left'],
  derive: (data, { say }) => ({ ...deriveTeam(data), objective: say('objective'), left: say('left') }),
})

const post: MessageTemplate = {
  tone: 'neutral',
  groups: ['status_page'],
  paragraphs: ['{body}'],
  details: ['team', 'page', 'phase_name', 'started_at', 'resolved_at'],
  derive: (data: Scope, { find }: Voice) => ({
    ...deriveTeam(data),
    page: `${textOf(data.status_page_name)} – ${textOf(data.status_page_url)}`,
    phase_name: find(`phases.${textOf(data.phase)}`) ?? data.phase,
  }),
}

export const monitoringEvents: Record<string, MessageTemplate> = {
  'monitor.created': ofMonitor,
  'monitor.updated': ofMonitor,
  'monitor.deleted': { ...ofMonitor, buttons: {} },
  'monitor.enabled': ofMonitor,
  'monitor.disabled': ofMonitor,
  'maintenance.scheduled': maintenance('neutral'),
  'maintenance.started': maintenance('neutral'),
  'maintenance.ended': maintenance('good'),
  'maintenance.cancelled': maintenance('neutral'),
  'slo.budget_burning': budget('warning'),
  'slo.budget_exhausted': budget('bad'),
  'slo.budget_recovered': budget('good'),
  'status_page.published': {
    tone: 'neutral',
    groups: ['status_page'],
    details: ['team', 'status_page_url'],
    derive: deriveTeam,
  },
  'status_page.incident_posted': post,
  'status_page.incident_updated': post,
  'on_call.gap_found': {
    tone: 'warning',
    hasTimezone: true,
    details: ['team', 'starts_at', 'ends_at'],
    derive: deriveTeam,
  },
}
