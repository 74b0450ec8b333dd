type Parameters = Record<string, string | string[]>

/**
 * The parameters of a query or a form: one value as a text, several of one name as a list. In one pass: `getAll` for
 * each name takes quadratic time.
 */
export function parametersOf(text: string): Parameters {
  const found = new Map<string, string | string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const known = found.get(name)
    if (known === undefined) found.set(name, value)
    else if (typeof known === 'string') found.set(name, [known, value])
    else known.push(value)
  }
  return Object.fromEntries(found)
}
