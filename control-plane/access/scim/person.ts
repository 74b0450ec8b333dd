import { line } from '#contract/line.ts'
import { scimRefusal } from '#control-plane/http/scim-error.ts'
import {
  type AttributeName,
  attributes,
  coreUser,
  named,
  type PartOfName,
  type PartOfValue,
  partsOfName,
  partsOfValue,
  readOnly,
} from './names.ts'

export type Json = Record<string, unknown>
export type Name = Partial<Record<PartOfName, string>>
/** One of several addresses or roles. */
export interface Value {
  value?: string
  type?: string
  display?: string
  primary?: boolean
}

/** What a provider says of a person. A missing attribute was not given; null removes it. */
export interface Person {
  userName?: string
  externalId?: string | null
  displayName?: string | null
  name?: Name
  active?: boolean
  emails?: Value[]
  roles?: Value[]
}

const text = line(255)
const mostValues = 20

/** What a body says of a person. Names of attributes that are not kept are added to `ignored`. */
export function readPerson(body: Json, ignored: string[]): Person {
  const person: Person = {}
  for (const [key, value] of Object.entries(body)) {
    if (key.toLowerCase() === 'schemas') continue
    const name = named(attributes, plainName(key))
    if (name) setAttribute(person, name, value)
    else if (!readOnly.includes(key.toLowerCase())) ignored.push(key)
  }
  return person
}

/** The name of an attribute without the schema that may be written before it. */
export const plainName = (name: string): string =>
  name.toLowerCase().startsWith(`${coreUser.toLowerCase()}:`) ? name.slice(coreUser.length + 1) : name

/** Sets one attribute to what a provider gave for it. */
export function setAttribute(person: Person, name: AttributeName, value: unknown): void {
  switch (name) {
    case 'userName':
      person.userName = readText(name, value)
      return
    case 'externalId':
    case 'displayName':
      person[name] = value === null || value === '' ? null : readText(name, value)
      return
    case 'active':
      person.active = readBoolean(name, value)
      return
    case 'name':
      person.name = value === null ? {} : readName(value)
      return
    default:
      person[name] = readValues(name, value)
  }
}

export function readText(place: string, value: unknown): string {
  const read = text.safeParse(value)
  if (read.success) return read.data
  throw wrong(place, 'must be one line of text with 1 to 255 characters')
}

/** Entra ID sends truth values as the texts True and False. */
export function readBoolean(place: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const lower = typeof value === 'string' ? value.toLowerCase() : ''
  if (lower === 'true' || lower === 'false') return lower === 'true'
  throw wrong(place, 'must be true or false')
}

export function readName(value: unknown): Name {
  const name: Name = {}
  for (const [key, part] of Object.entries(readObject('name', value))) {
    const known = named(partsOfName, key)
    if (known && part !== null && part !== '') name[known] = readText(`name.${known}`, part)
  }
  return name
}

/** A list of values, one value, or the text of one. */
export function readValues(place: string, value: unknown): Value[] {
  const given = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]
  if (given.length > mostValues) throw wrong(place, `has more than ${mostValues} values`)
  return given.map(each =>
    typeof each === 'string' ? { value: readText(place, each) } : readValue(place, readObject(place, each)),
  )
}

function readValue(place: string, given: Json): Value {
  const read: Value = {}
  for (const [key, part] of Object.entries(given)) {
    const known = named(partsOfValue, key)
    if (known && part !== null) setPart(read, place, known, part)
  }
  return read
}

export function setPart(value: Value, place: string, part: PartOfValue, given: unknown): void {
  if (part === 'primary') value.primary = readBoolean(`${place}.primary`, given)
  else value[part] = readText(`${place}.${part}`, given)
}

export function readObject(place: string, value: unknown): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  throw wrong(place, 'must be an object')
}

export const wrong = (place: string, why: string) => scimRefusal('invalidValue', `${place} ${why}.`)

/** The value that counts: the primary one, else the first. */
export const mainOf = (values: readonly Value[] | undefined): string | undefined =>
  (values?.find(({ primary }) => primary) ?? values?.[0])?.value

/** How a person is called, by what was given of the name; undefined if nothing was. */
export function fullNameOf({ displayName, name }: Person): string | undefined {
  const parts = [name?.givenName, name?.familyName].filter(part => part !== undefined)
  const found = displayName ?? name?.formatted ?? (parts.length > 0 ? parts.join(' ') : undefined)
  return found?.slice(0, 255)
}
