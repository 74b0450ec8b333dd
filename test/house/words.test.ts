import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** Folders that follow the glossary. To add one, fix what this test reports there. */
const folders = [
  'contract',
  'egress',
  'checks',
  'probe-agent',
  'server-agent',
  'analytics',
  'control-plane/monitoring/maintenance-windows',
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
  [/\b(vouch\w*|blind spell|standing)\b/i, 'self-check, monitoring gap, eligibility'],
  [/\b(nobody|somebody|anybody|whoever|anew)\b/i, 'the subject by its name'],
  [/\b(facts|news|lanes?|tidings)\b/i, 'context, changes, queue'],
  [/\b(trying on|let go of|lets go)\b/i, 'retrying, release'],
  [/could not be \w+; /, 'a noun phrase as log message'],
]

/** The few lines in which a refused word is right. */
const allowed: readonly (readonly [path: RegExp, line: RegExp, reason: string])[] = [
  [/^analytics\//, /suspect/, 'the column of check_results and of its observations has this name'],
  [/^analytics\//, /\bfacts\b/, 'the observation of the verdict engine has this field'],
  [/^analytics\/queries\/server-history/, /\bheard\b/, 'the backtest of servers has this field'],
  [/^contract\/events/, /was_held/, 'a field of the interface'],
  [/^checks\/agent\/kind/, /Nothing was heard/, 'a cause that incidents store and translations have as their key'],
]

/** Lines that may be longer than 120 columns. */
const long: readonly (readonly [path: RegExp, line: RegExp, reason: string])[] = [
  [/./, /^\s*\/.*\/[a-z]*(\.exec\()?,?$/, 'a regular expression has no place to break'],
  [/^contract\/mails/, /https:\/\//, 'a URL has no place to break'],
  [/^analytics\//, /[A-Z]{4}|_ms\b|_us\b|_id\b|\$\{|\{from|await clickhouse/, 'SQL is laid out by clauses'],
]

const isIn = (list: typeof allowed, path: string, line: string) =>
  list.some(([file, text]) => file.test(path) && text.test(line))

async function* lines(folder: string): AsyncGenerator<{ path: string; at: string; line: string }> {
  for await (const path of glob(`${folder}/**/*.ts`))
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
