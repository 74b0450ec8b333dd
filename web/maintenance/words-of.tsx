import { useTranslation } from 'react-i18next'
import { moment } from '../../contract/figures.ts'
import { Pill } from '../parts/status-pill.tsx'
import { useTimes } from '../parts/time.tsx'
import type { MaintenanceWindow } from './queries.ts'
import { dayName, recurrenceOf } from './recurrence.ts'

const pillOfState = {
  active: { tone: 'maintenance', icon: 'maintenance' },
  scheduled: { tone: 'pending', icon: 'calendar' },
  completed: { tone: 'up', icon: 'check' },
  cancelled: { tone: 'unknown', icon: 'cross' },
} as const

export function State({ of: { state } }: { of: MaintenanceWindow }) {
  const { t } = useTranslation('maintenance')
  return <Pill {...pillOfState[state]}>{t(`state.${state}`)}</Pill>
}

/** A moment as the clocks of a zone show it; a local time is given without an offset. */
export function useLocalTimes() {
  const { i18n } = useTranslation('maintenance')
  const { language } = i18n
  return {
    local: (time: string) => moment(Date.parse(`${time}Z`), { language, zone: 'UTC' }),
    inZone: (at: string, zone: string) => moment(Date.parse(at), { language, zone }),
  }
}

/** "Once", "Every week on Monday and Thursday", or the rule itself. */
export function Recurs({ of: { rrule } }: { of: MaintenanceWindow }) {
  const { t, i18n } = useTranslation('maintenance')
  const { kind, days } = recurrenceOf(rrule)
  if (kind === 'rule') return <code>{rrule}</code>
  if (kind !== 'weekly' || days.length === 0) return <>{t(`recurs.${kind}`)}</>
  const list = new Intl.ListFormat(i18n.language)
  return <>{t('recurs.weeklyOn', { days: list.format(days.map(day => dayName(day, i18n.language))) })}</>
}

const minuteMs = 60_000

export function Minutes({ count }: { count: number }) {
  return <>{useTimes().duration(count * minuteMs)}</>
}

/** "All monitors", or how many are named and the tags. */
export function Covers({ of: { scope } }: { of: MaintenanceWindow }) {
  const { t, i18n } = useTranslation('maintenance')
  if (scope.all) return <>{t('covers.all')}</>
  const list = new Intl.ListFormat(i18n.language)
  const parts = [
    ...(scope.monitor_ids.length > 0 ? [t('covers.monitors', { count: scope.monitor_ids.length })] : []),
    ...(scope.tags.length > 0 ? [t('covers.tags', { tags: list.format(scope.tags) })] : []),
  ]
  return <>{list.format(parts)}</>
}
