const nameOfOne = '[A-Za-z][A-Za-z0-9_]{0,49}'
export const variableName = new RegExp(`^${nameOfOne}$`)
const placeholder = new RegExp(`\\{\\{ *(${nameOfOne}) *\\}\\}`, 'g')

/** Replaces `{{name}}` by the value of that name. Placeholders within values are not replaced. */
export const fillText = (text: string, values: ReadonlyMap<string, string>) =>
  text.replace(placeholder, (whole, name: string) => values.get(name) ?? whole)

/** The names of a text's placeholders in order, with repetitions. */
export const namesIn = (text: string): string[] => [...text.matchAll(placeholder)].map(([, name = '']) => name)

/** The number of placeholders in the texts and field names of a JSON value. Allocates no list of them. */
export function countPlaceholders(value: unknown): number {
  if (typeof value === 'string') return value.includes('{{') ? (value.match(placeholder)?.length ?? 0) : 0
  if (!value || typeof value !== 'object') return 0
  let count = 0
  for (const [key, inner] of Object.entries(value)) count += countPlaceholders(key) + countPlaceholders(inner)
  return count
}

/** Whether a text has two braces that open no placeholder, which is probably a typing error. */
export const hasStrayBraces = (text: string) => text.replace(placeholder, ' ').includes('{{')

/** Every text within a JSON value with its path below `place`. Field names are included, and are never filled. */
export function* textsIn(value: unknown, place: string): Generator<{ place: string; text: string; isKey: boolean }> {
  if (typeof value === 'string') yield { place, text: value, isKey: false }
  else if (value && typeof value === 'object')
    for (const [key, inner] of Object.entries(value)) {
      yield { place, text: key, isKey: true }
      yield* textsIn(inner, `${place}.${key}`)
    }
}

export const holdsPlaceholder = (value: unknown) =>
  textsIn(value, '').some(({ text, isKey }) => !isKey && namesIn(text).length > 0)

/** The same JSON value with all texts filled; field names stay. */
export function fillTexts(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return fillText(value, values)
  if (Array.isArray(value)) return value.map(inner => fillTexts(inner, values))
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillTexts(inner, values)]))
  return value
}
