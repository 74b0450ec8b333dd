/** Makes each format once: a list needs the same few for each of its rows, and making one is slow. */
function kept<Options extends object, Format>(make: new (language: string, options?: Options) => Format) {
  const made = new Map<string, Format>()
  return (language: string, options?: Options): Format => {
    const key = language + JSON.stringify(options ?? {})
    const format = made.get(key) ?? new make(language, options)
    made.set(key, format)
    return format
  }
}

export const numberFormat = kept(Intl.NumberFormat)
export const timeFormat = kept(Intl.DateTimeFormat)
export const relativeFormat = kept(Intl.RelativeTimeFormat)
