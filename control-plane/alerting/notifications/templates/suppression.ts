import { asRecord, type Scope } from '#control-plane/alerting/mail/content.ts'
import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { durationOf, secondsBetween, teamOf, textOf } from '#control-plane/alerting/notifications/values.ts'

function deriveFlapping(data: Scope): Record<string, unknown> {
  const incidents = Array.isArray(data.incidents) ? data.incidents.map(asRecord) : []
  const newest = incidents.toSorted((one, other) => (textOf(one.started_at) < textOf(other.started_at) ? 1 : -1))
  return {
    team: teamOf(data),
    newest: newest.map(incident => ({ began_at: incident.started_at, lasted_s: durationOf(incident) })),
    lasted_s: secondsBetween(data.started_at, data.resolved_at),
  }
}

export const flapping: MessageTemplate = {
  tone: 'warning',
  link: '{{ details_url }}',
  derive: deriveFlapping,
  en: {
    subject: '{{ monitor_name }} goes up and down too often: {{ incidents_count }} incidents',
    heading: '{{ monitor_name }} goes up and down too often',
    paragraphs: ['{{ incidents_count }} incidents so far. Its single alerts are suppressed until it is steady.'],
    details: [
      ['Team', '{{ team }}'],
      ['Address', '{{ monitor_url }}'],
      ['Since', '{{ started_at | moment }}'],
    ],
    lists: [
      {
        title: 'The latest incidents',
        of: 'newest',
        count: 'incidents_count',
        row: '{{ began_at | moment }}',
        detail: '{% if lasted_s == nil %}not over yet{% else %}{{ lasted_s | span }}{% endif %}',
        most: 5,
      },
    ],
    button: 'Open the monitor',
    note: 'Find out what comes and goes: a restart loop, an overload, a limit that is reached now and then. With more confirmations the monitor alerts later, but more surely.',
  },
  de: {
    subject: '{{ monitor_name }} wechselt zu oft zwischen erreichbar und ausgefallen: {{ incidents_count }} Störungen',
    heading: '{{ monitor_name }} wechselt zu oft zwischen erreichbar und ausgefallen',
    paragraphs: [
      'Bisher {{ incidents_count }} Störungen. Einzelne Benachrichtigungen werden zurückgehalten, bis der Zustand beständig ist.',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Adresse', '{{ monitor_url }}'],
      ['Seit', '{{ started_at | moment }}'],
    ],
    lists: [
      {
        title: 'Die letzten Störungen',
        of: 'newest',
        count: 'incidents_count',
        row: '{{ began_at | moment }}',
        detail: '{% if lasted_s == nil %}noch nicht behoben{% else %}{{ lasted_s | span }}{% endif %}',
        most: 5,
      },
    ],
    button: 'Monitor öffnen',
    note: 'Prüfen Sie, was kommt und geht: eine Neustartschleife, eine Überlastung, eine Grenze, die ab und zu erreicht wird. Mit mehr Bestätigungen meldet der Monitor später, aber sicherer.',
  },
}

export const flappingResolved: MessageTemplate = {
  tone: 'good',
  link: '{{ details_url }}',
  derive: deriveFlapping,
  en: {
    subject:
      '{{ monitor_name }}{% if resolution == "deleted" %}: the check that went up and down was deleted' +
      '{% else %} is steady again{% if lasted_s %} after {{ lasted_s | span }}{% endif %}{% endif %}',
    heading:
      '{{ monitor_name }}{% if resolution == "deleted" %}: the check that went up and down was deleted' +
      '{% else %} is steady again{% endif %}',
    paragraphs: [
      '{{ incidents_count }} incidents{% if lasted_s %} in {{ lasted_s | span }}{% endif %}.{% if resolution != "deleted" %} From now on each incident is notified of again.{% endif %}',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Address', '{{ monitor_url }}'],
      ['From', '{{ started_at | moment }}'],
      ['Until', '{{ resolved_at | moment }}'],
      ['Status now', '{{ status }}'],
    ],
    button: 'Open the monitor',
  },
  de: {
    subject:
      '{{ monitor_name }}{% if resolution == "deleted" %}: Die Prüfung, die zu oft wechselte, wurde gelöscht' +
      '{% else %} ist wieder beständig{% if lasted_s %} nach {{ lasted_s | span }}{% endif %}{% endif %}',
    heading:
      '{{ monitor_name }}{% if resolution == "deleted" %}: Die Prüfung, die zu oft wechselte, wurde gelöscht' +
      '{% else %} ist wieder beständig{% endif %}',
    paragraphs: [
      '{{ incidents_count }} Störungen{% if lasted_s %} in {{ lasted_s | span }}{% endif %}.{% if resolution != "deleted" %} Ab jetzt wird wieder jede Störung gemeldet.{% endif %}',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Adresse', '{{ monitor_url }}'],
      ['Von', '{{ started_at | moment }}'],
      ['Bis', '{{ resolved_at | moment }}'],
    ],
    button: 'Monitor öffnen',
  },
}

const deriveStorm = (data: Scope) => ({
  team: teamOf(data),
  lasted_s: secondsBetween(data.started_at, data.resolved_at),
})

export const stormDetected: MessageTemplate = {
  tone: 'bad',
  link: '{{ details_url }}',
  derive: deriveStorm,
  en: {
    subject:
      '{% if host %}{{ host }}: {% endif %}{{ monitors_count }} monitors fail at once, {{ down_count }} are down now',
    heading: '{{ monitors_count }} monitors{% if host %} of the host {{ host }}{% endif %} fail at once',
    paragraphs: [
      '{{ down_count }} of them are down now. Their single alerts are suppressed until it is over.{% if host %} So are those of other monitors of this host.{% endif %}',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Host', '{{ host }}'],
      ['Since', '{{ started_at | moment }}'],
      ['Severity', '{{ severity | severity }}'],
    ],
    lists: [
      { title: 'Monitors', of: 'monitor_names', count: 'monitors_count', row: '{{ text }}', detail: '', most: 20 },
    ],
    button: 'Open the incidents',
    note: '{% unless host %}Find out what they share: a network, a server, a provider, a deployment.{% endunless %}',
  },
  de: {
    subject:
      '{% if host %}{{ host }}: {% endif %}{{ monitors_count }} Monitore fallen zugleich aus, {{ down_count }} sind zurzeit ausgefallen',
    heading: '{{ monitors_count }} Monitore{% if host %} des Hosts {{ host }}{% endif %} fallen zugleich aus',
    paragraphs: [
      '{{ down_count }} davon sind zurzeit ausgefallen. Einzelne Benachrichtigungen werden zurückgehalten, bis es vorbei ist.{% if host %} Das gilt auch für weitere Monitore dieses Hosts.{% endif %}',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Host', '{{ host }}'],
      ['Seit', '{{ started_at | moment }}'],
      ['Schwere', '{{ severity | severity }}'],
    ],
    lists: [
      { title: 'Monitore', of: 'monitor_names', count: 'monitors_count', row: '{{ text }}', detail: '', most: 20 },
    ],
    button: 'Störungen öffnen',
    note: '{% unless host %}Prüfen Sie, was ihnen gemeinsam ist: ein Netz, ein Server, ein Anbieter, ein Deployment.{% endunless %}',
  },
}

export const stormResolved: MessageTemplate = {
  tone: 'good',
  link: '{{ details_url }}',
  derive: deriveStorm,
  en: {
    subject:
      '{% if host %}{{ host }}: the failure is over{% else %}The mass failure is over{% endif %}{% if lasted_s %} after {{ lasted_s | span }}{% endif %}: {{ down_count }} of {{ monitors_count }} monitors still down',
    heading: '{% if host %}The failure of {{ host }} is over{% else %}The mass failure is over{% endif %}',
    paragraphs: [
      '{{ monitors_count }} monitors had failed{% if lasted_s %} within {{ lasted_s | span }}{% endif %}. {% if down_count == 0 %}No incident of them is open any more.{% elsif down_count == 1 %}One of them is still down; its alert follows.{% else %}{{ down_count }} of them are still down; their alerts follow.{% endif %}',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Host', '{{ host }}'],
      ['From', '{{ started_at | moment }}'],
      ['Until', '{{ resolved_at | moment }}'],
    ],
    lists: [
      {
        title: 'Monitors that had failed',
        of: 'monitor_names',
        count: 'monitors_count',
        row: '{{ text }}',
        detail: '',
        most: 20,
      },
    ],
    button: 'Open the incidents',
  },
  de: {
    subject:
      '{% if host %}{{ host }}: Der Ausfall ist vorbei{% else %}Der Massenausfall ist vorbei{% endif %}{% if lasted_s %} nach {{ lasted_s | span }}{% endif %}: {{ down_count }} von {{ monitors_count }} Monitoren noch ausgefallen',
    heading: '{% if host %}Der Ausfall von {{ host }} ist vorbei{% else %}Der Massenausfall ist vorbei{% endif %}',
    paragraphs: [
      '{{ monitors_count }} Monitore waren ausgefallen{% if lasted_s %}, innerhalb von {{ lasted_s | span }}{% endif %}. {% if down_count == 0 %}Keine Störung davon ist noch offen.{% elsif down_count == 1 %}Einer ist noch ausgefallen; seine Benachrichtigung folgt.{% else %}{{ down_count }} sind noch ausgefallen; ihre Benachrichtigungen folgen.{% endif %}',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Host', '{{ host }}'],
      ['Von', '{{ started_at | moment }}'],
      ['Bis', '{{ resolved_at | moment }}'],
    ],
    lists: [
      {
        title: 'Monitore, die ausgefallen waren',
        of: 'monitor_names',
        count: 'monitors_count',
        row: '{{ text }}',
        detail: '',
        most: 20,
      },
    ],
    button: 'Störungen öffnen',
  },
}
