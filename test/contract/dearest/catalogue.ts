import type { Schema } from '#test/authorization/document.ts'

/** A field of a body, or a parameter of a query. */
export interface Field {
  name: string
  schema: Schema
  /** `POST /api/v1/monitors`. */
  operation: string
}

/** The text made of a pattern, as often as it fits. */
const of = (pattern: string, length: number) => pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length)
const around = (start: string, pattern: string, end: string, length: number) =>
  start + of(pattern, Math.max(0, length - start.length - end.length)) + end
const letters = (count: number) => Array.from({ length: count }, (_, n) => n.toString(36))

/**
 * Patterns for every text, whatever it is for: they expand when they are normalised, changed in case, escaped or
 * encoded, begin something that does not end, or make a pattern of ours try again and again.
 */
export const patterns = ['a', '\u0300', 'ﷺ', '😀', '<', '\\', '{{', '(((', ',', 'a@', '%25', 'a ', 'https://a.b/?c=d&']

interface Bait {
  /** Type of field. */
  what: string
  fits(field: Field): boolean
  /** Texts of at most this length. */
  texts(length: number): string[]
}

const named = (pattern: RegExp) => (field: Field) => pattern.test(field.name)
const on = (pattern: RegExp) => (field: Field) => pattern.test(field.operation)

/** The dearest known texts by type of field. A field that fits none has those for all texts. */
export const baits: readonly Bait[] = [
  {
    what: 'name',
    fits: named(/name|title|label|group|tag/),
    texts: length => [of('a\u0301\u0302\u0303', length), of('👩‍👩‍👧‍👦', length), of('ﬃ', length), of('a-', length)],
  },
  {
    what: 'address',
    fits: named(/url|address|link|target|host|domain|issuer|origin|path|redirect|proxy/),
    texts: length => [
      around('https://', 'a.', 'example.com/', length),
      around('https://example.com/', '../', '', length),
      around('https://example.com/?', 'a=b&', '', length),
      around('https://example.com/', '%E4%BD%A0', '', length),
      around('https://', 'ｅ．', 'example.com/', length),
      around('https://xn--', 'ä', '.example.com/', Math.min(length, 300)),
      around('https://', 'a:', '@example.com/', length),
      around('https://[', '1:', ']/', length),
      around('http://', '0x7f.', '1/', length),
      of('/', length),
    ],
  },
  {
    what: 'e-mail address',
    fits: ({ name, schema }) =>
      schema.format === 'email' || /email|recipient|user_?name|from_address|login/i.test(name),
    texts: length => [
      around('a@', 'b.', 'example.com', Math.min(length, 254)),
      around('', 'a.', '@example.com', Math.min(length, 254)),
      around('"', '\\"', '"@example.com', length),
      around('a@', 'a-', '.com', length),
      of('a@b.', length),
      around('<', '<', '@', length),
    ],
  },
  {
    what: 'pattern',
    fits: named(/pattern|regex|glob|ignore|exclude|include|filter|keyword|contains|match|allowed|search/),
    texts: length => [
      around('', '*a', 'b', length),
      around('^(', 'a+', ')+$', length),
      around('', '(a|a)*', 'b', length),
      around('', '[^', ']', length),
      of('*', length),
      of('?*', length),
    ],
  },
  {
    what: 'template',
    fits: named(/template|body|text|message|variable|value/),
    texts: length => [
      around('', '{{a}}', '', length),
      around('', '{{ a | b: "', '"}}', length),
      around('', '{% for i in (1..9) %}', '', length),
      of('{{ {{', length),
    ],
  },
  {
    what: 'recurrence rule',
    fits: named(/rrule/),
    texts: () => [
      `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYMONTHDAY=${letters(0)}${Array.from({ length: 31 }, (_, n) => n + 1)};BYSETPOS=-366;COUNT=500`,
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30,31',
    ],
  },
  {
    what: 'cron expression',
    fits: named(/^schedule$|cron/),
    texts: () => [
      '0 0 30 2 *',
      '59 23 31 2,4,6,9,11 *',
      '0 0 29 2 1#5',
      '0 0 31W 2 *',
      '1-59/1 1-23/1 29 2 *',
      `${of('0-59,', 110)}0 0 1 1 *`,
      '*/59 */23 29 2 7',
    ],
  },
  {
    what: 'time zone',
    fits: named(/zone|timezone/),
    texts: length => [of('Europe/', length), 'America/Argentina/ComodRivadavia', 'eUrOpE/bErLiN', of('+', length)],
  },
  {
    what: 'language',
    fits: named(/locale|language/),
    texts: length => [of('de-', length), 'x-'.repeat(20)],
  },
  {
    what: 'time',
    fits: ({ name, schema }) =>
      schema.format === 'date-time' || /_at$|^from$|^to$|since|before|after|month|until/.test(name),
    texts: length => [
      around('2026-01-01T00:00:00.', '0', 'Z', length),
      '9999-12-31T23:59:59Z',
      '0001-01-01T00:00:00Z',
      of('2026-', length),
      of('0', length),
    ],
  },
  {
    what: 'Markdown',
    fits: named(/body|description|announcement|text|notes|postmortem|footer|reason|message/),
    texts: length =>
      [
        '*_*_',
        'a**b',
        '_*',
        '![',
        '[a](',
        '[a][',
        '---\n',
        '> ',
        '`a``',
        '<a ',
        'https://a.b?(',
        '    a\n\n',
        '- - - ',
      ].map(pattern => of(pattern, length)),
  },
  {
    what: 'path in JSON',
    fits: named(/property|json_?path|claim|attribute|field/),
    texts: length => [of('a.', length), of('[0]', length), of('$..*', length), of('["a"]', length)],
  },
  {
    what: 'ranges of addresses',
    fits: named(/ips?$|cidr|range/),
    texts: () => ['0.0.0.0/0', '::/0', '::ffff:0.0.0.0/96', 'fe80::1%eth0', '1:2:3:4:5:6:7:8/128'],
  },
  {
    what: 'colour and style',
    fits: named(/colou?r|css|style/),
    texts: length => [`#${of('f', Math.max(3, length - 1))}`, around('/*', '*', '', length), of('a{', length)],
  },
  {
    what: 'file',
    fits: named(/content|csv|yaml|file/),
    texts: length => [
      around('url\n', '"a""', '', length),
      around('url\n', ',', '', length),
      around('url\n', 'https://a.example/\n', '', length),
      of('- a: &a [*a]\n', length),
      of('[', length),
      of('{"a":', length),
    ],
  },
  {
    what: 'encoded bytes',
    fits: named(/credential|attestation|authenticator|signature|client_?data|^id$|raw_?id|secret|token|cert|key/i),
    texts: length => [
      of('A', length),
      of('_', length),
      // lists within lists, and maps within maps, of CBOR
      Buffer.alloc(Math.floor((length * 3) / 4), 0x81).toString('base64url'),
      Buffer.alloc(Math.floor((length * 3) / 4), 0xa1).toString('base64url'),
      Buffer.alloc(Math.floor((length * 3) / 4), 0x9f).toString('base64url'),
      Buffer.from(`{"a":${'['.repeat(Math.floor(length / 2))}`)
        .toString('base64url')
        .slice(0, length),
      `${of('e30.', length)}`,
      around('-----BEGIN CERTIFICATE-----\n', 'MIIB', '\n-----END CERTIFICATE-----', length),
    ],
  },
  {
    what: 'password',
    fits: named(/password/),
    texts: length => [
      of('qwerty', length),
      of('1', length),
      of('4@$0', length),
      of('ab', length),
      of('p@ssw0rd', length),
    ],
  },
  {
    what: 'filter of a directory',
    fits: field => on(/scim/)(field) && named(/filter|path|value/)(field),
    texts: length => [
      of('userName eq "a" and ', length),
      of('(', length),
      of('emails[type eq "', length),
      of('not (', length),
    ],
  },
  {
    what: 'cursor',
    fits: named(/cursor/),
    texts: length => [
      of('A', length),
      Buffer.from(`[${'['.repeat(Math.floor(length / 2))}`)
        .toString('base64url')
        .slice(0, length),
      of('a.', length),
    ],
  },
  {
    what: 'list in a parameter',
    fits: named(/status|severity|topics|metrics|regions|check_type|scopes|event|sort|components|tag/),
    texts: length => [of('a,', length), of(',', length), letters(Math.floor(length / 5)).join(',')],
  },
  {
    what: 'label',
    fits: named(/labels?$|tenant_filter|monitor_filter|metadata|external_ref/),
    texts: length => [around('', '*a', '*', length), of('**', length)],
  },
]

const unbounded = 60_000

/** The dearest texts of a field that may have `most` characters in all, by type. */
export function textsFor(field: Field, most: number): { what: string; text: string }[] {
  const { maxLength = unbounded } = field.schema as { maxLength?: number }
  const length = Math.min(maxLength, most)
  const special = baits.filter(({ fits }) => fits(field))
  return [
    ...special.flatMap(({ what, texts }) =>
      texts(length).map(text => ({ what, text: text.slice(0, Math.max(length, 3)) })),
    ),
    { what: 'text', text: of('\u0300', length) },
  ]
}
