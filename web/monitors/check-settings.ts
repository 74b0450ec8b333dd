import i18next from 'i18next'
import shapes from '../../contract/check-settings.json' with { type: 'json' }
import type { components } from '../api-types.d.ts'

type Check = components['schemas']['Check']
/** The form of a setting: `number`, `text`, `numbers`, `texts` or `boolean`, with `optional` before it or not. */
type Shape = string

export interface Setting {
  name: string
  shape: Shape
  value: unknown
}

/** The settings of a check that a form edits: those that have a text. The API leaves out some that were not chosen. */
export const settingsOf = ({ type, settings }: Pick<Check, 'type' | 'settings'>): Setting[] =>
  Object.entries<Shape>(shapes[type])
    .filter(([name]) => i18next.exists(`setting.${name}`, { ns: 'monitors' }))
    .map(([name, shape]) => ({ name, shape, value: (settings as Record<string, unknown>)[name] ?? null }))

/** A value as the text of a field. */
export const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : Array.isArray(value) ? value.join(', ') : String(value)

const parts = (text: string) =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
const numberIn = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text)

/** What a person typed, as it is sent. What is no number is sent as it is: the API says what is wrong with it. */
export function typedValue(shape: Shape, text: string): unknown {
  const typed = text.trim()
  if (shape.startsWith('optional') && typed === '') return null
  if (shape.endsWith('numbers')) return parts(typed).map(numberIn)
  if (shape.endsWith('texts')) return parts(typed)
  return shape.endsWith('number') ? numberIn(typed) : typed
}
