import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'

/** RFC 7240: whether the caller prefers to be refused rather than half understood. Of several values the first counts. */
export function prefersStrict(header: string | string[] | undefined): boolean {
  for (const preference of [header ?? []].flat().join(',').split(',')) {
    const value = /^\s*handling\s*=\s*"?([\w-]+)"?\s*(?:;|$)/i.exec(preference)?.[1]
    if (value !== undefined) return value.toLowerCase() === 'strict'
  }
  return false
}

const notKnown = 'Is not known here.'
const shown = { names: 20, characters: 60 } as const

/** What of a request nobody reads: named in a header of the answer, or refused where the caller prefers that. */
export class Handling {
  readonly isStrict: boolean
  readonly #told: string[]
  readonly #fields: string[] = []

  /** `told`: names and values of the answer's headers, in turn. */
  constructor(told: string[], prefer: string | string[] | undefined) {
    this.#told = told
    this.isStrict = prefersStrict(prefer)
    if (this.isStrict) told.push('Preference-Applied', 'handling=strict')
  }

  ignoreParameters(names: readonly string[]): void {
    if (names.length === 0) return
    if (this.isStrict) throw invalid(unknown(names), 'unknown_parameter')
    this.#tell('X-Ignored-Parameters', names)
  }

  /** `errors`: what is wrong besides. */
  ignoreFields(paths: readonly string[], errors: FieldErrors = {}): void {
    if (paths.length === 0) return
    if (this.isStrict)
      throw invalid({ ...errors, ...unknown(paths) }, Object.keys(errors).length > 0 ? undefined : 'unknown_field')
    this.#fields.push(...paths)
    this.#tell('X-Ignored-Fields', this.#fields)
  }

  #tell(header: string, names: readonly string[]): void {
    const value = names
      .slice(0, shown.names)
      .map(name => encodeURIComponent(name).slice(0, shown.characters))
      .join(', ')
    const known = this.#told.indexOf(header)
    if (known === -1) this.#told.push(header, value)
    else this.#told[known + 1] = value
  }
}

const unknown = (names: readonly string[]): FieldErrors => Object.fromEntries(names.map(name => [name, [notKnown]]))
