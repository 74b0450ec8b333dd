/** Text of strangers, as PostgreSQL will take it: at most so long, without NUL and half characters. */
export const storable = (text: string, atMost = Number.POSITIVE_INFINITY): string =>
  text.length <= atMost && text.isWellFormed() && !text.includes('\0')
    ? text
    : text.slice(0, atMost).replaceAll('\0', '').toWellFormed()

/** As JSON, its texts as PostgreSQL will take them. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? storable(part) : part))
