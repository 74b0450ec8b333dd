import type { Language } from '#contract/languages.ts'
import { asRecord, type Scope } from '#control-plane/alerting/mail/content.ts'
import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { causeIn } from '#control-plane/alerting/notifications/causes.ts'
import { nameOfKind } from '#control-plane/alerting/notifications/kinds.ts'
import {
  listed,
  secondsBetween,
  teamOf,
  textOf,
  textsOf,
  withoutStop,
} from '#control-plane/alerting/notifications/values.ts'

/** What to do about a warning, by its code or its event without `warning.`. */
const next: Record<Language, Record<string, string>> = {
  en: {
    ssl_expiring: 'Renew the certificate, or find out why its automatic renewal has failed.',
    domain_expiring: 'Renew the domain at its registrar.',
    degraded_performance: 'Find out what slows it down. An incident opens only when it fails.',
    application_health: 'Read the health report of the application.',
    sitemap_issues: 'Correct the sitemap: search engines pass over what is wrong in it.',
    security_headers: 'Correct the headers in the configuration of the web server.',
    redirect_chain: 'Point links and redirects at the final address.',
    robots_txt: 'Find out whether the change was meant: search engines follow it.',
    dnsbl_listing:
      'Find out why the address is listed, then ask the list to remove it. Until then mail from it may be refused.',
    broken_links: 'Correct or remove the links.',
    mixed_content: 'Load the parts over https: browsers block them or warn of them.',
    server_resources: 'Find out what uses it up before the server fails.',
    late_values: 'Set the clock of the server, or find out what holds its values up.',
    two_servers: 'Give each server a token of its own: values of the second one are not taken.',
  },
  de: {
    ssl_expiring: 'Erneuern Sie das Zertifikat, oder prüfen Sie, warum die automatische Erneuerung gescheitert ist.',
    domain_expiring: 'Verlängern Sie die Domain beim Registrar.',
    degraded_performance: 'Prüfen Sie, was bremst. Eine Störung gibt es erst bei einem Ausfall.',
    application_health: 'Lesen Sie den Zustandsbericht der Anwendung.',
    sitemap_issues: 'Berichtigen Sie die Sitemap: Suchmaschinen übergehen, was darin falsch ist.',
    security_headers: 'Berichtigen Sie die Header in der Konfiguration des Webservers.',
    redirect_chain: 'Richten Sie Links und Weiterleitungen auf die endgültige Adresse.',
    robots_txt: 'Prüfen Sie, ob die Änderung gewollt war: Suchmaschinen richten sich danach.',
    dnsbl_listing:
      'Finden Sie heraus, warum die Adresse gelistet ist, und beantragen Sie die Löschung. Bis dahin werden Mails von ihr womöglich abgelehnt.',
    broken_links: 'Berichtigen oder entfernen Sie die Links.',
    mixed_content: 'Laden Sie die Teile über https: Browser blockieren sie oder warnen davor.',
    server_resources: 'Prüfen Sie, was die Last verursacht, bevor der Server ausfällt.',
    late_values: 'Stellen Sie die Uhr des Servers, oder prüfen Sie, was seine Werte aufhält.',
    two_servers: 'Geben Sie jedem Server ein eigenes Token: Werte des zweiten werden nicht angenommen.',
  },
}

function derive(data: Scope, language: Language): Record<string, unknown> {
  const reason = causeIn(language, textOf(data.title).replace(/^Over: /, ''))
  const details = asRecord(data.details)
  // a mail names the warning, any other message its event
  const event = textOf(data.warning) || textOf(data.event).replace('warning.', '')
  return {
    team: teamOf(data),
    kind: nameOfKind(textOf(data.check_type), language),
    reason,
    reason_line: withoutStop(reason),
    seen_from: listed(textsOf(data.regions), language),
    // the date on which a certificate or a domain ends
    ends_at: textOf(details.valid_to) || textOf(details.expires_at),
    issuer: textOf(details.issuer),
    registrar: textOf(details.registrar),
    lasted_s: secondsBetween(data.since, data.timestamp),
    next: next[language][textOf(data.code)] ?? next[language][event] ?? '',
  }
}

export const warning: MessageTemplate = {
  tone: 'warning',
  link: '{{ details_url }}',
  derive,
  en: {
    subject: 'Warning for {{ monitor_name }}: {{ reason_line }}',
    heading: 'Warning for {{ monitor_name }}',
    paragraphs: ['{{ reason }}'],
    details: [
      ['Team', '{{ team }}'],
      ['Address', '{{ monitor_url }}'],
      ['Check', '{{ kind }}'],
      ['Since', '{{ since | moment }}'],
      ['Seen from', '{{ seen_from }}'],
      ['Ends', '{{ ends_at | moment }}'],
      ['Issuer', '{{ issuer }}'],
      ['Registrar', '{{ registrar }}'],
    ],
    button: 'Open the monitor',
    note: '{{ next }}',
  },
  de: {
    subject: 'Warnung für {{ monitor_name }}: {{ reason_line }}',
    heading: 'Warnung für {{ monitor_name }}',
    paragraphs: ['{{ reason }}'],
    details: [
      ['Team', '{{ team }}'],
      ['Adresse', '{{ monitor_url }}'],
      ['Prüfung', '{{ kind }}'],
      ['Seit', '{{ since | moment }}'],
      ['Gesehen von', '{{ seen_from }}'],
      ['Endet', '{{ ends_at | moment }}'],
      ['Aussteller', '{{ issuer }}'],
      ['Registrar', '{{ registrar }}'],
    ],
    button: 'Monitor öffnen',
    note: '{{ next }}',
  },
}

export const warningCleared: MessageTemplate = {
  tone: 'good',
  link: '{{ details_url }}',
  derive,
  en: {
    subject:
      '{% if resolution == "deleted" %}{{ monitor_name }}: the check “{{ kind }}” was deleted, and its warning with it: {{ reason_line }}' +
      '{% else %}All clear for {{ monitor_name }}: {{ reason_line }} – this is over{% endif %}',
    heading:
      '{% if resolution == "deleted" %}{{ monitor_name }}: the check “{{ kind }}” was deleted' +
      '{% else %}All clear for {{ monitor_name }}{% endif %}',
    paragraphs: [
      '{% if resolution == "deleted" %}Its warning ends with it: {{ reason }}{% else %}Over: {{ reason }}{% endif %}',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Address', '{{ monitor_url }}'],
      ['Check', '{{ kind }}'],
      ['From', '{{ since | moment }}'],
      ['Until', '{{ timestamp | moment }}'],
      ['Lasted', '{% if lasted_s %}{{ lasted_s | span }}{% endif %}'],
    ],
    button: 'Open the monitor',
  },
  de: {
    subject:
      '{% if resolution == "deleted" %}{{ monitor_name }}: Die Prüfung „{{ kind }}“ wurde gelöscht und mit ihr die Warnung: {{ reason_line }}' +
      '{% else %}Entwarnung für {{ monitor_name }}: {{ reason_line }} – das ist vorbei{% endif %}',
    heading:
      '{% if resolution == "deleted" %}{{ monitor_name }}: Die Prüfung „{{ kind }}“ wurde gelöscht' +
      '{% else %}Entwarnung für {{ monitor_name }}{% endif %}',
    paragraphs: [
      '{% if resolution == "deleted" %}Mit ihr endet die Warnung: {{ reason }}{% else %}Vorbei: {{ reason }}{% endif %}',
    ],
    details: [
      ['Team', '{{ team }}'],
      ['Adresse', '{{ monitor_url }}'],
      ['Prüfung', '{{ kind }}'],
      ['Von', '{{ since | moment }}'],
      ['Bis', '{{ timestamp | moment }}'],
      ['Dauer', '{% if lasted_s %}{{ lasted_s | span }}{% endif %}'],
    ],
    button: 'Monitor öffnen',
  },
}
