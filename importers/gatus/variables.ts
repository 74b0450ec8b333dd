/*
 * Gatus replaces variables of its environment in the whole text of its file before it reads it: `$NAME` and `${NAME}`,
 * and `$$` is a dollar sign. What they hold is known to its machine alone.
 */

export interface Variable {
  name: string
  /** Where it stands, such as `headers.X-Key` or `conditions.0`. */
  path: string
}

/** A value with its dollar signs, variables written as `${NAME}`, and these variables. */
export function withoutVariables(value: unknown): { value: unknown; variables: Variable[] } {
  const variables: Variable[] = []
  const read = (found: unknown, path: string): unknown => {
    if (typeof found === 'string')
      return expanded(found, name => {
        variables.push({ name, path })
      })
    if (Array.isArray(found)) return found.map((each, index) => read(each, below(path, String(index))))
    if (typeof found !== 'object' || found === null) return found
    return Object.fromEntries(Object.entries(found).map(([key, each]) => [key, read(each, below(path, key))]))
  }
  return { value: read(value, ''), variables }
}

const below = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)

const dollar = /\$(?:\$|\{([^{}]*)\}|([A-Za-z_]\w*)|([\d*#@!?-]))/g

const expanded = (text: string, onVariable: (name: string) => void): string =>
  text.replace(dollar, (written, braced?: string, plain?: string, special?: string) => {
    if (written === '$$') return '$'
    const name = braced ?? plain ?? special ?? ''
    onVariable(name)
    return `\${${name}}`
  })
