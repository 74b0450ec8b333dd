/** A service that a custom channel can be made for by filling in a few fields. */
export interface Preset {
  title: string
  /** Where the fields are found. */
  description: string
  /** null: the service names an address for each channel. */
  url: string | null
  fields: Record<string, { label: string; isRequired: boolean }>
  method: 'POST' | 'PUT' | 'PATCH' | 'GET'
  headers: Record<string, string>
  content_type: string
  body_template: string
}

const required = (label: string) => ({ label, isRequired: true })
const optional = (label: string) => ({ label, isRequired: false })
const json = 'application/json'

const colors = `{% case tone %}{% when "bad" %}#d92d20{% when "warning" %}#dc8a04{% when "good" %}#12894a
  {%- else %}#667085{% endcase %}`

const ntfy = `{
  "topic": {{ fields.topic | json }},
  "title": {{ title | truncate_bytes: 240 | json }},
  "message": {{ text | truncate_bytes: 3500 | json }},
  "priority": {% if phase != "opened" %}3{% elsif severity == "critical" %}5{% else %}4{% endif %},
  "tags": [{% case tone %}{% when "bad" %}"rotating_light"{% when "warning" %}"warning"
    {%- when "good" %}"white_check_mark"{% else %}"information_source"{% endcase %}],
  "actions": [
    {%- for link in links limit: 3 -%}
      {"action": "view", "label": {{ link.label | json }}, "url": {{ link.url | json }}}
      {%- unless forloop.last %},{% endunless -%}
    {%- endfor -%}
  ]{% if details_url != "" %},
  "click": {{ details_url | json }}{% endif %}
}`

const pushover = `{
  "token": {{ fields.token | json }},
  "user": {{ fields.user | json }},
  "title": {{ title | truncate: 250 | json }},
  "message": {{ text | default: title | truncate: 1024 | json }},
  "priority": {% if phase == "opened" and tone == "bad" %}1{% elsif phase == "opened" %}0{% else %}-1{% endif %}
  {%- if links.size > 0 %}{% assign second = links.size | at_most: 2 | minus: 1 %}{% assign link = links[second] %},
  "url": {{ link.url | json }},
  "url_title": {{ link.label | truncate: 100 | json }}{% endif %}
}`

const mattermost = `{
  "attachments": [
    {
      "fallback": {{ title | json }},
      "color": "${colors}",
      "title": {{ title | truncate: 500 | json }},
      {%- if details_url != "" %}
      "title_link": {{ details_url | json }},{% endif %}
      {%- assign text = message | truncate: 3000 | markdown %}
      {%- for link in links %}
        {%- assign text = text | append: "
[" | append: link.label | append: "](" | append: link.url | append: ")" %}
      {%- endfor %}
      "text": {{ text | strip | json }},
      "fields": [
        {%- for row in details limit: 20 -%}
          {"short": true, "title": {{ row.label | json }}, "value": {{ row.value | markdown | json }}}
          {%- unless forloop.last %},{% endunless -%}
        {%- endfor -%}
      ],
      "footer": {{ note | json }}
    }
  ]
}`

const googleChat = `{
  "fallbackText": {{ title | json }},
  "thread": {"threadKey": {{ alert_id | json }}},
  "cardsV2": [
    {
      "cardId": {{ alert_id | json }},
      "card": {
        "header": {"title": {{ title | truncate: 200 | json }}},
        "sections": [
          {
            "widgets": [
              {"textParagraph": {"text": {{ message | default: title | escape | truncate: 2000 | json }}}}
              {%- for row in details limit: 20 %},
              {"decoratedText": {"topLabel": {{ row.label | json }}, "text": {{ row.value | escape | json }},
                "wrapText": true}}
              {%- endfor %}
              {%- if note != "" %},
              {"textParagraph": {"text": {{ note | escape | json }}}}{% endif %}
              {%- if links.size > 0 %},
              {"buttonList": {"buttons": [
                {%- for link in links -%}
                  {"text": {{ link.label | json }}, "onClick": {"openLink": {"url": {{ link.url | json }}}}}
                  {%- unless forloop.last %},{% endunless -%}
                {%- endfor -%}
              ]}}{% endif %}
            ]
          }
        ]
      }
    }
  ]
}`

const opsgenieUrl =
  'https://api.opsgenie.com/v2/alerts' +
  '{% if phase == "resolved" %}/{{ alert_id }}/close?identifierType=alias' +
  '{% elsif phase == "acknowledged" %}/{{ alert_id }}/acknowledge?identifierType=alias{% endif %}'
const opsgenie = `{% if phase == "resolved" or phase == "acknowledged" -%}
{
  "source": "Monitoring",
  "note": {{ title | truncate: 1000 | json }}
}
{%- else -%}
{
  "message": {{ title | truncate: 130 | json }},
  "alias": {{ alert_id | truncate: 512 | json }},
  "description": {{ text | truncate: 10000 | append: "
" | append: details_url | json }},
  "priority": "{% if phase != "opened" %}P5{% elsif severity == "critical" %}P1{% elsif severity == "major" %}P2
    {%- else %}P3{% endif %}",
  "source": "Monitoring",
  "entity": {{ monitor_name | truncate: 512 | json }}
}
{%- endif %}`

const basic = '{{ fields.account_sid | append: ":" | append: fields.auth_token | base64_encode }}'

const twilio =
  '{% assign url = acknowledge_url | default: details_url %}' +
  'To={{ fields.to | url_encode }}&From={{ fields.from | url_encode }}' +
  '&Body={{ title | truncate: 300 | append: " " | append: url | strip | url_encode }}'

const sms = `{% assign url = acknowledge_url | default: details_url -%}
{
  "to": {{ fields.to | json }},
  "text": {{ title | truncate: 300 | append: " " | append: url | strip | json }}
}`

export const presetNames = [
  'ntfy',
  'pushover',
  'mattermost',
  'google_chat',
  'opsgenie',
  'twilio_sms',
  'sms_gateway',
] as const
export type PresetName = (typeof presetNames)[number]

export const presets: Record<PresetName, Preset> = {
  ntfy: {
    title: 'ntfy',
    description: 'A topic of ntfy.sh or of an own server, whose address is then given as `url`.',
    url: 'https://ntfy.sh/',
    fields: { topic: required('Topic'), token: optional('Access token, where the topic asks for one') },
    method: 'POST',
    headers: { Authorization: '{% if fields.token %}Bearer {{ fields.token }}{% endif %}' },
    content_type: json,
    body_template: ntfy,
  },
  pushover: {
    title: 'Pushover',
    description: 'The user or group key of the start page, and the token of an application made there.',
    url: 'https://api.pushover.net/1/messages.json',
    fields: { token: required('Token of the application'), user: required('User or group key') },
    method: 'POST',
    headers: {},
    content_type: json,
    body_template: pushover,
  },
  mattermost: {
    title: 'Mattermost',
    description: 'An incoming webhook: Integrations, Incoming Webhooks. Its address is given as `url`.',
    url: null,
    fields: {},
    method: 'POST',
    headers: {},
    content_type: json,
    body_template: mattermost,
  },
  google_chat: {
    title: 'Google Chat',
    description:
      'A webhook of a space: Apps and integrations, Webhooks. Its address is given as `url`. With ' +
      '`&messageReplyOption=REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD` at its end, the messages of an alert are one thread.',
    url: null,
    fields: {},
    method: 'POST',
    headers: {},
    content_type: json,
    body_template: googleChat,
  },
  opsgenie: {
    title: 'Opsgenie, and services with its API',
    description:
      'The key of an API integration. Another region or service is named by `url`: https://api.eu.opsgenie.com.',
    url: opsgenieUrl,
    fields: { api_key: required('Key of the API integration') },
    method: 'POST',
    headers: { Authorization: 'GenieKey {{ fields.api_key }}' },
    content_type: json,
    body_template: opsgenie,
  },
  twilio_sms: {
    title: 'SMS by Twilio',
    description: 'Account SID and auth token of the console, a number of the account, and the number to notify.',
    url: 'https://api.twilio.com/2010-04-01/Accounts/{{ fields.account_sid }}/Messages.json',
    fields: {
      account_sid: required('Account SID'),
      auth_token: required('Auth token'),
      from: required('Number of the sender'),
      to: required('Number to notify'),
    },
    method: 'POST',
    headers: { Authorization: `Basic ${basic}` },
    content_type: 'application/x-www-form-urlencoded',
    body_template: twilio,
  },
  sms_gateway: {
    title: 'SMS by another gateway',
    description: 'Sends `to` and `text` as JSON with a bearer token. The address of the gateway is given as `url`.',
    url: null,
    fields: { to: required('Number to notify'), token: optional('Bearer token') },
    method: 'POST',
    headers: { Authorization: '{% if fields.token %}Bearer {{ fields.token }}{% endif %}' },
    content_type: json,
    body_template: sms,
  },
}

/** The body of a custom channel that names neither a preset nor a template. */
export const defaultBody = `{
  "event": {{ event | json }},
  "phase": {{ phase | json }},
  "alert_id": {{ alert_id | json }},
  "title": {{ title | json }},
  "text": {{ text | json }},
  "url": {{ details_url | json }}
}`

const afterHost = (url: string) => url.replace(/^https?:\/\/[^/]+/, '')
const ours = new Set([
  defaultBody,
  ...Object.values(presets).flatMap(({ url, headers, body_template }) => [
    ...(url === null ? [] : [afterHost(url)]),
    ...Object.values(headers),
    body_template,
  ]),
])
const isPlain = (text: string) => !/\{[{%]/.test(text)

/** Whether nothing of a request is a template of a customer's. */
export const isOurs = ({ url, headers, body_template }: Pick<Preset, 'headers' | 'body_template'> & { url: string }) =>
  [afterHost(url), ...Object.values(headers), body_template].every(text => isPlain(text) || ours.has(text))
