import type { Language } from '#contract/languages.ts'
import type { Scope } from '#control-plane/alerting/mail/content.ts'
import { featureName } from '#control-plane/alerting/mail/templates/features.ts'
import type { MessageTemplate, Tone } from '#control-plane/alerting/mail/templates/template.ts'
import { teamOf, textOf } from '#control-plane/alerting/notifications/values.ts'

type Detail = readonly [label: string, value: string]
interface NoticeTexts {
  heading: string
  subject?: string
  details?: readonly Detail[]
  note?: string
}

/** The name of the reader's own team, for events that name no team. */
const own: Record<Language, string> = { en: 'your team', de: 'Ihr Team' }

const derive = (data: Scope, language: Language) => {
  const feature = textOf(data.feature)
  const name = textOf(data.tenant_name) || teamOf(data)
  return {
    team: name || own[language],
    team_first: name || own[language].replace(/^y/, 'Y'),
    in_team: name ? `im Team ${name}` : 'in Ihrem Team',
    feature_name: featureName(language, feature),
    teams_count: Array.isArray(data.teams) ? data.teams.length : 0,
  }
}

const when: Record<Language, Detail> = {
  en: ['When', '{{ timestamp | moment }}'],
  de: ['Wann', '{{ timestamp | moment }}'],
}

/** Of one sentence, with what else is known of it and when it happened. */
function notice(tone: Tone, en: NoticeTexts, de: NoticeTexts): MessageTemplate {
  const complete = (language: Language, { heading, subject, details = [], note }: NoticeTexts) => ({
    subject: subject ?? heading,
    heading,
    paragraphs: [],
    details: [...details, when[language]],
    ...(note !== undefined && { note }),
  })
  return { tone, derive, en: complete('en', en), de: complete('de', de) }
}

export const teamTemplates: Record<string, MessageTemplate> = {
  'team.provisioned': notice(
    'neutral',
    { heading: 'The team {{ team }} was created', details: [['Label', '{{ label }}']] },
    { heading: 'Das Team {{ team }} wurde angelegt', details: [['Etikett', '{{ label }}']] },
  ),
  'team.deleted': notice(
    'neutral',
    {
      heading: 'The team {{ team }} was deleted',
      note: 'It can be restored for thirty days. Afterwards its data is gone.',
    },
    {
      heading: 'Das Team {{ team }} wurde gelöscht',
      note: 'Es kann dreißig Tage lang wiederhergestellt werden. Danach sind seine Daten fort.',
    },
  ),
  'team.restored': notice(
    'good',
    { heading: 'The team {{ team }} was restored', note: 'It is active: its checks run.' },
    { heading: 'Das Team {{ team }} wurde wiederhergestellt', note: 'Es ist aktiv: Seine Prüfungen laufen.' },
  ),
  'team.paused': notice(
    'neutral',
    {
      heading: 'Monitoring of {{ team }} was paused',
      details: [['Reason', '{{ reason }}']],
      note: 'No check runs and nobody is alerted until it is resumed.',
    },
    {
      heading: 'Die Überwachung von {{ team }} wurde angehalten',
      details: [['Grund', '{{ reason }}']],
      note: 'Bis sie fortgesetzt wird, läuft keine Prüfung und niemand wird benachrichtigt.',
    },
  ),
  'team.unpaused': notice(
    'good',
    { heading: 'Monitoring of {{ team }} was resumed' },
    { heading: 'Die Überwachung von {{ team }} wurde fortgesetzt' },
  ),
  'team.trial_ending': notice(
    'warning',
    {
      heading:
        'The trial of {{ team }} ends {% if days_remaining == 1 %}tomorrow{% else %}in {{ days_remaining }} days{% endif %}',
      details: [
        ['Plan', '{{ plan }}'],
        ['Trial ends', '{{ trial_ends_at | moment }}'],
        ['Label', '{{ label }}'],
      ],
      note:
        '{% if plan_after_trial == plan %}Nothing changes then: the team keeps the plan.' +
        '{% elsif plan_after_trial == nil or plan_after_trial == "free" %}Agree on a plan or extend the trial before then. Afterwards the free plan applies, and what exceeds it is not checked.' +
        '{% else %}Afterwards the plan {{ plan_after_trial }} applies, and what exceeds it is not checked.{% endif %}',
    },
    {
      heading:
        'Die Testphase von {{ team }} endet {% if days_remaining == 1 %}morgen{% else %}in {{ days_remaining }} Tagen{% endif %}',
      details: [
        ['Tarif', '{{ plan }}'],
        ['Ende der Testphase', '{{ trial_ends_at | moment }}'],
        ['Etikett', '{{ label }}'],
      ],
      note:
        '{% if plan_after_trial == plan %}Dann ändert sich nichts: Das Team behält den Tarif.' +
        '{% elsif plan_after_trial == nil or plan_after_trial == "free" %}Vereinbaren Sie vorher einen Tarif, oder verlängern Sie die Testphase. Danach gilt der kostenlose Tarif, und was darüber hinausgeht, wird nicht geprüft.' +
        '{% else %}Danach gilt der Tarif {{ plan_after_trial }}, und was darüber hinausgeht, wird nicht geprüft.{% endif %}',
    },
  ),
  'team.trial_expired': notice(
    'warning',
    {
      heading: 'The trial of {{ team }} has ended',
      details: [['Plan until now', '{{ previous_plan }}']],
      note:
        '{% if plan == previous_plan %}The team keeps the plan.' +
        '{% else %}The {% if plan == nil or plan == "free" %}free plan{% else %}plan {{ plan }}{% endif %} applies now. ' +
        'Nothing was deleted; what exceeds the plan is not checked until the team has another one.{% endif %}',
    },
    {
      heading: 'Die Testphase von {{ team }} ist zu Ende',
      details: [['Bisheriger Tarif', '{{ previous_plan }}']],
      note:
        '{% if plan == previous_plan %}Das Team behält den Tarif.' +
        '{% else %}Jetzt gilt der {% if plan == nil or plan == "free" %}kostenlose Tarif{% else %}Tarif {{ plan }}{% endif %}. ' +
        'Nichts wurde gelöscht; was über den Tarif hinausgeht, wird nicht geprüft, bis das Team einen anderen hat.{% endif %}',
    },
  ),
  'tenant.quota_warning': notice(
    'warning',
    {
      heading: '{{ team_first }} uses {{ usage_pct }} % of its {{ feature_name }}',
      subject: '{{ team_first }} uses {{ usage_pct }} % of its {{ feature_name }}: {{ current_count }} of {{ limit }}',
      details: [['In use', '{{ current_count }} of {{ limit }}']],
      note: 'Raise the limit or change the plan before the limit refuses something.',
    },
    {
      heading: '{{ team_first }} nutzt {{ usage_pct }} % des Kontingents „{{ feature_name }}“',
      subject:
        '{{ team_first }} nutzt {{ usage_pct }} % des Kontingents „{{ feature_name }}“: {{ current_count }} von {{ limit }}',
      details: [['Belegt', '{{ current_count }} von {{ limit }}']],
      note: 'Erhöhen Sie die Grenze, oder wechseln Sie den Tarif, bevor etwas abgelehnt wird.',
    },
  ),
  'tenant.quota_exceeded': notice(
    'warning',
    {
      heading: '{{ team_first }} has reached its limit of {{ feature_name }}',
      subject: '{{ team_first }} has reached its limit of {{ feature_name }}: {{ current_count }} of {{ limit }}',
      details: [['In use', '{{ current_count }} of {{ limit }}']],
      note: 'One more was refused. Raise the limit, change the plan, or delete what is not needed.',
    },
    {
      heading: '{{ team_first }} hat die Grenze des Kontingents „{{ feature_name }}“ erreicht',
      subject:
        '{{ team_first }} hat die Grenze des Kontingents „{{ feature_name }}“ erreicht: {{ current_count }} von {{ limit }}',
      details: [['Belegt', '{{ current_count }} von {{ limit }}']],
      note: 'Ein weiterer Eintrag wurde abgelehnt. Erhöhen Sie die Grenze, wechseln Sie den Tarif, oder löschen Sie, was nicht gebraucht wird.',
    },
  ),
  'member.added': notice(
    'neutral',
    { heading: 'Somebody became a member of {{ team }}', details: [['Role', '{{ role | role }}']] },
    { heading: 'Neues Mitglied {{ in_team }}', details: [['Rolle', '{{ role | role }}']] },
  ),
  'member.removed': notice(
    'neutral',
    {
      heading: 'Somebody is no longer a member of {{ team }}',
      details: [['Role', '{{ role | role }}']],
      note: 'Their sessions and keys in this team have ended.',
    },
    {
      heading: 'Ein Mitglied hat {{ team }} verlassen',
      details: [['Rolle', '{{ role | role }}']],
      note: 'Sitzungen und Schlüssel in diesem Team sind beendet.',
    },
  ),
  'member.erased': notice(
    'neutral',
    {
      heading: 'The personal data of {{ name }} was erased',
      details: [
        ['Address', '{{ email }}'],
        ['Teams', '{{ teams_count }}'],
      ],
      note: 'Erase the person in your own systems as well.',
    },
    {
      heading: 'Die personenbezogenen Daten von {{ name }} wurden gelöscht',
      details: [
        ['Adresse', '{{ email }}'],
        ['Teams', '{{ teams_count }}'],
      ],
      note: 'Löschen Sie die Person auch in Ihren eigenen Systemen.',
    },
  ),
}

const keptUntil: Record<Language, Detail> = {
  en: ['The plan stays until', '{{ grace_ends_at | moment }}'],
  de: ['Der Tarif bleibt bis', '{{ grace_ends_at | moment }}'],
}

export const billingTemplates: Record<string, MessageTemplate> = {
  'billing.plan_changed': notice(
    'neutral',
    { heading: 'The plan of {{ team }} is {{ plan }}', details: [['Plan until now', '{{ previous_plan }}']] },
    { heading: 'Für {{ team }} gilt der Tarif {{ plan }}', details: [['Bisheriger Tarif', '{{ previous_plan }}']] },
  ),
  'billing.payment_failed': notice(
    'bad',
    { heading: 'A payment of {{ team }} is open', details: [keptUntil.en] },
    { heading: 'Eine Zahlung von {{ team }} ist offen', details: [keptUntil.de] },
  ),
  'billing.invoice_paid': notice(
    'good',
    {
      heading: 'An invoice of {{ team }} was paid',
      details: [
        ['Invoice', '{{ number }}'],
        ['Amount', '{{ total | money: currency }}'],
      ],
    },
    {
      heading: 'Eine Rechnung von {{ team }} wurde bezahlt',
      details: [
        ['Rechnung', '{{ number }}'],
        ['Betrag', '{{ total | money: currency }}'],
      ],
    },
  ),
}
