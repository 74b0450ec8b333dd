import { monitorNamed, named, template } from './template.ts'

export const monthlyReport = template({
  type: 'monthly_report',
  tone: 'neutral',
  link: '{{ details_url }}',
  leaveLink: '{{ unsubscribe_url }}',
  en: {
    subject: '{{ team_name }} in {{ from | month: timezone }} – {{ brand_name }}',
    heading: '{{ team_name }} in {{ from | month: timezone }}',
    paragraphs: [
      '{% if monitors_count == 1 %}One monitor{% else %}{{ monitors_count }} monitors{% endif %}, {% if incidents_count == 0 %}no incidents{% elsif incidents_count == 1 %}one incident{% else %}{{ incidents_count }} incidents{% endif %}{% if uptime_pct != nil %}, uptime {{ uptime_pct | percent }}{% endif %}.',
    ],
    details: [
      [
        'Uptime',
        '{% if uptime_pct != nil %}{{ uptime_pct | percent }}{% if before.uptime_pct != nil %} (the month before: {{ before.uptime_pct | percent }}){% endif %}{% endif %}',
      ],
      [
        'Down',
        '{{ downtime_s | span }}{% if before.uptime_pct != nil %} (the month before: {{ before.downtime_s | span }}){% endif %}',
      ],
      [
        'Incidents',
        '{{ incidents_count }}{% if before.uptime_pct != nil %} (the month before: {{ before.incidents_count }}){% endif %}',
      ],
    ],
    lists: [
      {
        title: 'Down the longest',
        of: 'worst',
        row: monitorNamed.en,
        detail:
          '{{ downtime_s | span }}, {% if incidents_count == 1 %}one incident{% else %}{{ incidents_count }} incidents{% endif %}',
        none: 'Nothing was down.',
      },
      {
        title: 'The longest incidents',
        of: 'incidents',
        count: 'incidents_count',
        row: named,
        detail:
          '{{ started_at | brief: timezone }}, {{ duration_s | span }}{% unless resolved_at %}, not over yet{% endunless %}',
      },
      {
        title: 'Uptime, the lowest first',
        of: 'monitors',
        row: monitorNamed.en,
        detail: '{{ uptime_pct | percent }}{% if before_pct != nil %} (before: {{ before_pct | percent }}){% endif %}',
      },
    ],
    button: 'Open the monitors',
    note: 'You get this mail because you asked for it in your profile.',
    leave: 'Get it no more',
  },
  de: {
    subject: '{{ team_name }} im {{ from | month: timezone }} – {{ brand_name }}',
    heading: '{{ team_name }} im {{ from | month: timezone }}',
    paragraphs: [
      '{% if monitors_count == 1 %}Ein Monitor{% else %}{{ monitors_count }} Monitore{% endif %}, {% if incidents_count == 0 %}keine Störungen{% elsif incidents_count == 1 %}eine Störung{% else %}{{ incidents_count }} Störungen{% endif %}{% if uptime_pct != nil %}, Verfügbarkeit {{ uptime_pct | percent }}{% endif %}.',
    ],
    details: [
      [
        'Verfügbarkeit',
        '{% if uptime_pct != nil %}{{ uptime_pct | percent }}{% if before.uptime_pct != nil %} (im Vormonat: {{ before.uptime_pct | percent }}){% endif %}{% endif %}',
      ],
      [
        'Ausfallzeit',
        '{{ downtime_s | span }}{% if before.uptime_pct != nil %} (im Vormonat: {{ before.downtime_s | span }}){% endif %}',
      ],
      [
        'Störungen',
        '{{ incidents_count }}{% if before.uptime_pct != nil %} (im Vormonat: {{ before.incidents_count }}){% endif %}',
      ],
    ],
    lists: [
      {
        title: 'Am längsten ausgefallen',
        of: 'worst',
        row: monitorNamed.de,
        detail:
          '{{ downtime_s | span }}, {% if incidents_count == 1 %}eine Störung{% else %}{{ incidents_count }} Störungen{% endif %}',
        none: 'Nichts ist ausgefallen.',
      },
      {
        title: 'Die längsten Störungen',
        of: 'incidents',
        count: 'incidents_count',
        row: named,
        detail:
          '{{ started_at | brief: timezone }}, {{ duration_s | span }}{% unless resolved_at %}, dauert an{% endunless %}',
      },
      {
        title: 'Verfügbarkeit, die niedrigste zuerst',
        of: 'monitors',
        row: monitorNamed.de,
        detail: '{{ uptime_pct | percent }}{% if before_pct != nil %} (zuvor: {{ before_pct | percent }}){% endif %}',
      },
    ],
    button: 'Monitore öffnen',
    note: 'Sie erhalten diese Mail, weil Sie sie in Ihrem Profil bestellt haben.',
    leave: 'Abbestellen',
  },
})
