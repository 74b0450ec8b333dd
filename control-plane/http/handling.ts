import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'

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
