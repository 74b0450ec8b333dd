import type { i18n as I18n } from 'i18next'
import { ApiError } from '../api.ts'

/** What to say of a failure: the words of this app for its code if there are any, else those of the API. */
export function messageOf(error: unknown, i18n: I18n): string {
  if (!(error instanceof ApiError)) return i18n.t('error.unreachable', { ns: 'parts' })
  const key = `error.${error.code}`
  if (i18n.exists(key, { ns: 'parts' })) return i18n.t(key, { ns: 'parts' })
  return error.status >= 500 ? i18n.t('error.failed', { ns: 'parts' }) : error.message
}

/** The same in one sentence that says the most: what is wrong with the first field, if there is one. */
export const shortMessageOf = (error: unknown, i18n: I18n): string =>
  (error instanceof ApiError && Object.values(error.fields)[0]) || messageOf(error, i18n)

export interface Refused {
  /** What to say at fields, by their names. */
  fields: Record<string, string>
  /** What the API refuses that has no field in the form. */
  others: { name: string; message: string }[]
}

/** Sorts a refusal by the fields of a form. One of a part of a field, such as `urls.0`, is said at the field. */
export function splitRefusal(refused: Readonly<Record<string, string>>, names: ReadonlySet<string>): Refused {
  const split: Refused = { fields: {}, others: [] }
  for (const [path, message] of Object.entries(refused)) {
    const name = fieldOf(path, names)
    if (name === null) split.others.push({ name: path, message })
    else split.fields[name] ??= message
  }
  return split
}

function fieldOf(path: string, names: ReadonlySet<string>): string | null {
  for (let name = path; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.'))))
    if (names.has(name)) return name
  return null
}
