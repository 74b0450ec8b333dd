import type { Language } from '#contract/languages.ts'
import type { Scope } from '#control-plane/alerting/mail/content.ts'
import { amounts, beyondLists, beyondNow, deriveBeyond } from './beyond-plan.ts'
import { template } from './template.ts'

/** `stopped`, `released`: what this change put on hold and what it released, as amounts. */
const derive = (data: Scope, language: Language) => ({
  ...deriveBeyond(data, language),
  stopped: amounts(language, data.monitors_held, data.channels_held),
  stopped_one: Number(data.monitors_held) + Number(data.channels_held) === 1,
  released: amounts(language, data.monitors_released, data.channels_released),
  released_one: Number(data.monitors_released) + Number(data.channels_released) === 1,
})

const planLabel = '{{ brand.plan_labels[plan] | default: plan }}'

export const onHoldChanged = template({
  type: 'on_hold_changed',
  tone: 'warning',
  link: '{{ plan_url }}',
  derive,
  en: {
    subject:
      '{% if stopped != "" %}{{ stopped }} of {{ team_name }} {% if stopped_one %}is{% else %}are{% endif %} on hold' +
      '{% else %}{{ released }} of {{ team_name }} {% if released_one %}is{% else %}are{% endif %} no longer on hold' +
      '{% endif %} – {{ brand_name }}',
    heading:
      '{% if stopped != "" %}{{ stopped }} {% if stopped_one %}is{% else %}are{% endif %} on hold' +
      '{% else %}{{ released }} {% if released_one %}is{% else %}are{% endif %} no longer on hold{% endif %}',
    paragraphs: [
      `The plan of the team {{ team_name }} is ${planLabel}, and its limits have changed.` +
        '{% if stopped != "" and released != "" %} {{ released }} {% if released_one %}is{% else %}are{% endif %} no ' +
        'longer on hold.{% endif %}{% if is_unpaused %} The team is no longer paused.{% endif %}',
      beyondNow.en,
    ],
    details: [['Since', '{{ changed_at | moment }}']],
    lists: beyondLists.en,
    button: '{% if monitors_on_hold > 0 %}Choose which monitors stay{% else %}Open the plan{% endif %}',
  },
  de: {
    subject:
      '{% if stopped != "" %}{{ stopped }} von {{ team_name }} {% if stopped_one %}ruht{% else %}ruhen{% endif %}' +
      '{% else %}{{ released }} von {{ team_name }} {% if released_one %}ruht{% else %}ruhen{% endif %} nicht mehr' +
      '{% endif %} – {{ brand_name }}',
    heading:
      '{% if stopped != "" %}{{ stopped }} {% if stopped_one %}ruht{% else %}ruhen{% endif %}' +
      '{% else %}{{ released }} {% if released_one %}ruht{% else %}ruhen{% endif %} nicht mehr{% endif %}',
    paragraphs: [
      `Für das Team {{ team_name }} gilt der Tarif ${planLabel}, und seine Grenzen sind andere.` +
        '{% if stopped != "" and released != "" %} {{ released }} {% if released_one %}ruht{% else %}ruhen{% endif %} ' +
        'nicht mehr.{% endif %}{% if is_unpaused %} Das Team ist nicht mehr pausiert.{% endif %}',
      beyondNow.de,
    ],
    details: [['Seit', '{{ changed_at | moment }}']],
    lists: beyondLists.de,
    button: '{% if monitors_on_hold > 0 %}Wählen, welche Monitore bleiben{% else %}Tarif öffnen{% endif %}',
  },
})
