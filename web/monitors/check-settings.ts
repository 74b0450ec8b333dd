import type { components } from '../api-types.d.ts'

type Check = components['schemas']['Check']

type Shape = 'number' | 'optional number' | 'text' | 'optional text' | 'optional numbers' | 'texts' | 'boolean'

/** Settings that a form edits, with the shape of their values. The others are left as they are. */
const shapes = {
  port: 'number',
  timeout_ms: 'number',
  degraded_after_ms: 'optional number',
  expected_status: 'texts',
  warning_status: 'texts',
  keyword_present: 'optional text',
  keyword_absent: 'optional text',
  follow_redirects: 'boolean',
  max_redirects: 'number',
  verify_tls: 'boolean',
  warn_days: 'optional numbers',
  name: 'optional text',
  record_types: 'texts',
  exact: 'boolean',
  detect_changes: 'boolean',
  packets: 'number',
  warn_loss_percent: 'number',
  down_loss_percent: 'number',
  expect: 'optional text',
  min_grade: 'optional text',
  detect_drops: 'boolean',
  max_hops: 'number',
  final_url: 'optional text',
  must_exist: 'boolean',
  sample: 'number',
  max_age_minutes: 'number',
  max_pages: 'number',
  max_broken: 'number',
  min_pages: 'optional number',
  max_failed_pages: 'optional number',
  grace_minutes: 'number',
  max_run_minutes: 'optional number',
  no_data_after_minutes: 'optional number',
} as const satisfies Record<string, Shape>

export type SettingName = keyof typeof shapes

export interface Setting {
  name: SettingName
  shape: Shape
  value: unknown
}

const isKnown = (name: string): name is SettingName => Object.hasOwn(shapes, name)

/** Settings that the API leaves out where nobody chose a value. */
const unset: Partial<Record<Check['type'], object>> = { ssl: { warn_days: null } }

/** The settings of a check that a form edits, in the order of the API. */
export const settingsOf = ({ type, settings }: Pick<Check, 'type' | 'settings'>): Setting[] =>
  Object.entries({ ...unset[type], ...settings }).flatMap(([name, value]) =>
    isKnown(name) ? [{ name, shape: shapes[name], value }] : [],
  )

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
  if (shape === 'optional numbers') return parts(typed).map(numberIn)
  if (shape === 'texts') return parts(typed)
  return shape.endsWith('number') ? numberIn(typed) : typed
}
