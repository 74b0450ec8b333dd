import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api.ts'
import { useSettled } from '../parts/settled.ts'
import { Moment } from '../parts/time.tsx'
import type { Fields } from './fields.tsx'
import { datesQuery, type MaintenanceWindow, type WindowSchedule } from './queries.ts'
import { ruleOf } from './recurrence.ts'

/** The next dates of a window as the service will start it. What it refuses of a form is said when it is sent. */
function Dates({ schedule }: { schedule: WindowSchedule }) {
  const { t } = useTranslation('maintenance')
  const { data, error } = useQuery(datesQuery(schedule))
  if (error instanceof ApiError && error.status === 422) return <p className="soft">{t('dates.refused')}</p>
  if (data === undefined) return <div role="progressbar" aria-label={t('dates')} />
  return (
    <ol className="maintenance-dates" aria-label={t('dates')}>
      {data.map(({ starts_at: at }) => (
        <li key={at}>
          <Moment at={at} />
        </li>
      ))}
    </ol>
  )
}

/** The next dates of what stands in a form, once there is a start. */
export function DatesOfFields({ fields }: { fields: Fields }) {
  const { t } = useTranslation('maintenance')
  const { starts_at, timezone, duration_minutes, recurrence, until } = fields
  const rrule = ruleOf(recurrence)
  const settled = useSettled(
    JSON.stringify({ starts_at, timezone, duration_minutes, rrule, until: until === '' ? null : until }),
  )
  if (starts_at === '' || rrule === null || rrule === '' || !Number.isInteger(duration_minutes)) return null
  return (
    <div>
      <h3>{t('dates')}</h3>
      <Dates schedule={JSON.parse(settled) as WindowSchedule} />
    </div>
  )
}

/** The next dates of a window that recurs, asked for when they are unfolded. */
export function DatesOfWindow({ window }: { window: MaintenanceWindow }) {
  const { t } = useTranslation('maintenance')
  const [isOpen, setOpen] = useState(false)
  const { starts_at, timezone, duration_minutes, rrule, until, next_starts_at: next } = window
  if (rrule === null || next === null) return null
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t('dates')}</summary>
      {isOpen && <Dates schedule={{ starts_at, timezone, duration_minutes, rrule, until }} />}
    </details>
  )
}
