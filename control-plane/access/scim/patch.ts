import { scimRefusal } from '#control-plane/http/scim-error.ts'
import { type Comparison, parseFilter } from './filter.ts'
import { type AttributeName, attributes, named, partsOfName, partsOfValue, readOnly } from './names.ts'
import {
  type Json,
  type Person,
  plainName,
  readName,
  readObject,
  readText,
  readValues,
  setAttribute,
  setPart,
  type Value,
  wrong,
} from './person.ts'

const kinds = ['add', 'replace', 'remove'] as const
type Kind = (typeof kinds)[number]

const mostOperations = 100
const extension = /^urn:/i
const pathShape = /^([a-z$][\w$-]*)(?:\[(.*)\])?(?:\.([a-z$][\w$-]*))?$/i

/** Part of a person: an attribute, of its values those that match, and of these one part. */
interface Path {
  attribute: AttributeName
  match: Comparison[] | null
  part: string | undefined
}

/**
 * The person as the operations of a PATCH leave it (RFC 7644, section 3.5.2). `before` must have every attribute;
 * names of attributes that are not kept are added to `ignored`.
 */
export function patchPerson(before: Person, body: Json, ignored: string[]): Person {
  const person = structuredClone(before)
  for (const operation of operationsOf(body)) apply(person, readObject('Operations', operation), ignored)
  return person
}

function operationsOf(body: Json): unknown[] {
  const operations = valueAt(body, 'operations')
  if (!Array.isArray(operations) || operations.length === 0)
    throw scimRefusal('invalidSyntax', 'Operations must be a list of at least one operation.')
  if (operations.length > mostOperations) throw wrong('Operations', `are more than ${mostOperations}`)
  return operations
}

/** The member of an object by its name in lower case. */
const valueAt = (object: Json, lower: string): unknown =>
  Object.entries(object).find(([key]) => key.toLowerCase() === lower)?.[1]

function apply(person: Person, operation: Json, ignored: string[]): void {
  const op = valueAt(operation, 'op')
  const kind = kinds.find(known => typeof op === 'string' && known === op.toLowerCase())
  if (!kind) throw scimRefusal('invalidSyntax', `op must be one of ${kinds.join(', ')}.`)
  const path = valueAt(operation, 'path')
  const value = valueAt(operation, 'value')
  if (path !== undefined && path !== null && path !== '') {
    applyAt(person, kind, pathOf(path, ignored), value)
    return
  }
  if (kind === 'remove') throw scimRefusal('noTarget', 'remove needs a path.')
  for (const [key, each] of Object.entries(readObject('value', value)))
    if (key.toLowerCase() !== 'schemas') applyAt(person, kind, pathOf(key, ignored), each)
}

/** Null for attributes that are not kept. */
function pathOf(given: unknown, ignored: string[]): Path | null {
  if (typeof given !== 'string' || given.length > 1_000) throw invalidPath()
  const path = plainName(given.trim())
  if (extension.test(path)) {
    ignored.push(path)
    return null
  }
  const [, name = '', match, part] = pathShape.exec(path) ?? []
  if (name === '') throw invalidPath()
  if (readOnly.includes(name.toLowerCase())) throw scimRefusal('mutability', `${name} cannot be changed.`)
  const attribute = named(attributes, name)
  if (attribute === undefined) {
    ignored.push(path)
    return null
  }
  return { attribute, match: match === undefined ? null : parseFilter(match), part }
}

const invalidPath = () => scimRefusal('invalidPath', 'path is not understood.')

function applyAt(person: Person, kind: Kind, path: Path | null, value: unknown): void {
  if (path === null) return
  const { attribute, match, part } = path
  if (attribute === 'emails' || attribute === 'roles') applyToValues(person, kind, { ...path, attribute }, value)
  else if (match) throw invalidPath()
  else if (attribute === 'name') applyToName(person, kind, part, value)
  else if (part !== undefined) throw invalidPath()
  else if (kind !== 'remove') setAttribute(person, attribute, value)
  else if (attribute === 'externalId' || attribute === 'displayName') person[attribute] = null
  else throw scimRefusal('mutability', `${attribute} cannot be removed.`)
}

function applyToName(person: Person, kind: Kind, part: string | undefined, value: unknown): void {
  if (part === undefined) {
    person.name = kind === 'remove' ? {} : { ...person.name, ...readName(value) }
    return
  }
  const known = named(partsOfName, part)
  if (known === undefined) return
  const { [known]: _, ...others } = person.name ?? {}
  const isGone = kind === 'remove' || value === null || value === ''
  person.name = isGone ? others : { ...others, [known]: readText(`name.${known}`, value) }
}

type ValuesPath = Path & { attribute: 'emails' | 'roles' }

function applyToValues(person: Person, kind: Kind, path: ValuesPath, value: unknown): void {
  const { attribute, match, part } = path
  const present = person[attribute] ?? []
  if (match === null && part === undefined) {
    person[attribute] = wholeOf(attribute, kind, present, value)
    return
  }
  const isMatching = (each: Value) => match === null || match.every(comparison => holds(each, comparison))
  const known = part === undefined ? undefined : named(partsOfValue, part)
  if (part !== undefined && known === undefined) return
  if (kind === 'remove') {
    person[attribute] = present.flatMap(each => (isMatching(each) ? (known ? [without(each, known)] : []) : [each]))
    return
  }
  const set = (each: Value): Value => {
    const changed = known === undefined ? { ...each, ...readValues(attribute, value)[0] } : { ...each }
    if (known !== undefined) setPart(changed, attribute, known, value)
    return changed
  }
  if (present.some(isMatching)) person[attribute] = present.map(each => (isMatching(each) ? set(each) : each))
  else if (kind === 'add') person[attribute] = [...present, set(matched(match ?? []))]
  else throw scimRefusal('noTarget', `No value of ${attribute} matches the path.`)
}

/** A person has one role: one that is added takes the place of the other. */
function wholeOf(attribute: 'emails' | 'roles', kind: Kind, present: readonly Value[], value: unknown): Value[] {
  const given = readValues(attribute, value)
  if (kind === 'remove') {
    // Entra ID names the values to remove beside the path
    const isGone = (each: Value) => given.some(one => isSame(one.value, each.value))
    return given.length === 0 ? [] : present.filter(each => !isGone(each))
  }
  if (kind === 'replace' || attribute === 'roles') return given
  const kept = given.some(({ primary }) => primary) ? present.map(each => ({ ...each, primary: false })) : present
  return [...kept.filter(each => !given.some(one => isSame(one.value, each.value))), ...given]
}

const without = (value: Value, part: keyof Value): Value => {
  const { [part]: _, ...rest } = value
  return rest
}

const isSame = (one: string | undefined, other: string | undefined) => one?.toLowerCase() === other?.toLowerCase()

/** Parts of values have no case. Entra ID compares truth values with the texts True and False. */
function holds(given: Value, { attribute, value }: Comparison): boolean {
  const part = named(partsOfValue, attribute)
  if (part === undefined) return false
  return isSame(String(given[part] ?? (part === 'primary' ? 'false' : '')), String(value))
}

/** A new value for which the comparisons hold. */
function matched(match: readonly Comparison[]): Value {
  const made: Value = {}
  for (const { attribute, value } of match) {
    const part = named(partsOfValue, attribute)
    if (part !== undefined) setPart(made, 'value', part, value)
  }
  return made
}
