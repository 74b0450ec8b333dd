import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { SelectField } from '../parts/field.tsx'
import { planQuery } from '../shared-queries.ts'
import { intervalsFrom, intervalWords } from './intervals.ts'

interface IntervalFieldProps {
  name: string
  /** Seconds. */
  value: number
  onChange(seconds: number): void
}

/** Seconds between runs, from those that the plan allows. */
export function IntervalField({ name, value, onChange }: IntervalFieldProps) {
  const { t } = useTranslation('monitors')
  const { limits } = useSuspenseQuery(planQuery).data
  return (
    <SelectField
      name={name}
      label={t('field.interval')}
      choices={intervalsFrom(limits.min_check_interval, value).map(seconds => ({
        id: String(seconds),
        label: intervalWords(seconds, t),
      }))}
      value={String(value)}
      onChange={seconds => onChange(Number(seconds))}
    />
  )
}
