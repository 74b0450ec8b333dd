import { scimRefusal } from '#control-plane/http/scim-error.ts'
import { coreUser } from './names.ts'

/** `attribute eq value`. Names of attributes are in lower case, as they have no case (RFC 7643, section 2.1). */
export interface Comparison {
  attribute: string
  value: string | number | boolean | null
}

const longest = 1_000
const mostComparisons = 10

const space = / +/y
const word = /[a-z]+(?![\w:.-])/iy
const name = /[a-z$][\w$-]*(?:\.[a-z$][\w$-]*)?/iy
const value = /"(?:[^"\\]|\\.)*"|-?\d{1,15}(?:\.\d{1,15})?(?![\w.])|(?:true|false|null)(?!\w)/iy

/**
 * The comparisons of a filter, all of which must hold: `eq`, joined by `and`; also `emails[type eq "work"].value eq …`.
 * Whatever else RFC 7644 knows is refused with `invalidFilter`.
 */
export function parseFilter(text: string): Comparison[] {
  if (text.length > longest) throw refused(`it has more than ${longest} characters`)
  return new FilterReader(text).read()
}

const refused = (why: string) =>
  scimRefusal('invalidFilter', `The filter is not supported: ${why}. Comparisons by eq, joined by and, are.`)

class FilterReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text.trim()
  }

  read(): Comparison[] {
    const found = this.#comparisons('')
    if (this.#at < this.#text.length) throw refused(`it is not understood from character ${this.#at + 1} on`)
    return found
  }

  #comparisons(prefix: string): Comparison[] {
    const found = this.#comparison(prefix)
    while (this.#takeJoint()) {
      if (found.length >= mostComparisons) throw refused(`it has more than ${mostComparisons} comparisons`)
      found.push(...this.#comparison(prefix))
    }
    return found
  }

  /** A comparison, or, outside of brackets, one with a filter of values in brackets. */
  #comparison(prefix: string): Comparison[] {
    if (this.#text.slice(this.#at, this.#at + coreUser.length + 1).toLowerCase() === `${coreUser.toLowerCase()}:`)
      this.#at += coreUser.length + 1
    const attribute = this.#take(name)?.toLowerCase()
    if (attribute === undefined) throw refused(`an attribute is missing at character ${this.#at + 1}`)
    if (prefix !== '' || this.#text[this.#at] !== '[') return [this.#equals(prefix + attribute)]
    this.#at++
    const inner = this.#comparisons(`${attribute}.`)
    if (this.#text[this.#at] !== ']') throw refused(`a ] is missing at character ${this.#at + 1}`)
    this.#at++
    if (this.#text[this.#at] !== '.') return inner
    this.#at++
    const part = this.#take(name)?.toLowerCase()
    if (part === undefined) throw refused(`an attribute is missing at character ${this.#at + 1}`)
    return [...inner, this.#equals(`${attribute}.${part}`)]
  }

  #equals(attribute: string): Comparison {
    this.#take(space)
    const operator = this.#take(word)?.toLowerCase()
    if (operator !== 'eq') throw refused(`the operator at character ${this.#at + 1} is not eq`)
    this.#take(space)
    const found = this.#take(value)
    if (found === undefined) throw refused(`a value is missing at character ${this.#at + 1}`)
    return { attribute, value: parsedValue(found) }
  }

  #takeJoint(): boolean {
    const before = this.#at
    this.#take(space)
    if (this.#take(word)?.toLowerCase() === 'and' && this.#take(space) !== undefined) return true
    this.#at = before
    return false
  }

  #take(shape: RegExp): string | undefined {
    shape.lastIndex = this.#at
    const found = shape.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }
}

function parsedValue(text: string): Comparison['value'] {
  try {
    return JSON.parse(text.startsWith('"') ? text : text.toLowerCase())
  } catch {
    throw refused(`${text.slice(0, 50)} is no value of JSON`)
  }
}
