import { beyondAhead, beyondLists, deriveBeyond } from './beyond-plan.ts'
import { template } from './template.ts'
import { deriveAfter } from './trial-plan.ts'

export const trialEnding = template({
  type: 'trial_ending',
  tone: 'warning',
  link: '{{ brand.upgrade_url }}',
  secondLink: '{{ plan_url }}',
  derive: (data, language) => ({
    ...deriveAfter('plan_after_trial')(data),
    ...deriveBeyond(data, language),
    is_ahead: true,
  }),
  en: {
    subject:
      'The trial of {{ team_name }} ends {% if days_remaining == 1 %}tomorrow{% else %}in {{ days_remaining }} days{% endif %} – {{ brand_name }}',
    heading: 'Your trial ends {% if days_remaining == 1 %}tomorrow{% else %}in {{ days_remaining }} days{% endif %}',
    paragraphs: [
      'The team {{ team_name }} tries out the plan {{ brand.plan_labels[plan] | default: plan }}. After the trial {% if after %}the plan {{ after }}{% else %}the free plan{% endif %} applies.',
      beyondAhead.en,
    ],
    details: [['End of the trial', '{{ trial_ends_at | moment }}']],
    lists: beyondLists.en,
    button: 'Choose a plan',
    secondButton: '{% if monitors_on_hold > 0 %}Choose which monitors stay{% endif %}',
    note: '{% unless brand.upgrade_url %}To keep everything checked, ask {{ brand_name }} for a plan before then.{% endunless %}',
  },
  de: {
    subject:
      'Die Testphase von {{ team_name }} endet {% if days_remaining == 1 %}morgen{% else %}in {{ days_remaining }} Tagen{% endif %} – {{ brand_name }}',
    heading:
      'Ihre Testphase endet {% if days_remaining == 1 %}morgen{% else %}in {{ days_remaining }} Tagen{% endif %}',
    paragraphs: [
      'Das Team {{ team_name }} probiert den Tarif {{ brand.plan_labels[plan] | default: plan }} aus. Danach gilt der {% if after %}Tarif {{ after }}{% else %}kostenlose Tarif{% endif %}.',
      beyondAhead.de,
    ],
    details: [['Ende der Testphase', '{{ trial_ends_at | moment }}']],
    lists: beyondLists.de,
    button: 'Tarif wählen',
    secondButton: '{% if monitors_on_hold > 0 %}Wählen, welche Monitore bleiben{% endif %}',
    note: '{% unless brand.upgrade_url %}Damit alles geprüft bleibt, fragen Sie vorher bei {{ brand_name }} nach einem Tarif.{% endunless %}',
  },
})
