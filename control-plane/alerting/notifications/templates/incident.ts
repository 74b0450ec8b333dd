import { isReachability } from '#checks/index.ts'
import { type Resolution, resolutionOf } from '#contract/incident.ts'
import type { Language } from '#contract/languages.ts'
import type { Scope } from '#control-plane/alerting/mail/content.ts'
import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { causeIn } from '#control-plane/alerting/notifications/causes.ts'
import { nameOfKind } from '#control-plane/alerting/notifications/kinds.ts'
import { agreementOf } from '#control-plane/alerting/notifications/regions.ts'
import { durationOf, teamOf, textOf, withoutStop } from '#control-plane/alerting/notifications/values.ts'

interface About {
  name: string
  kind: string
  code: string
  /** How it ended; null: it is open, or was stored before that was noted. */
  resolution: Resolution | null
}
interface Headlines {
  begins(about: About): string
  ends(about: About): string
  next(about: About): string
}

/** What an incident is called, and what to do about it, by the kind of check and the code of its cause. */
const headlines: Record<Language, Headlines> = {
  en: {
    begins({ name, kind, code }) {
      if (kind === 'cron')
        return `${name} ${{ missed: 'has missed a ping', failed: 'reported a failure', overrun: 'takes too long' }[code] ?? 'is down'}`
      if (kind === 'agent')
        return `${name} ${{ no_data: 'does not report', threshold: 'is over a threshold' }[code] ?? 'is down'}`
      return isOutage(kind) ? `${name} is down` : `${name}: the check “${nameOfKind(kind, 'en')}” fails`
    },
    ends({ name, kind, code, resolution }) {
      if (resolution === 'by_hand') return `${name}: the incident was resolved by hand`
      if (resolution === 'changed') return `${name}: the incident ended, as what is checked was changed`
      if (resolution === 'stopped') return `${name} is no longer checked`
      if (resolution === 'deleted') return `${name}: the check “${nameOfKind(kind, 'en')}” was deleted`
      if (kind === 'cron') return `${name} runs again`
      if (kind === 'agent') return `${name} ${code === 'no_data' ? 'reports again' : 'is within its thresholds again'}`
      return isOutage(kind) ? `${name} is up again` : `${name}: the check “${nameOfKind(kind, 'en')}” passes again`
    },
    next({ kind, code }) {
      if (kind === 'cron' && code === 'missed')
        return 'Find out whether the job still runs, and whether it can reach its ping address.'
      if (kind === 'cron')
        return code === 'overrun' ? 'Find out what the job is waiting for.' : 'Read the output of the job.'
      if (kind === 'agent')
        return code === 'no_data' ? 'Find out whether the server runs and has a network.' : 'Find out what uses it up.'
      if (kind === 'ssl') return 'Renew or correct the certificate: browsers warn of it or refuse it.'
      if (kind === 'domain_expiry') return 'Contact the registrar of the domain.'
      return 'Open the address yourself, and acknowledge the incident so that your team knows that you work on it.'
    },
  },
  de: {
    begins({ name, kind, code }) {
      if (kind === 'cron')
        return `${name} ${{ missed: 'hat einen Ping verpasst', failed: 'hat einen Fehlschlag gemeldet', overrun: 'dauert zu lange' }[code] ?? 'ist gestört'}`
      if (kind === 'agent')
        return `${name} ${{ no_data: 'meldet sich nicht', threshold: 'liegt über einem Schwellenwert' }[code] ?? 'ist gestört'}`
      return isOutage(kind)
        ? `${name} ist ausgefallen`
        : `${name}: Die Prüfung „${nameOfKind(kind, 'de')}“ schlägt fehl`
    },
    ends({ name, kind, code, resolution }) {
      if (resolution === 'by_hand') return `${name}: Die Störung wurde von Hand für behoben erklärt`
      if (resolution === 'changed') return `${name}: Die Störung endete, weil die Prüfung geändert wurde`
      if (resolution === 'stopped') return `${name} wird nicht mehr geprüft`
      if (resolution === 'deleted') return `${name}: Die Prüfung „${nameOfKind(kind, 'de')}“ wurde gelöscht`
      if (kind === 'cron') return `${name} läuft wieder`
      if (kind === 'agent')
        return `${name} ${code === 'no_data' ? 'meldet sich wieder' : 'liegt wieder unter den Schwellenwerten'}`
      return isOutage(kind)
        ? `${name} ist wieder erreichbar`
        : `${name}: Die Prüfung „${nameOfKind(kind, 'de')}“ ist wieder in Ordnung`
    },
    next({ kind, code }) {
      if (kind === 'cron' && code === 'missed')
        return 'Prüfen Sie, ob der Job noch läuft und ob er seine Ping-Adresse erreicht.'
      if (kind === 'cron')
        return code === 'overrun' ? 'Prüfen Sie, worauf der Job wartet.' : 'Lesen Sie die Ausgabe des Jobs.'
      if (kind === 'agent')
        return code === 'no_data'
          ? 'Prüfen Sie, ob der Server läuft und im Netz ist.'
          : 'Prüfen Sie, was die Last verursacht.'
      if (kind === 'ssl') return 'Erneuern oder berichtigen Sie das Zertifikat: Browser warnen davor oder lehnen es ab.'
      if (kind === 'domain_expiry') return 'Wenden Sie sich an den Registrar der Domain.'
      return 'Rufen Sie die Adresse selbst auf, und bestätigen Sie die Störung, damit Ihr Team weiß, dass Sie sich darum kümmern.'
    },
  },
}
/** An incident without a kind was stored before it had one. */
const isOutage = (kind: string) => kind === '' || isReachability(kind)

const derive =
  (end: 'begins' | 'ends') =>
  (data: Scope, language: Language): Record<string, unknown> => {
    const about = {
      name: textOf(data.monitor_name),
      kind: textOf(data.check_type),
      code: textOf(data.code),
      resolution: resolutionOf(data.resolution),
    }
    const cause = causeIn(language, textOf(data.cause))
    return {
      headline: headlines[language][end](about),
      resolution: about.resolution ?? '',
      next: headlines[language].next(about),
      team: teamOf(data),
      cause,
      // the headline already says that a ping is missing
      cause_line: withoutStop(cause).replace(/^(No ping came: |Es kam kein Ping; )/, ''),
      duration_s: durationOf(data),
      ...agreementOf(data.quorum, language),
      // a title that a person wrote; the usual title only repeats the heading
      given_title:
        textOf(data.title) === headlines.en.begins(about) || isUsualTitle(about, textOf(data.title))
          ? ''
          : textOf(data.title),
    }
  }

/** Whether the title is the one that the verdict engine writes. */
const isUsualTitle = ({ name, kind }: About, title: string) =>
  title === `${name} is down` || title === `${name}: the ${kind} check fails`

export const incidentCreated: MessageTemplate = {
  tone: 'bad',
  link: '{{ details_url }}',
  secondLink: '{{ acknowledge_url }}',
  thirdLink: '{{ resolve_url }}',
  derive: derive('begins'),
  en: {
    subject:
      '{{ headline }}{% if cause_line != "" %}: {{ cause_line }}{% endif %}{% if agreed != "" %} ({{ agreed }}){% endif %}',
    heading: '{{ headline }}',
    paragraphs: ['{{ cause }}'],
    details: [
      ['Team', '{{ team }}'],
      ['Address', '{{ monitor_url }}'],
      ['Seen by', '{% if agreed != "" %}{{ agreed }} ({{ needed }}){% endif %}'],
      ['Since', '{{ started_at | moment }}'],
      ['Severity', '{{ severity | severity }}'],
      ['Incident', '{% if number %}#{{ number }}{% endif %}{% if given_title != "" %} {{ given_title }}{% endif %}'],
    ],
    lists: [
      {
        title: 'What each region saw',
        of: 'regions',
        row: '{{ region }}',
        detail: '{{ saw }}',
        isProse: true,
        most: 10,
      },
    ],
    button: 'Open the incident',
    secondButton: 'Acknowledge',
    thirdButton: 'Resolve',
    note: '{{ next }}',
  },
  de: {
    subject:
      '{{ headline }}{% if cause_line != "" %}: {{ cause_line }}{% endif %}{% if agreed != "" %} ({{ agreed }}){% endif %}',
    heading: '{{ headline }}',
    paragraphs: ['{{ cause }}'],
    details: [
      ['Team', '{{ team }}'],
      ['Adresse', '{{ monitor_url }}'],
      ['Gesehen von', '{% if agreed != "" %}{{ agreed }} ({{ needed }}){% endif %}'],
      ['Seit', '{{ started_at | moment }}'],
      ['Schwere', '{{ severity | severity }}'],
      ['Störung', '{% if number %}#{{ number }}{% endif %}{% if given_title != "" %} {{ given_title }}{% endif %}'],
    ],
    lists: [
      {
        title: 'Was jede Region gesehen hat',
        of: 'regions',
        row: '{{ region }}',
        detail: '{{ saw }}',
        isProse: true,
        most: 10,
      },
    ],
    button: 'Störung öffnen',
    secondButton: 'Bestätigen',
    thirdButton: 'Für behoben erklären',
    note: '{{ next }}',
  },
}

export const incidentResolved: MessageTemplate = {
  tone: 'good',
  link: '{{ details_url }}',
  derive: derive('ends'),
  en: {
    subject: '{{ headline }}{% if duration_s %} after {{ duration_s | span }}{% endif %}',
    heading: '{{ headline }}',
    paragraphs: [
      '{% if duration_s %}It lasted {{ duration_s | span }}.{% endif %}{% if cause != "" %} The cause was: {{ cause }}{% endif %}',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Address', '{% if resolution != "changed" %}{{ monitor_url }}{% endif %}'],
      ['From', '{{ started_at | moment }}'],
      ['Until', '{{ resolved_at | moment }}'],
      ['Severity', '{{ severity | severity }}'],
      ['Incident', '{% if number %}#{{ number }}{% endif %}{% if given_title != "" %} {{ given_title }}{% endif %}'],
    ],
    button: 'Open the incident',
    note:
      '{% if resolution == "by_hand" %}The next alert comes after the check has been up once.' +
      '{% elsif resolution == "changed" %}It was not up again: the address, the settings, the regions that must agree or the severity were changed. It is checked again at once; if it fails, you get a new alert.' +
      '{% elsif resolution == "stopped" %}It was not up again: the checking was switched off, is on hold, or the team is paused. If it still fails when it is checked again, you get a new alert.' +
      '{% elsif resolution == "deleted" %}It was not up again: no check will say so any more.{% endif %}',
  },
  de: {
    subject: '{{ headline }}{% if duration_s %} nach {{ duration_s | span }}{% endif %}',
    heading: '{{ headline }}',
    paragraphs: [
      '{% if duration_s %}Die Störung dauerte {{ duration_s | span }}.{% endif %}{% if cause != "" %} Die Ursache war: {{ cause }}{% endif %}',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Adresse', '{% if resolution != "changed" %}{{ monitor_url }}{% endif %}'],
      ['Von', '{{ started_at | moment }}'],
      ['Bis', '{{ resolved_at | moment }}'],
      ['Schwere', '{{ severity | severity }}'],
      ['Störung', '{% if number %}#{{ number }}{% endif %}{% if given_title != "" %} {{ given_title }}{% endif %}'],
    ],
    button: 'Störung öffnen',
    note:
      '{% if resolution == "by_hand" %}Die nächste Benachrichtigung kommt, wenn die Prüfung einmal in Ordnung war.' +
      '{% elsif resolution == "changed" %}Sie war nicht wieder in Ordnung: Adresse, Einstellungen, nötige Regionen oder Schwere wurden geändert. Sie wird sofort neu geprüft; schlägt sie fehl, werden Sie erneut benachrichtigt.' +
      '{% elsif resolution == "stopped" %}Sie war nicht wieder in Ordnung: Die Prüfung wurde abgeschaltet oder ruht, oder das Team ist pausiert. Schlägt sie fehl, sobald wieder geprüft wird, werden Sie erneut benachrichtigt.' +
      '{% elsif resolution == "deleted" %}Sie war nicht wieder in Ordnung: Keine Prüfung wird es mehr melden.{% endif %}',
  },
}

/** Sent to those who were notified of the beginning: it says who has it now, and no more of the incident. */
export const incidentAcknowledged: MessageTemplate = {
  tone: 'neutral',
  link: '{{ details_url }}',
  derive: derive('begins'),
  en: {
    subject:
      '{{ headline }}: {% if acknowledged_by_name %}{{ acknowledged_by_name }} has it{% else %}acknowledged{% endif %}',
    heading:
      '{{ headline }}: {% if acknowledged_by_name %}{{ acknowledged_by_name }} has it{% else %}acknowledged{% endif %}',
    paragraphs: [
      '{% if acknowledged_by_name %}{{ acknowledged_by_name }}{% else %}A person{% endif %} has taken the incident: ' +
        'nobody else is called. You are notified when it ends.',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Since', '{{ started_at | moment }}'],
      ['Incident', '{% if number %}#{{ number }}{% endif %}{% if given_title != "" %} {{ given_title }}{% endif %}'],
    ],
    button: 'Open the incident',
  },
  de: {
    subject:
      '{{ headline }}: {% if acknowledged_by_name %}{{ acknowledged_by_name }} kümmert sich{% else %}bestätigt{% endif %}',
    heading:
      '{{ headline }}: {% if acknowledged_by_name %}{{ acknowledged_by_name }} kümmert sich{% else %}bestätigt{% endif %}',
    paragraphs: [
      '{% if acknowledged_by_name %}{{ acknowledged_by_name }}{% else %}Jemand{% endif %} hat die Störung übernommen: Es wird niemand mehr gerufen. Sie werden benachrichtigt, wenn sie endet.',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Seit', '{{ started_at | moment }}'],
      ['Störung', '{% if number %}#{{ number }}{% endif %}{% if given_title != "" %} {{ given_title }}{% endif %}'],
    ],
    button: 'Störung öffnen',
  },
}

const called = {
  en: { paragraphs: ['{{ cause }}'], step: 'Step {{ step }} of round {{ round }}' },
  de: { paragraphs: ['{{ cause }}'], step: 'Stufe {{ step }} in Durchgang {{ round }}' },
} as const

/** The beginning of an incident, to people whom a step of a policy calls. */
export const incidentEscalated: MessageTemplate = {
  ...incidentCreated,
  en: {
    ...incidentCreated.en,
    subject: `Nobody has taken it yet: ${incidentCreated.en.subject}`,
    paragraphs: [...called.en.paragraphs, 'You are called by the escalation policy {{ policy_name }}.'],
    details: [...(incidentCreated.en.details ?? []), ['Escalation', called.en.step]],
  },
  de: {
    ...incidentCreated.de,
    subject: `Noch kümmert sich niemand: ${incidentCreated.de.subject}`,
    paragraphs: [...called.de.paragraphs, 'Die Eskalationsregel {{ policy_name }} ruft Sie.'],
    details: [...(incidentCreated.de.details ?? []), ['Eskalation', called.de.step]],
  },
}

export const escalationExhausted: MessageTemplate = {
  tone: 'bad',
  link: '{{ details_url }}',
  derive: derive('begins'),
  en: {
    subject: 'Nobody took it: {{ headline }}',
    heading: 'Nobody took it: {{ headline }}',
    paragraphs: [
      '{{ cause }}',
      'The escalation policy {{ policy_name }} is at its end, and nobody acknowledged the incident. It is still open.',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Address', '{{ monitor_url }}'],
      ['Since', '{{ started_at | moment }}'],
      ['Severity', '{{ severity | severity }}'],
      ['Incident', '{% if number %}#{{ number }}{% endif %}{% if given_title != "" %} {{ given_title }}{% endif %}'],
    ],
    button: 'Open the incident',
    note: 'Nobody else is called for this incident.',
  },
  de: {
    subject: 'Niemand hat übernommen: {{ headline }}',
    heading: 'Niemand hat übernommen: {{ headline }}',
    paragraphs: [
      '{{ cause }}',
      'Die Eskalationsregel {{ policy_name }} ist zu Ende, und niemand hat die Störung bestätigt. Sie dauert an.',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Adresse', '{{ monitor_url }}'],
      ['Seit', '{{ started_at | moment }}'],
      ['Schwere', '{{ severity | severity }}'],
      ['Störung', '{% if number %}#{{ number }}{% endif %}{% if given_title != "" %} {{ given_title }}{% endif %}'],
    ],
    button: 'Störung öffnen',
    note: 'Zu dieser Störung wird niemand mehr gerufen.',
  },
}
