import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { bars } from '../../charts/bars.ts'
import { percent } from '../../contract/figures.ts'
import { type DaySeconds, levelOf, uptimeOf } from './series.ts'

/** The judged seconds of each day, in lists of one number a day. */
type DayLists = Record<keyof DaySeconds, number[]>

const dayOf = (lists: DayLists, index: number): DaySeconds => ({
  up_s: lists.up_s[index] ?? 0,
  warning_s: lists.warning_s[index] ?? 0,
  downtime_s: lists.downtime_s[index] ?? 0,
  maintenance_s: lists.maintenance_s[index] ?? 0,
  paused_s: lists.paused_s[index] ?? 0,
  no_data_s: lists.no_data_s[index] ?? 0,
})

interface MonitorDaysProps {
  name: string
  /** Oldest first. */
  dates: readonly string[]
  /** undefined: not known yet. */
  days: DayLists | undefined
}

export const MonitorDays = ({ days, ...rest }: MonitorDaysProps) =>
  days ? <KnownDays days={days} {...rest} /> : <div className="day-bars" />

/** A bar for each day, one path a level; in words how many days had an outage, and the uptime of each that had. */
const KnownDays = memo(function KnownDays({ name, dates, days }: MonitorDaysProps & { days: DayLists }) {
  const { t, i18n } = useTranslation('monitors')
  const seconds = dates.map((_, index) => dayOf(days, index))
  const levels = seconds.map(levelOf)
  const { viewBox, paths } = bars(levels, 'no_data')
  const bad = dates.flatMap((date, index) =>
    levels[index] === 'down' ? `${date}: ${percent(uptimeOf(seconds[index]!), i18n.language)}` : [],
  )
  const says = [t('days.label', { name }), t('days.down', { count: bad.length }), ...bad.slice(-5)].join(', ')
  return (
    <svg className="day-bars" role="img" aria-label={says} viewBox={viewBox} preserveAspectRatio="none">
      <title>{bad.length === 0 ? t('days.down', { count: 0 }) : bad.slice(-5).join('\n')}</title>
      {paths.map(({ level, d }) => (
        <path key={level} className={level} d={d} />
      ))}
    </svg>
  )
})
