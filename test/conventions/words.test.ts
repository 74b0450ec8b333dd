import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** Folders, and files by a pattern, that follow the glossary. To add one, fix what this test reports there. */
const folders = [
  'analytics',
  'bounded',
  'bench',
  'charts',
  'checks',
  'cli',
  'contract',
  'control-plane/access',
  'control-plane/alerting',
  'control-plane/backtests',
  'control-plane/base',
  'control-plane/billing',
  'control-plane/db',
  'control-plane/engine',
  'control-plane/http',
  'control-plane/identity',
  'control-plane/importing',
  'control-plane/monitoring',
  'control-plane/outbox',
  'control-plane/passive',
  'control-plane/platform',
  'control-plane/publishing',
  'control-plane/reselling',
  'control-plane/tenancy',
  'egress',
  'importers',
  'locales',
  'probe-agent',
  'server-agent',
  'test/analytics',
  'test/authorization',
  'test/bounded',
  'test/charts',
  'test/checks',
  'test/cli',
  'test/contract',
  'test/control-plane/*.ts',
  'test/control-plane/access',
  'test/control-plane/alerting',
  'test/control-plane/backtests',
  'test/control-plane/base',
  'test/control-plane/billing',
  'test/control-plane/db',
  'test/control-plane/engine',
  'test/control-plane/http',
  'test/control-plane/identity',
  'test/control-plane/importing',
  'test/control-plane/monitoring',
  'test/control-plane/outbox',
  'test/control-plane/passive',
  'test/control-plane/platform',
  'test/control-plane/publishing',
  'test/control-plane/reselling',
  'test/control-plane/tenancy',
  'test/egress',
  'test/faults',
  'test/conventions',
  'test/journeys',
  'test/probe-agent',
  'test/server-agent',
  'test/support',
  'test/workflows',
  'workflows',
]

/** Words that the glossary replaced, and what takes their place. Matched in identifiers, comments and texts. */
const refused: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\blook(s|ed|ing)?\b(?! up)/i, 'run, result, check'],
  [/\b[a-z]+Look(s|ed)?\b|\blook(?!sLike|Up)(s|ed)?[A-Z]\w*|\bLook[A-Z]\w*/, 'run, result'],
  [/\b(told|tells?|telling)\b/i, 'notify, publish, report'],
  [/\b(hears?|heard|hearing)\b/i, 'receive'],
  [/\b(held|stretch(es)?|spells?)\b/i, 'suppressed, over the plan limit, locked, queued; interval'],
  [/\bsuspects?\b|\bisSuspect\b/i, 'unreliable'],
  [/\b(ill|starved|torn|dear|dearer)\b/i, 'degraded, overloaded, truncated, expensive'],
  [/\b(vouch\w*|blind ?spells?|standings?)\b/i, 'self-check, monitoring gap, eligibility'],
  [/\bdoors?\b/i, 'guard, access, endpoint'],
  [/\b(nobody|somebody|anybody|whoever|anew)\b/i, 'the subject by its name'],
  [/\b(facts|news|lanes?|tidings)\b/i, 'context, changes, queue'],
  [/\b(trying on|let go of|lets go)\b/i, 'retrying, release'],
  [/could not be \w+; /, 'a noun phrase as log message'],
]

/** The few lines in which a refused word is right. */
const allowed: readonly (readonly [path: RegExp, line: RegExp, reason: string])[] = [
  [
    /agent\/kind|verdicts\.test/,
    /Nothing was heard/,
    'a cause that incidents store and translations have as their key',
  ],
  [
    /^(test\/)?control-plane\/backtests/,
    /\blooks\b/,
    'a field of the interface, and of the effects of the verdict engine',
  ],
  [/monitoring\/checks\/checks\.test/, /Oh-Dear-Health-Check-Secret/, 'the name of a header'],
  [/^control-plane\/base\/side-effects/, /\bsomebody\b/, 'the recipient of a mail may be a person without an account'],
  [/^control-plane\/engine\//, /'suspect'/, 'the reason is stored under this name'],
  [/^test\/(control-plane\/engine|checks)\//, /'suspect'|Nothing was heard/, 'values of the code under test'],
  [
    /^test\/checks\/application-health|control-plane\/importing|^importers|^cli\/main/,
    /oh.?dear/i,
    'the name of a vendor',
  ],
  [/^checks\/agent\/kind/, /Nothing was heard/, 'a cause that incidents store and translations have as their key'],
  [/alerting\/channels\/messages/, /Nothing was heard/, 'a cause that incidents have stored'],
  [
    /^(test\/)?control-plane\/alerting\/|db\/model\/shapes/,
    /'held'|'held:/,
    'the name of a state in the table and in the interface',
  ],
  [/alerting\/channels\/(kinds\/microsoft-teams|vendors)/, /FactSet/, 'a field of Microsoft Teams'],
  [/alerting\/routes/, /look-up/, 'the file of the endpoint that looks a link up'],
  [
    /^control-plane\/alerting\/.*templates\//,
    /nobody|somebody|whoever|and tell an/i,
    'a text for readers of mails and messages',
  ],
  [
    /^control-plane\/(engine\/escalation|monitoring\/incidents\/escalation|http\/openapi\/names)/,
    /\bheld\b/,
    'the name of a state of an escalation, in the table and in the interface',
  ],
  [/^test\/control-plane\/alerting\/escalation/, /pending held/, 'the name of that state'],
  [/^cli\/local\/embedded\/postgres/, /nobody/, 'the name of a system user'],
  [/^test\/conventions\/words/, /./, 'the list of the refused words'],
  [/^test\/workflows\/scenarios/, /name: '/, 'recorded histories have these names'],
]

/** Lines that may be longer than 120 columns. */
const long: readonly (readonly [path: RegExp, line: RegExp, reason: string])[] = [
  [/./, /^\s*\/.*\/[a-z]*(\.exec\()?,?$/, 'a regular expression has no place to break'],
  [/^contract\/mails/, /https:\/\//, 'a URL has no place to break'],
  [/heartbeats\/snippets/, /\$\{url\}|PING_URL/, 'a command is copied as one line'],
  [/web-vitals\/snippet/, /function/, 'the script is sent as it is'],
  [/servers\/encoders/, /^\s*message/, 'a protobuf definition has one line for each message'],
  [/^control-plane\/alerting\/.*templates\//, /'/, 'a text is translated and searched for as a whole'],
  [/alerting\/channels\/kinds.test|causes.test/, /^ +'.*',?$/, 'a long text as test data'],
  [/^test\//, /^\s*(?:[\w ]+:|<|return|await \w+\(|'[^']+':)?\s*[`'"</]|^\s*const policy/, 'data of tests'],
  [/^test\/checks\/lighthouse\/temptations/, /iceServers|addIceCandidate/, 'the script of a page'],
  [/^test\//, /^\s*test\(/, 'the title of a test'],
  [
    /^(control-plane|test)\//,
    /insert into (audit_entries|outbox)|'invitation\.declined'|'member\.(added|removed)'/,
    'a statement of one line',
  ],
  [
    /^test\//,
    /\$\{|create function|import \{.*console\.log|packages/,
    'a message with its figures, a program, a command',
  ],
  [/^bench\//, /\$\{|[A-Z]{4}|insert |select |from |, '|concat\(/, 'a line of figures, and SQL laid out by clauses'],
  [/^analytics\//, /[A-Z]{4}|_ms\b|_us\b|_id\b|\$\{|\{from|await clickhouse/, 'SQL is laid out by clauses'],
]

const isIn = (list: typeof allowed, path: string, line: string) =>
  list.some(([file, text]) => file.test(path) && text.test(line))

async function* lines(folder: string): AsyncGenerator<{ path: string; at: string; line: string }> {
  for await (const path of glob(folder.endsWith('.ts') ? folder : `${folder}/**/*.ts`))
    for (const [index, line] of (await readFile(path, 'utf8')).split('\n').entries())
      yield { path, at: `${path}:${index + 1}`, line }
}

for (const folder of folders) {
  test(`${folder} uses the words of the glossary`, async () => {
    const found: string[] = []
    for await (const { path, at, line } of lines(folder)) {
      if (isIn(allowed, path, line)) continue
      for (const [word, instead] of refused) {
        const match = word.exec(line)
        if (match) found.push(`${at} has "${match[0]}": ${instead}`)
      }
    }
    expect(found).toEqual([])
  })

  test(`${folder} has no line over 120 columns`, async () => {
    const found: string[] = []
    for await (const { path, at, line } of lines(folder))
      if (line.length > 120 && !isIn(long, path, line)) found.push(at)
    expect(found).toEqual([])
  })
}

test('the list of words refuses an old word and accepts the new one', () => {
  const isRefused = (line: string) => refused.some(([word]) => word.test(line))
  expect(['// a due look', 'onLooked', 'isSuspect', 'nobody hears of it', 'lookAt()'].filter(isRefused)).toHaveLength(5)
  expect(['// a scheduled run', 'lookup(name)', 'is_unreliable', 'Name to look up'].filter(isRefused)).toEqual([])
})
