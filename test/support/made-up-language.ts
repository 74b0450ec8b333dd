import { globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/**
 * A language `xx` of which each text is the English one in quotes: what is shown without them was not translated. A
 * file imports this before anything that reads texts.
 */
export const madeUpFolder = mkdtempSync(join(tmpdir(), 'made-up-language-'))
const folder = join(madeUpFolder, 'locales')

function quoted(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : `«${value}»`
  return Object.fromEntries(Object.entries(value as object).map(([key, each]) => [key, quoted(each)]))
}

/** Of refusals and causes the key is the English text. */
function byKey(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return `«${key}»`
  return Object.fromEntries(Object.entries(value as object).map(([name, each]) => [name, byKey(each, name)]))
}

for (const file of globSync('**/*.json', { cwd: 'locales/de' })) {
  const isByKey = ['refusals.json', 'causes.json'].includes(file)
  const given: unknown = JSON.parse(readFileSync(`locales/${isByKey ? 'de' : 'en'}/${file}`, 'utf8'))
  const path = join(folder, 'xx', file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(isByKey ? byKey(given) : quoted(given)))
}
process.env.LOCALES_FOLDER = folder

/** What every reader understands, or no text of ours may change. */
const exceptions = [
  /https?:\/\/[^\s"<>]+/g,
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
  // the names of the product and of others
  /\bVedette\b/g,
  // figures with their units, moments and time zones
  /\b(?:ms|s|min|h|d|[kMG]B)\b/g,
  /\b(?:UTC|CET|CEST|GMT)\b/g,
  /\b(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?\b/g,
  /\b(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b/g,
  /(?<=\d )at(?= \d)/g,
  // what the runtime writes for a language without figures of its own: it takes English
  /\b(?:\d+ (?:second|minute|hour|day|week|month|year)s? ago|yesterday|today|tomorrow)\b/g,
]

/** Texts of data, but not the words of the API, such as `up`. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^[a-z_]*$/.test(value) ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** The lines of a shown text with words that are neither in quotes, nor of the data, nor excepted. */
export function untranslated(shown: string, data: readonly string[]): string[] {
  let rest = shown.replaceAll('\u00a0', ' ')
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(/«[^«»]*»/gs, ' ')
  }
  const known = new Set(data.flatMap(text => [text, ...text.split('\n')]).map(text => text.trim()))
  for (const text of [...known].filter(text => text.length > 1).sort((a, b) => b.length - a.length)) {
    const pattern = text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll(/\s+/g, '\\s+')
    rest = rest.replaceAll(new RegExp(`(?<![\\p{L}\\d])${pattern}(?![\\p{L}\\d])`, 'giu'), ' ')
  }
  for (const exception of exceptions) rest = rest.replace(exception, ' ')
  return rest
    .split('\n')
    .map(line => line.trim())
    .filter(line => /\p{L}{2,}/u.test(line))
}
