import { type Parsed, TemplateFailure, valuesUsed } from './engine.ts'
import { type Values, valueDescriptions } from './value-names.ts'
import { parts, type RequestTemplate } from './write.ts'

interface Validated {
  /** What is wrong, by field. */
  errors: Record<string, string[]>
  /** The values that the templates use, each as the path of its names: `['monitor', 'name']`. */
  used: string[][]
}

/** Tries the templates of a channel with messages. A program: customers write them. */
export function run({ request, tried }: { request: RequestTemplate; tried: readonly Values[] }): Validated {
  const validated: Validated = { errors: {}, used: [] }
  const tryOut = (
    field: string,
    part: (typeof parts)[keyof typeof parts],
    text: string,
    validate: (filled: string) => void,
  ) => {
    try {
      const template: Parsed = part.parse(text)
      const used = valuesUsed(template)
      const unknown = used.find(([name]) => name === undefined || !Object.hasOwn(valueDescriptions, name))
      if (unknown) throw new TemplateFailure(`There is no value named ${unknown[0]}.`)
      validated.used.push(...used)
      for (const values of tried) validate(part.fill(template, values))
    } catch (error) {
      if (!(error instanceof TemplateFailure)) throw error
      validated.errors[field] = [error.message]
    }
  }
  tryOut('url', parts.url, request.url, url => {
    if (!URL.canParse(url)) throw new TemplateFailure('The result is not an address.')
  })
  for (const [name, text] of Object.entries(request.headers))
    tryOut(`headers.${name}`, parts.header, text, () => undefined)
  if (request.method === 'GET') return validated
  const isJson = /[/+]json\b/.test(request.content_type)
  tryOut('body_template', parts.body, request.body_template, body => {
    if (isJson) refuseBadJson(body)
  })
  return validated
}

function refuseBadJson(body: string): void {
  try {
    JSON.parse(body)
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const line = body.slice(0, position === undefined ? body.length : Number(position)).split('\n').length
    throw new TemplateFailure(
      `The result is not valid JSON (line ${line} of it). Is each value given to the filter json?`,
    )
  }
}
