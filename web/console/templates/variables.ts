const placeholder = /\{\{\s*([a-zA-Z_][\w-]*)\s*\}\}/g

/** Names of the variables in these texts, each once, in the order of their first place. */
export function variablesIn(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap(text => [...text.matchAll(placeholder)].map(([, name = '']) => name)))]
}

/** A text with its variables replaced; one without a value stays as it is written. */
export const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(placeholder, (whole, name: string) => values[name] || whole)
