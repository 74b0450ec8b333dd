import { numberFormat, percent } from '../../contract/figures.ts'

/** Writes a value in the unit of its metric. */
export function formatOf(unit: string, language: string): (value: number) => string {
  const inUnit = (name: string) => {
    const format = numberFormat(language, { style: 'unit', unit: name, maximumFractionDigits: 1 })
    return (value: number) => format.format(value)
  }
  if (unit === 'percent') return value => percent(value, language)
  if (unit === 'celsius') return inUnit('celsius')
  const compact = numberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })
  if (unit === 'bytes') return value => `${compact.format(value)}B`
  if (unit === 'bytes_per_second') return value => `${compact.format(value)}B/s`
  const plain = numberFormat(language, { maximumFractionDigits: 2 })
  return value => plain.format(value)
}
