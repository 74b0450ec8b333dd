import { template } from './template.ts'
import { deriveAfter } from './trial-plan.ts'

export const trialEnding = template({
  type: 'trial_ending',
  tone: 'warning',
  link: '{{ brand.upgrade_url }}',
  derive: deriveAfter('plan_after_trial'),
  en: {
    subject:
      'The trial of {{ team_name }} ends {% if days_remaining == 1 %}tomorrow{% else %}in {{ days_remaining }} days{% endif %} – {{ brand_name }}',
    heading: 'Your trial ends {% if days_remaining == 1 %}tomorrow{% else %}in {{ days_remaining }} days{% endif %}',
    paragraphs: [
      'The team {{ team_name }} tries out the plan {{ brand.plan_labels[plan] | default: plan }}. After the trial {% if after %}the plan {{ after }}{% else %}the free plan{% endif %} applies. Nothing is deleted: what goes beyond the plan is put on hold.',
    ],
    details: [['End of the trial', '{{ trial_ends_at | moment }}']],
    button: 'Choose a plan',
    note: '{% unless brand.upgrade_url %}To keep everything checked, ask {{ brand_name }} for a plan before then.{% endunless %}',
  },
  de: {
    subject:
      'Die Testphase von {{ team_name }} endet {% if days_remaining == 1 %}morgen{% else %}in {{ days_remaining }} Tagen{% endif %} – {{ brand_name }}',
    heading:
      'Ihre Testphase endet {% if days_remaining == 1 %}morgen{% else %}in {{ days_remaining }} Tagen{% endif %}',
    paragraphs: [
      'Das Team {{ team_name }} probiert den Tarif {{ brand.plan_labels[plan] | default: plan }} aus. Danach gilt der {% if after %}Tarif {{ after }}{% else %}kostenlose Tarif{% endif %}. Nichts wird gelöscht: Was über den Tarif hinausgeht, ruht.',
    ],
    details: [['Ende der Testphase', '{{ trial_ends_at | moment }}']],
    button: 'Tarif wählen',
    note: '{% unless brand.upgrade_url %}Damit alles geprüft bleibt, fragen Sie vorher bei {{ brand_name }} nach einem Tarif.{% endunless %}',
  },
})
