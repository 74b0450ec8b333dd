import { template } from './template.ts'

export const warning = template({
  type: 'warning',
  tone: 'warning',
  isAlert: true,
  en: {
    subject: '{% if warning == "cleared" %}All clear for {{ monitor_name }}{% else %}Warning for {{ monitor_name }}{% endif %}: {{ title }}',
    heading: '{% if warning == "cleared" %}All clear for {{ monitor_name }}{% else %}Warning for {{ monitor_name }}{% endif %}',
    paragraphs: ['{{ title }}'],
    facts: [
      ['Address', '{{ monitor_url }}'],
      ['Check', '{{ check_type }}'],
    ],
  },
  de: {
    subject: '{% if warning == "cleared" %}Entwarnung für {{ monitor_name }}{% else %}Warnung für {{ monitor_name }}{% endif %}: {{ title }}',
    heading: '{% if warning == "cleared" %}Entwarnung für {{ monitor_name }}{% else %}Warnung für {{ monitor_name }}{% endif %}',
    paragraphs: ['{{ title }}'],
    facts: [
      ['Adresse', '{{ monitor_url }}'],
      ['Prüfung', '{{ check_type }}'],
    ],
  },
})
