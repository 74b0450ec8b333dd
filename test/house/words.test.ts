import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folders =
  '{analytics,bench,bounded,charts,checks,cli,contract,control-plane,egress,probe-agent,server-agent,test,workflows}'

/** Words that the glossary replaced, and what takes their place, in names and comments. */
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
]

/** Lines in which a refused word is right: names of vendors and of a system user, fields of interfaces, a state. */
const allowed = /oh.dear|FactSet|`nobody`|\blooks(:|\)|, | \}|\.)|\.looks|'held'/i

/** A line without its texts, which the rule is not about; of a comment everything is left. */
const withoutTexts = (line: string) =>
  /^\s*(\/\/|\/?\*)/.test(line)
    ? line
    : line.replaceAll(/'(?:[^'\\]|\\.)*'|"[^"]*"|`[^`]*`|\/(?:[^/\\]|\\.)+\/[a-z]*/g, "''")

const refusedIn = (line: string) =>
  refused.flatMap(([word, instead]) => {
    const match = word.exec(withoutTexts(line))
    return match && !allowed.test(line) ? [`"${match[0]}": ${instead}`] : []
  })

test('names and comments use the words of the glossary', () => {
  const found = globSync(`${folders}/**/*.ts`).flatMap(path =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) => refusedIn(line).map(fault => `${path}:${index + 1} has ${fault}`)),
  )
  expect(found).toEqual([])
})

test('an old word is refused and the new one is accepted', () => {
  const isRefused = (line: string) => refusedIn(line).length > 0
  expect(
    ['// a due look', 'onLooked', 'isSuspect', '// nobody hears of it', 'lookAt()'].filter(isRefused),
  ).toHaveLength(5)
  expect(['// a scheduled run', 'lookup(name)', 'is_unreliable', "'looks'"].filter(isRefused)).toEqual([])
})
