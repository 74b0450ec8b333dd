import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'

type Words = Record<string, string>

const areas = globSync('locales/en/app/*.json')
  .map(file => basename(file, '.json'))
  .sort()
const wordsOf = (area: string) => JSON.parse(readFileSync(`locales/en/app/${area}.json`, 'utf8')) as Words
const sources = globSync('web/**/*.{ts,tsx}', { exclude: name => name.endsWith('.d.ts') }).map(file => ({
  file,
  source: readFileSync(file, 'utf8'),
}))

/** i18next adds the form of the plural to the key that the code names. */
const named = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '')

/** Every text in quotes. */
const literals = new Set(
  sources.flatMap(({ source }) => [...source.matchAll(/(['"])([\w.-]+)\1/g)].map(([, , text]) => text)),
)

/** The fixed parts of the template that begins at a backtick; null where none does. */
function partsOf(source: string, from: number): string[] | null {
  const parts = ['']
  for (let at = from + 1; at < source.length && source[at] !== '`'; at++) {
    if (source.startsWith('${', at)) {
      let depth = 1
      for (at += 2; at < source.length && depth > 0; at++) depth += { '{': 1, '}': -1 }[source[at]!] ?? 0
      at--
      parts.push('')
    } else if (/[\w.-]/.test(source[at]!)) parts.push(`${parts.pop()}${source[at]}`)
    else return null
  }
  return parts
}

/** Keys are made of words of the API by templates such as `status.${status}`, which begin with their area of keys. */
const templates = sources.flatMap(({ source }) =>
  [...source.matchAll(/`/g)].flatMap(({ index }) => {
    const parts = partsOf(source, index) ?? []
    if (parts.length < 2 || !/^[\w-][\w.-]*\.$/.test(parts[0] ?? '')) return []
    const shape = parts.map(part => part.replaceAll('.', String.raw`\.`)).join(String.raw`[\w.-]+`)
    return [{ prefix: parts[0]!, shape: new RegExp(`^${shape}$`) }]
  }),
)

describe('the words of the app', () => {
  test('there are areas, sources and templates to examine', () => {
    expect(areas).toContain('shell')
    expect(sources.length).toBeGreaterThan(100)
    expect(templates.length).toBeGreaterThan(10)
  })

  test('each kind of check has a name and says what it checks', () => {
    const kinds = Object.keys(JSON.parse(readFileSync('contract/check-kinds.json', 'utf8')))
    const missing = kinds.flatMap(kind => [`kind.${kind}`, `why.${kind}`]).filter(key => !wordsOf('monitors')[key])
    expect(missing).toEqual([])
  })

  test.each(areas)('every key of %s is used', area => {
    const unused = Object.keys(wordsOf(area)).filter(
      key => !literals.has(named(key)) && !templates.some(({ shape }) => shape.test(named(key))),
    )
    expect(unused).toEqual([])
  })

  test('every template of keys has words', () => {
    const known = areas.flatMap(area => Object.keys(wordsOf(area)).map(named))
    const asked = sources.flatMap(({ source }) =>
      [...source.matchAll(/\bt\(`/g)].flatMap(({ index }) => partsOf(source, index + 2)?.[0] ?? []),
    )
    expect(asked.length).toBeGreaterThan(10)
    expect(asked.filter(prefix => !known.some(key => key.startsWith(prefix)))).toEqual([])
  })

  test('every key that the code names has words', () => {
    const known = new Set(areas.flatMap(area => Object.keys(wordsOf(area)).map(named)))
    const missing = sources.flatMap(({ file, source }) =>
      [...source.matchAll(/\bt\('([\w.-]+)'/g)].flatMap(([, key = '']) => (known.has(key) ? [] : [`${file}: ${key}`])),
    )
    expect(missing).toEqual([])
  })
})
