import type { TFunction } from 'i18next'
import type { Schemas } from '../api.ts'

/** How the monitors are, in a sentence such as "3 of 42 down, 1 warning". */
export function sentenceOf({ total, down, warning }: Schemas['DashboardStats']['monitors'], t: TFunction): string {
  if (down === 0 && warning === 0) return t('sentence.well', { count: total, ns: 'overview' })
  const warnings = t('sentence.warnings', { count: warning, ns: 'overview' })
  if (down === 0) return warnings
  const failing = t('sentence.down', { down, total, ns: 'overview' })
  return warning === 0 ? failing : `${failing}, ${warnings}`
}
