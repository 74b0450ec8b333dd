interface NumberWriting {
  /** The number of a text; NaN where nothing is written, null where it is none. */
  read(text: string): number | null
  /** The text of a number; empty for NaN. */
  write(value: number): string
}

const leastDecimals = 3

/**
 * How a language writes numbers in a field: with its own decimal sign. The other sign separates thousands where three
 * digits follow it, and is taken for the decimal sign elsewhere: `99.9` is less than a hundred in German too.
 */
export function numberWriting(locale: string, step: number): NumberWriting {
  const decimals = Math.max(leastDecimals, String(step).split('.')[1]?.length ?? 0)
  const format = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: decimals })
  const isComma = format.format(1.5).includes(',')
  const thousands = isComma ? /^-?\d{1,3}(\.\d{3})+(,\d*)?$/ : /^-?\d{1,3}(,\d{3})+(\.\d*)?$/
  return {
    read(text) {
      const bare = text.replace(/\s/g, '')
      const single = thousands.test(bare) ? bare.replaceAll(isComma ? '.' : ',', '') : bare
      const plain = single.replace(',', '.')
      if (!/^-?\d*\.?\d*$/.test(plain)) return null
      return /\d/.test(plain) ? Number(plain) : Number.NaN
    },
    write: value => (Number.isNaN(value) ? '' : format.format(value)),
  }
}
