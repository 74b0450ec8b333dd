import type { Scope } from '#control-plane/alerting/mail/content.ts'
import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { teamOf, textsOf } from '#control-plane/alerting/notifications/values.ts'

interface Wording {
  tone: MessageTemplate['tone']
  en: string
  de: string
}

const derive = (data: Scope) => ({
  team: teamOf(data),
  named: textsOf(data.monitor_ids).length,
  tag_list: textsOf(data.tags).join(', '),
})

const notice = ({ tone, en, de }: Wording): MessageTemplate => ({
  tone,
  derive,
  en: {
    subject: en,
    heading: en,
    paragraphs: ['{{ description }}'],
    details: [
      ['Team', '{{ team }}'],
      ['Start', '{{ starts_at | moment }}'],
      ['End', '{{ ends_at | moment }}'],
      ['Monitors', '{% if all %}all{% elsif named > 0 %}{{ named }} named{% endif %}'],
      ['Tags', '{{ tag_list }}'],
    ],
  },
  de: {
    subject: de,
    heading: de,
    paragraphs: ['{{ description }}'],
    details: [
      ['Team', '{{ team }}'],
      ['Beginn', '{{ starts_at | moment }}'],
      ['Ende', '{{ ends_at | moment }}'],
      ['Monitore', '{% if all %}alle{% elsif named > 0 %}{{ named }} genannt{% endif %}'],
      ['Tags', '{{ tag_list }}'],
    ],
  },
})

export const maintenanceTemplates: Record<string, MessageTemplate> = {
  'maintenance.scheduled': notice({
    tone: 'neutral',
    en: 'Maintenance is planned: {{ title }}',
    de: 'Wartung geplant: {{ title }}',
  }),
  'maintenance.started': notice({
    tone: 'neutral',
    en: 'Maintenance has begun: {{ title }}',
    de: 'Wartung begonnen: {{ title }}',
  }),
  'maintenance.ended': notice({
    tone: 'good',
    en: 'Maintenance is over: {{ title }}',
    de: 'Wartung beendet: {{ title }}',
  }),
  'maintenance.cancelled': notice({
    tone: 'neutral',
    en: 'Maintenance was cancelled: {{ title }}',
    de: 'Wartung abgesagt: {{ title }}',
  }),
}
