import { globSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { kinds } from '#checks/index.ts'
import { languages } from '#locales/languages.ts'

const formOfPlural = /_(zero|one|two|few|many|other)$/
const places = (text: string) => [...text.matchAll(/\{(\w+)[^}]*\}/g)].map(([, name]) => name).sort()

/** Texts that a language leaves out, or that have other places than in English, with the reason. */
const exceptions: Record<string, string> = {
  'de/notifications.json: monitor.flapping_resolved › details › status': 'German leaves the line out',
  'de/notifications.json: any › heading': 'descriptions of events are in English; German has the name of the event',
}

/** The texts of a file by the path of their keys; each form of a plural is one of its own. */
function textsOf(language: string, file: string): Map<string, string> {
  const texts = new Map<string, string>()
  const walk = (value: unknown, path: string) => {
    if (typeof value === 'string') texts.set(path, value)
    else for (const [key, each] of Object.entries(value as object)) walk(each, path === '' ? key : `${path} › ${key}`)
  }
  walk(JSON.parse(readFileSync(`locales/${language}/${file}`, 'utf8')), '')
  return texts
}

/** The forms of a plural that a language has, for a key of English that has some. */
const keysIn = (language: string, key: string) =>
  formOfPlural.test(key) && key.endsWith('_other')
    ? new Intl.PluralRules(language)
        .resolvedOptions()
        .pluralCategories.map(form => key.replace(formOfPlural, `_${form}`))
    : [key]

test('each folder of locales is a language', () => {
  const folders = readdirSync('locales', { withFileTypes: true }).filter(entry => entry.isDirectory())
  expect(folders.map(({ name }) => name).sort()).toEqual([...languages].sort())
})

describe.each(languages.filter(language => language !== 'en'))('the texts in %s', language => {
  test.each(globSync('**/*.json', { cwd: 'locales/en' }).sort())('%s has each text, with the same places', file => {
    const [english, other] = [textsOf('en', file), textsOf(language, file)]
    const wanted = [...english.keys()].filter(key => !formOfPlural.test(key) || key.endsWith('_other'))
    const isExcepted = (key: string) => Object.hasOwn(exceptions, `${language}/${file}: ${key}`)
    const missing = wanted.flatMap(key => keysIn(language, key)).filter(key => !other.get(key)?.trim())
    expect(missing.filter(key => !isExcepted(key))).toEqual([])
    expect([...other.keys()].filter(key => !english.has(key) && !formOfPlural.test(key))).toEqual([])
    for (const [key, text] of english)
      if (other.has(key) && !isExcepted(key) && !/_(zero|one|two)$/.test(key))
        expect([key, places(other.get(key)!)]).toEqual([key, places(text)])
  })
})

test('every kind of check has a name for sentences', () => {
  const { kinds: named } = JSON.parse(readFileSync('locales/en/notifications.json', 'utf8'))
  expect(Object.keys(named).sort()).toEqual(Object.keys(kinds).sort())
})

/** German letters and words, records by language, and code that asks for one language. */
const german = /[äöüßÄÖÜ„]|['"`][^'"`\n]*\b(?:und|nicht|wird|wurde|Sie|keine)\b|\bde: ['"`{[(]|[!=]== 'de'|\('de'\)/
const mayHave: Record<string, string> = {
  'control-plane/db/by-name.ts': 'how names are sorted, and the name of a collation',
}

test('no text of a language but English stands in code', () => {
  const code =
    '{contract,charts,bounded,locales,egress,checks,probe-agent,server-agent,analytics,control-plane,workflows,cli,web}/**/*.{ts,tsx}'
  const found = globSync(code)
    .filter(file => !file.includes('node_modules') && !Object.hasOwn(mayHave, file))
    .flatMap(file =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, at) => (german.test(line) ? [`${file}:${at + 1}`] : [])),
    )
  expect(found).toEqual([])
})
