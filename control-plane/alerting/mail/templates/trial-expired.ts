import { template } from './template.ts'
import { deriveAfter } from './trial-plan.ts'

export const trialExpired = template({
  type: 'trial_expired',
  tone: 'warning',
  link: '{{ brand.upgrade_url }}',
  derive: deriveAfter('plan'),
  en: {
    subject: 'The trial of {{ team_name }} has ended – {{ brand_name }}',
    heading: 'Your trial has ended',
    paragraphs: [
      'The team {{ team_name }} is on the {% if after %}plan {{ after }}{% else %}free plan{% endif %} now; until now it was {{ brand.plan_labels[previous_plan] | default: previous_plan }}. Nothing was deleted: what goes beyond the plan is on hold and not checked.',
    ],
    button: 'Choose a plan',
    note: '{% unless brand.upgrade_url %}To have everything checked again, ask {{ brand_name }} for a plan.{% endunless %}',
  },
  de: {
    subject: 'Die Testphase von {{ team_name }} ist zu Ende – {{ brand_name }}',
    heading: 'Ihre Testphase ist zu Ende',
    paragraphs: [
      'Für das Team {{ team_name }} gilt jetzt der {% if after %}Tarif {{ after }}{% else %}kostenlose Tarif{% endif %}; bisher war es {{ brand.plan_labels[previous_plan] | default: previous_plan }}. Nichts wurde gelöscht: Was über den Tarif hinausgeht, ruht und wird nicht geprüft.',
    ],
    button: 'Tarif wählen',
    note: '{% unless brand.upgrade_url %}Damit wieder alles geprüft wird, fragen Sie bei {{ brand_name }} nach einem Tarif.{% endunless %}',
  },
})
