import { type Context, defaultOperators, evalToken, ForTag, Liquid, type Template } from 'liquidjs'
import type { RunExceeded } from '#bounded/errors.ts'

/**
 * Limits of templates that customers write, for each of them. Lengths in UTF-16 units. `parts`: how many tags, values
 * and texts all loops may write together. Their time is that of the process that fills them; the one here, in
 * milliseconds, ends a template with a message of its own where the machine is idle.
 */
export const templateLimits = { template: 16_000, memory: 400_000, renderMs: 1_000, parts: 20_000 } as const

/** A template that cannot be parsed or filled. The message names the line. */
export class TemplateFailure extends Error {
  override readonly name = 'TemplateFailure'
}

/** What the templates of a channel took too much of, for those who wrote them. */
export const tooExpensive = ({ bound }: RunExceeded): string => `The templates of this channel take too much ${bound}.`

const tags = ['assign', 'break', 'case', 'comment', 'continue', 'for', 'if', 'raw', 'unless', '#'] as const
const filters = [
  ...[
    'abs',
    'append',
    'at_least',
    'at_most',
    'base64_encode',
    'capitalize',
    'ceil',
    'default',
    'divided_by',
    'downcase',
  ],
  ...['escape', 'first', 'floor', 'join', 'last', 'minus', 'modulo', 'newline_to_br', 'plus', 'prepend', 'remove'],
  ...['replace', 'replace_first', 'round', 'size', 'slice', 'split', 'strip', 'strip_newlines', 'times', 'truncate'],
  ...['truncatewords', 'upcase'],
]

/** How many templates are inside of these, and these. */
function partsOf(templates: readonly Template[]): number {
  const inner = templates.map(each => {
    const found: unknown = each.children?.(false, true).next().value
    return Array.isArray(found) ? partsOf(found) : 0
  })
  return inner.reduce((sum, each) => sum + each, templates.length + 1)
}

/** Loops share a budget, however they are nested. */
class BoundedFor extends ForTag {
  #parts: number | undefined

  override *render(...[context, emitter]: Parameters<ForTag['render']>): ReturnType<ForTag['render']> {
    const rows: unknown = yield evalToken(this.collection, context)
    const count = typeof rows === 'object' && rows !== null ? Object.keys(rows).length : 1
    this.#parts ??= partsOf(this.templates)
    context.memoryLimit.use((count * this.#parts * templateLimits.memory) / templateLimits.parts)
    yield* super.render(context, emitter)
  }
}

const { contains } = defaultOperators
/** A search costs as much as the text that is searched. */
function boundedContains(within: unknown, part: unknown, context: Context): boolean {
  if (typeof within === 'string' || Array.isArray(within)) context.memoryLimit.use(within.length)
  return Boolean(contains?.(within, part, context))
}

const textOf = (value: unknown): string =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value ?? '')).toWellFormed()

const marks = /[\\*_~`[\]()#>|!]/g

/** Cuts a text to a number of bytes, and never inside a character. */
function cutBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text
  const kept = Buffer.from(text).subarray(0, Math.max(0, most - 3))
  return `${kept.toString('utf8').replace(/\ufffd+$/, '')}…`
}

/** Filters besides those of Liquid. */
const own: Record<string, (value: unknown, most?: unknown) => string> = {
  /** Any value as JSON: a text with its quotation marks. */
  json: value => JSON.stringify(typeof value === 'string' ? value.toWellFormed() : (value ?? null)),
  url_encode: value => encodeURIComponent(textOf(value)),
  /** For Markdown: no formats, links or mentions. */
  markdown: value =>
    textOf(value)
      .replace(marks, '\\$&')
      .replace(/@(?=\w)/g, '@\u2060'),
  truncate_bytes: (value, most) => cutBytes(textOf(value), Number(most) || 0),
}

/**
 * An engine for templates of customers: few tags and filters, nothing of files or of other templates. What a template
 * may use of memory and time is bounded. There is no `capture` and no `date`: with them a text could grow unnoticed.
 */
function engineWith(outputEscape?: (value: unknown) => string): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    relativeReference: false,
    parseLimit: templateLimits.template,
    memoryLimit: templateLimits.memory,
    renderLimit: templateLimits.renderMs,
    operators: { ...defaultOperators, contains: boundedContains },
    ...(outputEscape && { outputEscape }),
  })
  for (const name of Object.keys(engine.tags)) if (!tags.some(allowed => allowed === name)) delete engine.tags[name]
  for (const name of Object.keys(engine.filters)) if (!filters.includes(name)) delete engine.filters[name]
  engine.registerTag('for', BoundedFor)
  for (const [name, apply] of Object.entries(own))
    engine.registerFilter(name, function (value: unknown, most?: unknown) {
      const made = apply(value, most)
      this.context.memoryLimit.use(made.length)
      return made
    })
  return engine
}

const engines = {
  /** Values stand as they are: bodies and headers. */
  text: engineWith(),
  /** Values are percent-encoded: they cannot leave their part of an address. */
  address: engineWith(value => encodeURIComponent(textOf(value))),
}
export type Medium = keyof typeof engines

/** A parsed template. */
export interface Parsed {
  medium: Medium
  templates: Template[]
}

/** Throws a `TemplateFailure`. */
export function parse(medium: Medium, text: string): Parsed {
  return { medium, templates: attempt(() => engines[medium].parse(text)) }
}

/** Fills a template. Throws a `TemplateFailure`, also for a result of more than `mostBytes`. */
export function fill({ medium, templates }: Parsed, values: object, mostBytes: number): string {
  const filled: unknown = attempt(() => engines[medium].renderSync(templates, values))
  const text = String(filled)
  if (text.length > mostBytes || Buffer.byteLength(text) > mostBytes)
    throw new TemplateFailure(`The result has more than ${mostBytes} bytes.`)
  return text.toWellFormed()
}

/** The values that a template uses, each as the path of its names: `['monitor', 'name']`. */
export const valuesUsed = ({ medium, templates }: Parsed): string[][] =>
  engines[medium].globalVariableSegmentsSync(templates).map(path => path.map(String))

function attempt<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) throw new TemplateFailure('The template is nested too deeply.')
    if (!(error instanceof Error)) throw error
    const { message } = error
    if (message.startsWith('template render limit')) throw new TemplateFailure('The template takes too long.')
    if (message.startsWith('memory alloc limit')) throw new TemplateFailure('The template needs too much memory.')
    throw new TemplateFailure(sentence(message))
  }
}

/** `tag "x" not found, line:2, col:1` becomes `Line 2: tag "x" not found.` */
function sentence(message: string): string {
  const [, what = message, line] = /^(.*?),? line:(\d+)(?:, col:\d+)?$/.exec(message.split('\n')[0] ?? '') ?? []
  return line === undefined ? `${what}.` : `Line ${line}: ${what}.`
}
