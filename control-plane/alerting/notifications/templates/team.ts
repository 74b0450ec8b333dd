import type { Scope } from '#control-plane/alerting/mail/content.ts'
import type { MessageTemplate, Tone } from '#control-plane/alerting/mail/templates/template.ts'
import type { MailLanguage } from '#control-plane/alerting/mail/words.ts'
import { teamOf, textOf } from '#control-plane/alerting/notifications/values.ts'

type Fact = readonly [label: string, value: string]
interface Said {
  heading: string
  subject?: string
  facts?: readonly Fact[]
  note?: string
}

/** Where an event names no team it is the reader’s own. */
const own: Record<MailLanguage, string> = { en: 'your team', de: 'Ihr Team' }
const features: Record<MailLanguage, Record<string, string>> = {
  en: { monitors: 'monitors', status_pages: 'status pages', team_members: 'team members', agent_limit: 'servers' },
  de: { monitors: 'Monitore', status_pages: 'Statusseiten', team_members: 'Mitglieder', agent_limit: 'Server' },
}

const derive = (data: Scope, language: MailLanguage) => {
  const feature = textOf(data.feature)
  const name = textOf(data.tenant_name) || teamOf(data)
  return {
    team: name || own[language],
    team_first: name || own[language].replace(/^y/, 'Y'),
    in_team: name ? `im Team ${name}` : 'in Ihrem Team',
    feature_name: features[language][feature] ?? feature.replaceAll('_', ' '),
    teams_count: Array.isArray(data.teams) ? data.teams.length : 0,
  }
}

const when: Record<MailLanguage, Fact> = {
  en: ['When', '{{ timestamp | moment }}'],
  de: ['Wann', '{{ timestamp | moment }}'],
}

/** Of one sentence, with what else is known of it and when it happened. */
function notice(tone: Tone, en: Said, de: Said): MessageTemplate {
  const complete = (language: MailLanguage, { heading, subject, facts = [], note }: Said) => ({
    subject: subject ?? heading,
    heading,
    paragraphs: [],
    facts: [...facts, when[language]],
    ...(note !== undefined && { note }),
  })
  return { tone, derive, en: complete('en', en), de: complete('de', de) }
}

export const teamTemplates: Record<string, MessageTemplate> = {
  'team.provisioned': notice(
    'neutral',
    { heading: 'The team {{ team }} was created', facts: [['Label', '{{ label }}']] },
    { heading: 'Das Team {{ team }} wurde angelegt', facts: [['Etikett', '{{ label }}']] },
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
  'team.paused': notice(
    'neutral',
    {
      heading: 'Monitoring of {{ team }} was paused',
      facts: [['Reason', '{{ reason }}']],
      note: 'No check runs and nobody is alerted until it is resumed.',
    },
    {
      heading: 'Die Überwachung von {{ team }} wurde angehalten',
      facts: [['Grund', '{{ reason }}']],
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
      facts: [
        ['Plan', '{{ plan }}'],
        ['Trial ends', '{{ trial_ends_at | moment }}'],
        ['Label', '{{ label }}'],
      ],
      note: 'Agree on a plan or extend the trial before then. Afterwards the free plan applies, and what exceeds it is not checked.',
    },
    {
      heading:
        'Die Testphase von {{ team }} endet {% if days_remaining == 1 %}morgen{% else %}in {{ days_remaining }} Tagen{% endif %}',
      facts: [
        ['Tarif', '{{ plan }}'],
        ['Ende der Testphase', '{{ trial_ends_at | moment }}'],
        ['Etikett', '{{ label }}'],
      ],
      note: 'Vereinbaren Sie vorher einen Tarif, oder verlängern Sie die Testphase. Danach gilt der kostenlose Tarif, und was darüber hinausgeht, wird nicht geprüft.',
    },
  ),
  'team.trial_expired': notice(
    'warning',
    {
      heading: 'The trial of {{ team }} has ended',
      facts: [['Plan until now', '{{ previous_plan }}']],
      note: 'The free plan applies now. Nothing was deleted; what exceeds the plan is not checked until the team has another one.',
    },
    {
      heading: 'Die Testphase von {{ team }} ist zu Ende',
      facts: [['Bisheriger Tarif', '{{ previous_plan }}']],
      note: 'Jetzt gilt der kostenlose Tarif. Nichts wurde gelöscht; was über den Tarif hinausgeht, wird nicht geprüft, bis das Team einen anderen hat.',
    },
  ),
  'tenant.quota_warning': notice(
    'warning',
    {
      heading: '{{ team_first }} uses {{ usage_pct }} % of its {{ feature_name }}',
      subject: '{{ team_first }} uses {{ usage_pct }} % of its {{ feature_name }}: {{ current_count }} of {{ limit }}',
      facts: [['In use', '{{ current_count }} of {{ limit }}']],
      note: 'Raise the limit or change the plan before the limit refuses something.',
    },
    {
      heading: '{{ team_first }} nutzt {{ usage_pct }} % des Kontingents „{{ feature_name }}“',
      subject:
        '{{ team_first }} nutzt {{ usage_pct }} % des Kontingents „{{ feature_name }}“: {{ current_count }} von {{ limit }}',
      facts: [['Belegt', '{{ current_count }} von {{ limit }}']],
      note: 'Erhöhen Sie die Grenze, oder wechseln Sie den Tarif, bevor etwas abgelehnt wird.',
    },
  ),
  'tenant.quota_exceeded': notice(
    'warning',
    {
      heading: '{{ team_first }} has reached its limit of {{ feature_name }}',
      subject: '{{ team_first }} has reached its limit of {{ feature_name }}: {{ current_count }} of {{ limit }}',
      facts: [['In use', '{{ current_count }} of {{ limit }}']],
      note: 'One more was refused. Raise the limit, change the plan, or delete what is not needed.',
    },
    {
      heading: '{{ team_first }} hat die Grenze des Kontingents „{{ feature_name }}“ erreicht',
      subject:
        '{{ team_first }} hat die Grenze des Kontingents „{{ feature_name }}“ erreicht: {{ current_count }} von {{ limit }}',
      facts: [['Belegt', '{{ current_count }} von {{ limit }}']],
      note: 'Ein weiterer Eintrag wurde abgelehnt. Erhöhen Sie die Grenze, wechseln Sie den Tarif, oder löschen Sie, was nicht gebraucht wird.',
    },
  ),
  'member.added': notice(
    'neutral',
    { heading: 'Somebody became a member of {{ team }}', facts: [['Role', '{{ role | role }}']] },
    { heading: 'Neues Mitglied {{ in_team }}', facts: [['Rolle', '{{ role | role }}']] },
  ),
  'member.removed': notice(
    'neutral',
    {
      heading: 'Somebody is no longer a member of {{ team }}',
      facts: [['Role', '{{ role | role }}']],
      note: 'Their sessions and keys in this team have ended.',
    },
    {
      heading: 'Ein Mitglied hat {{ team }} verlassen',
      facts: [['Rolle', '{{ role | role }}']],
      note: 'Sitzungen und Schlüssel in diesem Team sind beendet.',
    },
  ),
  'member.erased': notice(
    'neutral',
    {
      heading: 'The personal data of {{ name }} was erased',
      facts: [
        ['Address', '{{ email }}'],
        ['Teams', '{{ teams_count }}'],
      ],
      note: 'Erase the person in your own systems as well.',
    },
    {
      heading: 'Die personenbezogenen Daten von {{ name }} wurden gelöscht',
      facts: [
        ['Adresse', '{{ email }}'],
        ['Teams', '{{ teams_count }}'],
      ],
      note: 'Löschen Sie die Person auch in Ihren eigenen Systemen.',
    },
  ),
}
