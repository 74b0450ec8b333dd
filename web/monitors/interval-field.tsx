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

/** Seconds between runs, from those that the plan allows. A shorter one that is stored shows as what the plan makes of it. */
export function IntervalField({ name, value, onChange }: IntervalFieldProps) {
  const { t } = useTranslation('monitors')
  const { limits } = useSuspenseQuery(planQuery).data
  const least = limits.min_check_interval
  const effective = Math.max(value, least)
  return (
    <SelectField
      name={name}
      label={t('field.interval')}
      {...(value < least && {
        description: t('field.intervalFloor', { set: intervalWords(value, t), least: intervalWords(least, t) }),
      })}
      choices={intervalsFrom(least, effective).map(seconds => ({
        id: String(seconds),
        label: intervalWords(seconds, t),
      }))}
      value={String(effective)}
      onChange={seconds => onChange(Number(seconds))}
    />
  )
}
