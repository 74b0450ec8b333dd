import { z } from 'zod'
import { isPart, type Part, walk } from './slim.ts'

interface Document {
  webhooks: Part
  paths: Record<string, Record<string, Operation>>
  components: Record<'schemas' | 'parameters' | 'headers' | 'responses', Part>
}
interface Answer extends Part {
  content?: Record<string, { schema?: Part }>
  headers?: Record<string, Part>
}
interface Operation {
  operationId: string
  parameters?: Part[]
  requestBody?: { content: Record<string, { schema?: Part }> }
  responses: Record<string, Answer>
}

const refTo = (kind: keyof Document['components'], name: string) => ({ $ref: `#/components/${kind}/${name}` })
const pascal = (name: string) =>
  name
    .split(/[^A-Za-z\d]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/**
 * Gives a name to what stands in many places of the document, or would be named in a client by where it stands:
 * choices, envelopes, bodies, parameters and headers. A part keeps no trace but the reference.
 */
export function nameParts(document: Document): void {
  const { components } = document
  spellChoices(document)
  const operations = Object.values(document.paths)
    .flatMap(item => Object.values(item))
    // the twin of a tenant's operation has the names of the tenant's
    .sort(
      (a, b) => Number(a.operationId.startsWith('managedTeams.')) - Number(b.operationId.startsWith('managedTeams.')),
    )
  dropUnused(document)
  markSecrets(document, operations)
  const schemas = new Names(components, 'schemas')
  for (const { operationId, requestBody, responses } of operations) {
    for (const body of Object.values(requestBody?.content ?? {}))
      if (isInline(body.schema) || isUnion(body.schema))
        body.schema = schemas.refer(body.schema, [`${pascal(operationId)}Request`])
    for (const [status, { content = {} }] of Object.entries(responses))
      for (const body of Object.values(content))
        if (isInline(body.schema) && status.startsWith('2'))
          body.schema = schemas.refer(body.schema, envelopeNames(body.schema, operationId))
  }
  nameChoices(document, schemas)

  const parameters = new Names(components, 'parameters')
  const headers = new Names(components, 'headers')
  const inline = operations.flatMap(({ parameters = [] }) =>
    parameters.filter(parameter => parameter.$ref === undefined),
  )
  for (const parameter of inline) {
    if (!isPart(parameter.schema)) continue
    if (parameter.description !== undefined) delete parameter.schema.description
    // a list is sent with commas
    if (parameter.in === 'query' && parameter.schema.type === 'array')
      Object.assign(parameter, { style: 'form', explode: false })
  }
  const counts = Map.groupBy(inline, parameter => JSON.stringify(parameter))
  for (const operation of operations) {
    operation.parameters = operation.parameters?.map(parameter => {
      if ((counts.get(JSON.stringify(parameter))?.length ?? 0) < 2) return parameter
      const name = pascal(String(parameter.name))
      // some generators have one namespace for parameters and schemas
      const free = components.schemas[name] === undefined ? name : `${name}${parameter.in === 'path' ? 'Id' : 'Value'}`
      return parameters.refer(parameter, [free, `${name}Of${pascal(operation.operationId)}`])
    })
    for (const response of Object.values(operation.responses))
      for (const [name, header] of Object.entries(response.headers ?? {}))
        if (header.$ref === undefined)
          response.headers = {
            ...response.headers,
            [name]: headers.refer(header, [name, `${name}-${operation.operationId}`]),
          }
  }
  nameResponses(operations, new Names(components, 'responses'))
}

/**
 * What several operations answer alike: an operation and its twin inside a managed team do, and all that answer
 * nothing.
 */
function nameResponses(operations: readonly Operation[], names: Names): void {
  const counts = Map.groupBy(
    operations.flatMap(({ responses }) => Object.values(responses)),
    response => JSON.stringify(response),
  )
  for (const operation of operations)
    for (const [status, response] of Object.entries(operation.responses)) {
      if ((counts.get(JSON.stringify(response))?.length ?? 0) < 2 || response.$ref !== undefined) continue
      const { schema } = Object.values(response.content ?? {})[0] ?? {}
      const name = schema?.$ref ? nameOf(schema) : response.content ? undefined : 'NoContent'
      const byOperation = `${pascal(operation.operationId)}${status}`
      operation.responses[status] = names.refer(response, [...(name ? [name] : []), byOperation])
    }
}

const isInline = (schema: Part | undefined): schema is Part =>
  schema?.type === 'object' && schema.properties !== undefined

const isUnion = (schema: Part | undefined): schema is Part =>
  Array.isArray(schema?.oneOf) || Array.isArray(schema?.anyOf)

/** `MonitorResponse` for one, `MonitorList` for many; what has more to it is named by its operation. */
function envelopeNames({ properties }: Part, operationId: string): string[] {
  // not `…Response`: so generators call what they make of an operation
  const byOperation = `${pascal(operationId)}Reply`
  if (!isPart(properties) || !isPart(properties.data)) return [byOperation]
  const { data, ...more } = properties
  if (data.$ref && Object.keys(more).length === 0) return [`${nameOf(data)}Response`, byOperation]
  if (isPart(data.items) && data.items.$ref && ['', 'links,meta'].includes(Object.keys(more).join()))
    return [`${nameOf(data.items)}List`, byOperation]
  return [byOperation]
}
const nameOf = ({ $ref }: Part) => String($ref).split('/').at(-1) ?? ''

const isChoice = (part: unknown): part is { type: 'string'; enum: string[] } & Part =>
  isPart(part) && part.type === 'string' && Array.isArray(part.enum) && part.enum.length > 1

let choices: Map<string, string> | undefined
/** The names of choices, which stand where each is declared, by the words that are offered. */
function choiceNames(): Map<string, string> {
  if (choices) return choices
  const schemas = Object.entries(z.toJSONSchema(z.globalRegistry, { unrepresentable: 'any' }).schemas)
  choices = new Map(schemas.flatMap(([name, schema]) => (isChoice(schema) ? [[schema.enum.join(), name]] : [])))
  return choices
}

/** Puts each named choice where it is referred to: all that offer the same words are named alike afterwards. */
function spellChoices(document: Document): void {
  const { schemas } = document.components
  const spelled = new Map(Object.entries(schemas).filter(([, schema]) => isChoice(schema)))
  for (const name of spelled.keys()) delete schemas[name]
  walk(document, part => {
    const choice = spelled.get(nameOf(part))
    if (!isPart(choice)) return
    delete part.$ref
    Object.assign(part, { ...choice, ...part })
  })
}

function nameChoices(document: Document, names: Names): void {
  const nameOfWords = choiceNames()
  const found: Part[] = []
  walk(document, part => {
    if (isChoice(part)) found.push(part)
  })
  for (const part of found) {
    if (!isChoice(part)) continue
    const { type, enum: words, ...beside } = part
    const name = nameOfWords.get(words.join())
    if (!name) continue
    Reflect.deleteProperty(part, 'type')
    Reflect.deleteProperty(part, 'enum')
    Object.assign(part, beside, names.refer({ type, enum: words, ...namesOf(words) }, [name]))
  }
}

/** Generators make a name of each word, without its signs: `A+` and `A-` would be one. */
function namesOf(words: readonly string[]): Part {
  const bare = words.map(word => word.replaceAll(/\W/g, ''))
  if (new Set(bare).size === words.length) return {}
  return { 'x-enum-varnames': words.map(word => word.replaceAll('+', '_PLUS').replaceAll('-', '_MINUS')) }
}

const secretName = /(^|_)(secret|password|token|key|code)$/

/** Marks what is sent and never shown again, so that clients keep it out of what they store and print. */
function markSecrets(document: Document, operations: readonly Operation[]): void {
  const reached = (values: unknown): Set<unknown> => {
    const parts = new Set<unknown>()
    const follow = (value: unknown): void =>
      walk(value, part => {
        const target =
          typeof part.$ref === 'string' && part.$ref.startsWith('#/components/schemas/')
            ? document.components.schemas[nameOf(part)]
            : undefined
        if (parts.has(part)) return
        parts.add(part)
        if (target && !parts.has(target)) follow(target)
      })
    follow(values)
    return parts
  }
  const sent = reached(operations.map(({ requestBody }) => requestBody))
  const shown = reached([operations.map(({ responses }) => responses), document.components.responses])
  for (const part of sent)
    if (isPart(part) && isPart(part.properties) && !shown.has(part))
      for (const [name, field] of Object.entries(part.properties))
        if (secretName.test(name) && isPart(field) && isText(field)) field.writeOnly = true
}
const isText = ({ type, anyOf }: Part): boolean =>
  [type].flat().includes('string') || (Array.isArray(anyOf) && anyOf.some(isText))

/** Takes out schemas that nothing refers to; one whose form in requests is gone has its name in replies to itself. */
function dropUnused(document: Document): void {
  const { schemas, ...others } = document.components
  const used = new Set<string>()
  const follow = (value: unknown): void =>
    walk(value, ({ $ref }) => {
      const name = typeof $ref === 'string' && $ref.startsWith('#/components/schemas/') ? nameOf({ $ref }) : ''
      if (name === '' || used.has(name)) return
      used.add(name)
      follow(schemas[name])
    })
  follow([document.paths, document.webhooks, others])
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name]
  const renamed = new Map<string, string>()
  for (const name of Object.keys(schemas)) {
    const short = name.replace(/Output$/, '')
    if (short === name || schemas[short] !== undefined) continue
    schemas[short] = schemas[name]
    delete schemas[name]
    renamed.set(`#/components/schemas/${name}`, `#/components/schemas/${short}`)
  }
  walk(document, part => {
    for (const [key, value] of Object.entries(part))
      if (typeof value === 'string' && renamed.has(value)) part[key] = renamed.get(value)
  })
}

/** Parts by what they are: the same part has one name, and another part never the same. */
class Names {
  readonly #components: Document['components']
  readonly #kind: keyof Document['components']
  readonly #known = new Map<string, string>()

  constructor(components: Document['components'], kind: keyof Document['components']) {
    components[kind] ??= {}
    this.#components = components
    this.#kind = kind
  }

  /** The first name that is free, or already this part's. */
  refer(part: Part, names: readonly string[]): Part {
    const text = JSON.stringify(part)
    const known = this.#known.get(text)
    if (known !== undefined) return refTo(this.#kind, known)
    const all = this.#components[this.#kind]
    const name = names.find(candidate => all[candidate] === undefined)
    if (name === undefined) return part
    all[name] = part
    this.#known.set(text, name)
    return refTo(this.#kind, name)
  }
}
