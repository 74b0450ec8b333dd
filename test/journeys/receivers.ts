/** What of an incident is told, taken from the webhook’s body, which says it as it is. */
export interface Told {
  event: string
  incident_id: string
  monitor_name: string
  monitor_url: string
  title: string
  severity: string
  started_at: string
  resolved_at: string | null
  quorum?: { failed: string[] }
}

const linesOf = ({ title, monitor_name, monitor_url, severity, started_at, resolved_at, quorum }: Told): [string, string][] => [
  ['What', title],
  ['Monitor', monitor_name],
  ['Address', monitor_url],
  ['Severity', severity],
  ['Since', started_at],
  ...(resolved_at ? [['Until', resolved_at] satisfies [string, string]] : []),
  ...(quorum?.failed.length ? [['Seen from', quorum.failed.join(', ')] satisfies [string, string]] : []),
]
const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })

/** Byte for byte in structure what the receivers’ own documentation asks for, written down once more by hand. */
export const documented = {
  slack: (told: Told, title: string) => ({
    text: title,
    blocks: [
      { type: 'header', text: plain(title) },
      { type: 'section', fields: linesOf(told).map(([label, value]) => plain(`${label}: ${value}`)) },
    ],
  }),
  discord: (told: Told, title: string) => ({
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title,
        color: told.resolved_at ? 0x12894a : 0xd92d20,
        fields: linesOf(told).map(([name, value]) => ({ name, value: name === 'Address' ? value : value.replaceAll('-', '\\-'), inline: value.length <= 40 })),
      },
    ],
  }),
  microsoft_teams: (told: Told, title: string) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', size: 'large', weight: 'bolder', wrap: true, color: told.resolved_at ? 'good' : 'attention', text: title },
            { type: 'FactSet', facts: linesOf(told).map(([label, value]) => ({ title: label, value })) },
          ],
        },
      },
    ],
  }),
  pagerduty: (told: Told, title: string) => ({
    routing_key: 'R0UTINGKEY0123456789',
    event_action: told.resolved_at ? 'resolve' : 'trigger',
    dedup_key: `vedette-incident-${told.incident_id}`,
    ...(told.resolved_at
      ? {}
      : { payload: { summary: title, source: told.monitor_url, severity: told.severity, custom_details: Object.fromEntries(linesOf(told)) } }),
  }),
  telegram: (told: Told, title: string) => ({
    chat_id: '-1001234',
    text: [title, ...linesOf(told).map(([label, value]) => `${label}: ${value}`)].join('\n'),
    link_preview_options: { is_disabled: true },
  }),
}
