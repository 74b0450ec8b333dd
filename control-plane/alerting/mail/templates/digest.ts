import { monitorNamed, named, template } from './template.ts'

export const digest = template({
  type: 'digest',
  tone: 'neutral',
  link: '{{ details_url }}',
  leaveLink: '{{ unsubscribe_url }}',
  en: {
    subject:
      '{% if period == "weekly" %}The week of {{ team_name }}{% else %}The day of {{ team_name }}{% endif %} – {{ brand_name }}',
    heading: '{% if period == "weekly" %}The week of {{ team_name }}{% else %}The day of {{ team_name }}{% endif %}',
    paragraphs: [
      'From {{ from | moment: timezone }} to {{ to | moment: timezone }}: {% if incidents_count == 0 %}no incidents{% elsif incidents_count == 1 %}one incident{% else %}{{ incidents_count }} incidents{% endif %}{% if uptime_pct != nil %}, uptime {{ uptime_pct | percent }}{% endif %}.',
    ],
    lists: [
      {
        title: 'Down at this moment',
        of: 'monitors_down',
        row: '{{ monitor_name }}',
        detail: '{% if since %}since {{ since | brief: timezone }}{% endif %}',
        none: 'Nothing is down.',
      },
      {
        title: 'Incidents',
        of: 'incidents',
        count: 'incidents_count',
        row: named,
        detail:
          '{{ started_at | brief: timezone }}, {{ duration_s | span }}{% unless resolved_at %}, not over yet{% endunless %}',
      },
      {
        title: 'Uptime, the lowest first',
        of: 'uptime',
        row: monitorNamed.en,
        detail: '{{ uptime_pct | percent }}',
      },
    ],
    button: 'Open the monitors',
    note: 'You get this mail because you asked for it in your profile.',
    leave: 'Get it no more',
  },
  de: {
    subject:
      '{% if period == "weekly" %}Die Woche von {{ team_name }}{% else %}Der Tag von {{ team_name }}{% endif %} – {{ brand_name }}',
    heading: '{% if period == "weekly" %}Die Woche von {{ team_name }}{% else %}Der Tag von {{ team_name }}{% endif %}',
    paragraphs: [
      'Vom {{ from | moment: timezone }} bis zum {{ to | moment: timezone }}: {% if incidents_count == 0 %}keine Störungen{% elsif incidents_count == 1 %}eine Störung{% else %}{{ incidents_count }} Störungen{% endif %}{% if uptime_pct != nil %}, Verfügbarkeit {{ uptime_pct | percent }}{% endif %}.',
    ],
    lists: [
      {
        title: 'Zurzeit ausgefallen',
        of: 'monitors_down',
        row: '{{ monitor_name }}',
        detail: '{% if since %}seit {{ since | brief: timezone }}{% endif %}',
        none: 'Nichts ist ausgefallen.',
      },
      {
        title: 'Störungen',
        of: 'incidents',
        count: 'incidents_count',
        row: named,
        detail:
          '{{ started_at | brief: timezone }}, {{ duration_s | span }}{% unless resolved_at %}, dauert an{% endunless %}',
      },
      {
        title: 'Verfügbarkeit, die niedrigste zuerst',
        of: 'uptime',
        row: monitorNamed.de,
        detail: '{{ uptime_pct | percent }}',
      },
    ],
    button: 'Monitore öffnen',
    note: 'Sie erhalten diese Mail, weil Sie sie in Ihrem Profil bestellt haben.',
    leave: 'Abbestellen',
  },
})
