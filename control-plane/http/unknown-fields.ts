import { z } from 'zod'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'

type Json = Record<string, unknown>
type AnySchema = z.core.$ZodType

const readers = new WeakMap<AnySchema, (parent: Json) => AnySchema | undefined>()

/**
 * Names the schema for a part of a body that another one accepts unparsed. `schemaIn` receives the object around the
 * part. The schema must be the same object as in the body's schema: `meta` and the like make a copy.
 */
export function readBy<Schema extends z.ZodRecord | z.ZodUnknown>(
  record: Schema,
  schemaIn: (parent: Json) => z.ZodType | undefined,
): Schema {
  readers.set(record, schemaIn)
  return record
}

/** No more than these are named. */
const most = 100

/** Dotted paths of the fields that a schema drops from a body it has accepted, in the order of the body. */
export function unknownFields(schema: z.ZodType, given: unknown, place = ''): string[] {
  const found: string[] = []
  walk(schema, given, place, {}, found)
  return found
}

function walk(schema: AnySchema, given: unknown, place: string, parent: Json, found: string[]): void {
  if (found.length >= most || typeof given !== 'object' || given === null) return
  const inner = bare(schema, given)
  if (inner instanceof z.ZodArray && Array.isArray(given)) {
    for (const [index, item] of given.entries()) walk(inner.element, item, at(place, String(index)), parent, found)
    return
  }
  if (Array.isArray(given)) return
  const fields = given as Json
  const reader = inner instanceof z.ZodUnknown && readers.get(inner)?.(parent)
  if (reader) walk(reader, given, place, parent, found)
  else if (inner instanceof z.ZodObject) walkObject(inner, fields, place, found)
  else if (inner instanceof z.ZodRecord) walkRecord(inner, fields, place, parent, found)
}

function walkObject({ shape, def }: z.ZodObject, fields: Json, place: string, found: string[]): void {
  for (const name of Object.keys(fields)) {
    if (found.length >= most) return
    const value = fields[name]
    const known = Object.hasOwn(shape, name) ? shape[name] : def.catchall
    if (known) walk(known, value, at(place, name), fields, found)
    else found.push(at(place, name))
  }
}

function walkRecord(record: z.ZodRecord, fields: Json, place: string, parent: Json, found: string[]): void {
  const reader = readers.get(record)?.(parent)
  if (reader) {
    walk(reader, fields, place, parent, found)
    return
  }
  const { keyType, valueType } = record
  for (const name of Object.keys(fields)) {
    if (found.length >= most) return
    const value = fields[name]
    const isKnown = !(keyType instanceof z.ZodEnum) || keyType.options.includes(name)
    if (isKnown) walk(valueType, value, at(place, name), fields, found)
    else found.push(at(place, name))
  }
}

/** The innermost schema of the value: without wrappers, and of a union the option that matches. */
function bare(schema: AnySchema, given: object): AnySchema {
  if (isWrapper(schema)) return bare(schema.def.innerType, given)
  if (schema instanceof z.ZodPipe)
    return bare(schema.def.in instanceof z.ZodTransform ? schema.def.out : schema.def.in, given)
  if (!(schema instanceof z.ZodUnion)) return schema
  const form = formOf(schema, given)
  return form ? bare(form, given) : schema
}

const isWrapper = (schema: AnySchema) =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault ||
  schema instanceof z.ZodReadonly ||
  schema instanceof z.ZodCatch

function formOf(union: z.ZodUnion, given: object): AnySchema | undefined {
  if (union instanceof z.ZodDiscriminatedUnion) {
    const name = union.def.discriminator
    const value = (given as Json)[name]
    return union.options.find(
      option => option instanceof z.ZodObject && z.safeParse(option.shape[name] as AnySchema, value).success,
    )
  }
  return union.options.find(option => z.safeParse(option, given).success)
}

const at = (place: string, name: string) => (place === '' ? name : `${place}.${name}`)

/** RFC 7240: whether the caller prefers a refusal to a partly ignored request. The first of several values counts. */
export function prefersStrict(header: string | string[] | undefined): boolean {
  for (const preference of [header ?? []].flat().join(',').split(',')) {
    const value = /^\s*handling\s*=\s*"?([\w-]+)"?\s*(?:;|$)/i.exec(preference)?.[1]
    if (value !== undefined) return value.toLowerCase() === 'strict'
  }
  return false
}

const notKnown = 'Is not known here.'
const shown = { names: 20, characters: 60 } as const

/**
 * Parts of a request that the API does not know: named in a header of the answer, or refused where the caller prefers
 * that.
 */
export class Handling {
  readonly isStrict: boolean
  readonly #responseHeaders: string[]
  readonly #fields: string[] = []

  /** `responseHeaders`: names and values in turn. */
  constructor(responseHeaders: string[], prefer: string | string[] | undefined) {
    this.#responseHeaders = responseHeaders
    this.isStrict = prefersStrict(prefer)
    if (this.isStrict) responseHeaders.push('Preference-Applied', 'handling=strict')
  }

  ignoreParameters(names: readonly string[]): void {
    if (names.length === 0) return
    if (this.isStrict) throw invalid(unknown(names), 'unknown_parameter')
    this.#setHeader('X-Ignored-Parameters', names)
  }

  /** `errors`: other errors of the body. */
  ignoreFields(paths: readonly string[], errors: FieldErrors = {}): void {
    if (paths.length === 0) return
    if (this.isStrict)
      throw invalid({ ...errors, ...unknown(paths) }, Object.keys(errors).length > 0 ? undefined : 'unknown_field')
    this.#fields.push(...paths)
    this.#setHeader('X-Ignored-Fields', this.#fields)
  }

  #setHeader(header: string, names: readonly string[]): void {
    const value = names
      .slice(0, shown.names)
      .map(name => encodeURIComponent(name).slice(0, shown.characters))
      .join(', ')
    const known = this.#responseHeaders.indexOf(header)
    if (known === -1) this.#responseHeaders.push(header, value)
    else this.#responseHeaders[known + 1] = value
  }
}

const unknown = (names: readonly string[]): FieldErrors => Object.fromEntries(names.map(name => [name, [notKnown]]))
