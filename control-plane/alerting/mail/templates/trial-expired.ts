import { beyondLists, beyondNow, deriveBeyond } from './beyond-plan.ts'
import { template } from './template.ts'
import { deriveAfter } from './trial-plan.ts'

export const trialExpired = template({
  type: 'trial_expired',
  tone: 'warning',
  link: '{{ brand.upgrade_url }}',
  secondLink: '{{ plan_url }}',
  derive: (data, language) => ({ ...deriveAfter('plan')(data), ...deriveBeyond(data, language) }),
  en: {
    subject: 'The trial of {{ team_name }} has ended – {{ brand_name }}',
    heading: 'Your trial has ended',
    paragraphs: [
      'The team {{ team_name }} is on the {% if after %}plan {{ after }}{% else %}free plan{% endif %} now; until now it was {{ brand.plan_labels[previous_plan] | default: previous_plan }}.',
      beyondNow.en,
    ],
    lists: beyondLists.en,
    button: 'Choose a plan',
    secondButton: '{% if monitors_on_hold > 0 %}Choose which monitors stay{% endif %}',
    note: '{% unless brand.upgrade_url or on_hold == "" %}To have everything checked again, ask {{ brand_name }} for a plan.{% endunless %}',
  },
  de: {
    subject: 'Die Testphase von {{ team_name }} ist zu Ende – {{ brand_name }}',
    heading: 'Ihre Testphase ist zu Ende',
    paragraphs: [
      'Für das Team {{ team_name }} gilt jetzt der {% if after %}Tarif {{ after }}{% else %}kostenlose Tarif{% endif %}; bisher war es {{ brand.plan_labels[previous_plan] | default: previous_plan }}.',
      beyondNow.de,
    ],
    lists: beyondLists.de,
    button: 'Tarif wählen',
    secondButton: '{% if monitors_on_hold > 0 %}Wählen, welche Monitore bleiben{% endif %}',
    note: '{% unless brand.upgrade_url or on_hold == "" %}Damit wieder alles geprüft wird, fragen Sie bei {{ brand_name }} nach einem Tarif.{% endunless %}',
  },
})
