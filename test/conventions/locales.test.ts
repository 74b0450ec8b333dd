import { globSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { languages } from '#contract/languages.ts'

const formOfPlural = /_(zero|one|two|few|many|other)$/
const places = (text: string) => [...text.matchAll(/\{(\w+)[^}]*\}/g)].map(([, name]) => name).sort()

/** Texts that a language leaves out, or that have other places than in English, with the reason. */
const exceptions: Record<string, string> = {
  'de/notifications.json: monitor.flapping_resolved › details › status': 'the status is a word of the API, in English',
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
