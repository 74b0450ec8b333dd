import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bars } from '../../charts/bars.ts'
import { dayText, percent } from '../../contract/figures.ts'
import type { Schemas } from '../api.ts'
import './bars.css'

export type BarLevel = 'up' | 'warning' | 'down' | 'maintenance' | 'paused' | 'none'

export interface Bar {
  level: BarLevel
  /** What the bar says, such as "12 March: Up, 100 %". */
  text: string
}

type Day = Schemas['MonitorUptime']['days'][number]

/** The level of a day: the worst that took time. */
export function levelOf(day: Pick<Day, 'downtime_s' | 'warning_s' | 'up_s' | 'maintenance_s' | 'paused_s'>): BarLevel {
  if (day.downtime_s > 0) return 'down'
  if (day.warning_s > 0) return 'warning'
  if (day.up_s > 0) return 'up'
  if (day.maintenance_s > 0) return 'maintenance'
  return day.paused_s > 0 ? 'paused' : 'none'
}

/** Days as the API gives them, as bars with their words. */
export function useDayBars() {
  const { t, i18n } = useTranslation('parts')
  return (days: readonly Day[]): Bar[] =>
    days.map(day => {
      const level = levelOf(day)
      const named = {
        day: dayText(day.date, i18n.language, 'date'),
        level: t(`bars.level.${level}`),
        uptime: percent(day.uptime_pct, i18n.language),
      }
      return { level, text: t('bars.day', named) }
    })
}

const moves: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: at => Math.max(0, at - 1),
  ArrowRight: (at, last) => Math.min(last, at + 1),
  Home: () => 0,
  End: (_at, last) => last,
}

/** A row of bars, oldest first. One tab stop: arrows go from bar to bar, and the text of the bar is shown and read. */
export function Bars({ label, bars: all }: { label: string; bars: readonly Bar[] }) {
  const [at, setAt] = useState<number | null>(null)
  const last = all.length - 1
  if (last < 0) return null
  const current = Math.min(at ?? last, last)
  const { viewBox, paths } = bars(
    all.map(({ level }) => level),
    'up',
  )
  const move = (event: KeyboardEvent) => {
    const to = moves[event.key]?.(current, last)
    if (to === undefined) return
    event.preventDefault()
    setAt(to)
  }
  const follow = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    setAt(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * all.length))))
  }
  return (
    <div
      className="bars"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-readonly="true"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={current}
      aria-valuetext={all[current]?.text}
      onKeyDown={move}
      onFocus={() => setAt(at ?? last)}
      onBlur={() => setAt(null)}
      onPointerMove={follow}
      onPointerLeave={() => setAt(null)}
    >
      <svg viewBox={viewBox} preserveAspectRatio="none" aria-hidden="true">
        {paths.map(({ level, d }) => (
          <path key={level} className={level} d={d} />
        ))}
      </svg>
      {at !== null && (
        <span className="bars-text" aria-hidden="true">
          {all[current]?.text}
        </span>
      )}
    </div>
  )
}
