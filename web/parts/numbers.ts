import { numberFormat } from './formats.ts'

/** A share in percent, such as 99.95; a dash where nothing was measured. */
export const percent = (value: number | null, language: string): string =>
  value === null ? '–' : numberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(value / 100)
/** A response time in whole milliseconds; a dash where nothing was measured. */
export const milliseconds = (value: number | null, language: string): string =>
  value === null
    ? '–'
    : numberFormat(language, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 }).format(value)
