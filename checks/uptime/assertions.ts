import { z } from 'zod'

const sources = ['status', 'header', 'json', 'time', 'body'] as const
const comparisons = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'greater_than',
  'less_than',
  'is_empty',
  'not_empty',
] as const

export const Assertion = z
  .object({
    source: z
      .enum(sources)
      .meta({ description: 'What to compare: `time` is the duration of the whole run in milliseconds.' }),
    property: z
      .string()
      .max(200)
      .default('')
      .meta({ description: 'Name of the header, or path into the JSON such as `data.items[0].id`.' }),
    comparison: z.enum(comparisons),
    target: z
      .union([z.string().max(500), z.number(), z.boolean()])
      .default('')
      .meta({ description: 'What to compare with.' }),
  })
  .superRefine((assertion, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (assertion.source === 'header' && !/^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(assertion.property))
      refuse('property', 'Must be the name of a header.')
    if (assertion.source === 'json' && !parsePath(assertion.property))
      refuse('property', 'Must be a path such as data.items[0].id.')
    const isNumeric = assertion.comparison === 'greater_than' || assertion.comparison === 'less_than'
    if (isNumeric && !Number.isFinite(numberOf(assertion.target))) refuse('target', 'Must be a number.')
  })
  .meta({ id: 'UptimeAssertion' })
export type Assertion = z.output<typeof Assertion>

/** The data that assertions test. `json` is undefined if the body is not JSON. */
export interface Answer {
  status: number
  headers: { get(name: string): string | undefined }
  text: string
  json: unknown
  tookMs: number
}

/** Steps of a dotted and bracketed path: `a.b[0]['c d']`, a leading `$` allowed. Null if it is invalid. */
export function parsePath(path: string): string[] | null {
  const steps: string[] = []
  const step = /\.?([^.[\]'"\s]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]/y
  let rest = path.startsWith('$') ? path.slice(1) : path
  if (rest.startsWith('.')) rest = rest.slice(1)
  while (step.lastIndex < rest.length) {
    const found = step.exec(rest)
    if (!found) return null
    steps.push(found[1] ?? found[2] ?? found[3] ?? found[4] ?? '')
  }
  return path ? steps : null
}

/** The value at the path, `undefined` if there is none. */
export function pick(json: unknown, path: string): unknown {
  let value = json
  for (const step of parsePath(path) ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = Reflect.get(value, step)
  }
  return value
}

/** Whether the assertion holds, and the compared value as text. */
export function evaluate(assertion: Assertion, answer: Answer): { holds: boolean; actual: string } {
  const value = valueAt(assertion, answer)
  return { holds: compare(assertion, value), actual: textOf(value) }
}

function valueAt({ source, property }: Assertion, answer: Answer): unknown {
  switch (source) {
    case 'status':
      return answer.status
    case 'header':
      return answer.headers.get(property.toLowerCase())
    case 'json':
      return pick(answer.json, property)
    case 'time':
      return answer.tookMs
    case 'body':
      return answer.text
  }
}

function compare({ comparison, target }: Assertion, value: unknown): boolean {
  switch (comparison) {
    case 'equals':
      return value !== undefined && textOf(value) === String(target)
    case 'not_equals':
      return value === undefined || textOf(value) !== String(target)
    case 'contains':
      return contains(value, String(target))
    case 'not_contains':
      return !contains(value, String(target))
    case 'greater_than':
      return numberOf(value) > numberOf(target)
    case 'less_than':
      return numberOf(value) < numberOf(target)
    case 'is_empty':
      return isEmpty(value)
    case 'not_empty':
      return !isEmpty(value)
  }
}

const contains = (value: unknown, target: string) =>
  Array.isArray(value) ? value.some(item => textOf(item) === target) : textOf(value).includes(target)
const isEmpty = (value: unknown) => value === undefined || value === null || ['', '[]', '{}'].includes(textOf(value))

/** Cached: many assertions may compare one large value. */
const texts = new WeakMap<object, string>()

function textOf(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value !== 'object' || value === null) return String(value)
  const known = texts.get(value)
  if (known !== undefined) return known
  const text = written(value)
  texts.set(value, text)
  return text
}

function written(value: object): string {
  try {
    return JSON.stringify(value)
  } catch {
    return '' // nested too deep to serialize, so never equal to an expected text
  }
}

const numberOf = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' && value.trim() ? Number(value) : Number.NaN
