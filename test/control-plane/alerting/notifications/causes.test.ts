import { glob, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { ownFaults } from '#contract/check.ts'
import { causeIn } from '#control-plane/alerting/notifications/causes.ts'

/** Sentences that say nothing about the target: they open no incident and no warning. */
const isOwn = (code: string | undefined) => ownFaults.some(each => each === code)

/** Every sentence that a check can give as a cause, with values in its places. */
async function causes(): Promise<string[]> {
  const found: string[] = []
  for await (const file of glob('{checks,egress}/**/*.ts')) {
    const text = await readFile(file, 'utf8')
    for (const [, code, , sentence = ''] of text.matchAll(
      /(?:new RunFailure|#fail)\(\s*'(\w+)',(?:\s*'\w+',)?(?:\s*[^'`\n]*\?)?\s*(['`])([A-Z](?:(?!\2).)+)\2/g,
    ))
      if (!isOwn(code)) found.push(sentence)
    for (const [, status, , sentence = ''] of text.matchAll(
      /status: '(\w+)',\s*code: '\w+',\s*reason:\s*(['`])((?:(?!\2).)+)\2/g,
    ))
      if (status !== 'unknown') found.push(sentence)
    for (const [, , sentence = ''] of text.matchAll(/\bcode: '\w+', reason: (['`])((?:(?!\1).)+)\1 \}\)/g))
      found.push(sentence)
    for (const [, , sentence = ''] of text.matchAll(/\bwarn\(\s*'\w+',\s*(['`])((?:(?!\1).)+)\1/g)) found.push(sentence)
    if (file.endsWith('problems.ts'))
      for (const [, sentence = ''] of text.matchAll(/^ {2}\w+: '([A-Z].+\.)',$/gm)) found.push(sentence)
  }
  return [...new Set(found)]
    .filter(sentence => /^[A-Z$].*\.$/.test(sentence))
    .map(sentence =>
      sentence
        .replace(/\$\{seen\.truncated.*?\}/, '')
        .replace(/\$\{[^{}]*\? '(\w+)' : '\w+'\}/g, '$1')
        .replace(/\$\{things\([^}]*\)\}/g, '7 pages')
        .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '7'),
    )
}

describe('causes in German', () => {
  test('every sentence that opens an incident or a warning has a translation', async () => {
    const all = await causes()
    expect(all.length).toBeGreaterThan(60)
    expect(all.filter(sentence => causeIn('de', sentence) === sentence)).toEqual([])
  })

  test.each([
    ['The site answered with status 503.', 'Die Website hat mit Status 503 geantwortet.'],
    ['The certificate expires in 1 day.', 'Das Zertifikat läuft in 1 Tag ab.'],
    ['The domain example.com expires in 14 days.', 'Die Domain example.com läuft in 14 Tagen ab.'],
    [
      'No ping came: one was due at 2026-01-15 09:30 (Europe/Berlin).',
      'Es kam kein Ping; erwartet wurde er um 2026-01-15 09:30 (Europe/Berlin).',
    ],
    ['CPU above 95 % for 15 minutes (97.2 %).', 'CPU über 95 % seit 15 Minuten (97.2 %).'],
    [
      'Memory above 90 % for 1 minute (91 %), disk of /var above 95 % for 5 minutes (97.3 %) and 2 more.',
      'Arbeitsspeicher über 90 % seit 1 Minute (91 %), Datenträger (/var) über 95 % seit 5 Minuten (97.3 %) und 2 weitere.',
    ],
    ['Load over 5 minutes above 8 for 5 minutes (9.4).', 'Last über 5 Minuten über 8 seit 5 Minuten (9.4).'],
    ['Something that no check says.', 'Something that no check says.'],
    ['', ''],
  ])('%s', (english, german) => {
    expect(causeIn('de', english)).toBe(german)
  })

  test('a cause within a cause is German too', () => {
    expect(causeIn('de', 'Redirect 2 leads nowhere: The connection was refused.')).toBe(
      'Weiterleitung 2 führt ins Leere: Die Verbindung wurde abgelehnt.',
    )
  })

  test('texts of customers in a cause stay unchanged', () => {
    expect(causeIn('de', 'Expected body contains "$& $1 $$", but it is "$`".')).toBe(
      'Erwartet war body contains "$& $1 $$", es ist aber "$`".',
    )
  })

  test('translates any sentence quickly', () => {
    const begun = performance.now()
    for (const hostile of [
      'a is on '.repeat(70),
      'x above '.repeat(60),
      `The domain ${'a '.repeat(250)}`,
      ' (x)'.repeat(120),
    ])
      causeIn('de', `${hostile}.`)
    expect(performance.now() - begun).toBeLessThan(1_000)
  })
})
