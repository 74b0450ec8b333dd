/** Text from outside in a form that PostgreSQL stores: of limited length, without NUL and unpaired surrogates. */
export const storable = (text: string, atMost = Number.POSITIVE_INFINITY): string =>
  text.length <= atMost && text.isWellFormed() && !text.includes('\0')
    ? text
    : text.slice(0, atMost).replaceAll('\0', '').toWellFormed()

/** JSON whose strings PostgreSQL stores. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storable(part) : part))
