/** A refused statement, with ClickHouse's code and text. */
export class StatementError extends Error {
  override readonly name = 'StatementError'
  readonly code: number

  constructor(code: number, type: string, message: string) {
    super(`Code: ${code}. DB::Exception: ${message}. (${type})`)
    this.code = code
  }
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '0': '\0' }

/** Parameter values come in ClickHouse's TabSeparated escaping. */
const readEscapes = (text: string) => text.replace(/\\(.)/gs, (_, character: string) => escapes[character] ?? character)

export const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')}'`

const token =
  /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`(?:[^`\\]|\\.|``)*`|--[^\n]*|\/\*[\s\S]*?\*\/|\{\s*(\w+)\s*:\s*([^{}]+?)\s*\}/g

/**
 * Replaces `{name: Type}` by a quoted literal cast to its type, as the server does. (The engine's own binding is global
 * to the process, so it would allow only one such query at a time.)
 */
export function bind(sql: string, values: ReadonlyMap<string, string>): string {
  if (!sql.includes('{')) return sql
  return sql.replace(token, (whole, name: string | undefined, type: string | undefined) => {
    if (name === undefined || type === undefined) return whole
    const value = values.get(name)
    if (value === undefined)
      throw new StatementError(456, 'UNKNOWN_QUERY_PARAMETER', `Substitution \`${name}\` is not set`)
    if (!/^[\w\s(),.']+$/.test(type))
      throw new StatementError(62, 'SYNTAX_ERROR', `Type of substitution \`${name}\` is not understood`)
    if (type === 'Identifier') return `\`${readEscapes(value).replace(/[\\`]/g, '\\$&')}\``
    if (value === '\\N') return `CAST(NULL AS ${type})`
    // Inside arrays, maps and tuples strings stand in quotes and keep their escapes: the cast reads them.
    const isNested = /^(Array|Tuple|Map|Nested)\s*\(/.test(type)
    return `CAST(${quote(isNested ? value : readEscapes(value))} AS ${type})`
  })
}
