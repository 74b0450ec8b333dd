import { useQueries, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { line } from '../../charts/line.ts'
import { milliseconds, moment } from '../../contract/figures.ts'
import { ApiError } from '../api.ts'
import { Drawing } from '../parts/chart.tsx'
import { HistoryNote } from '../parts/history-note.tsx'
import { usePerson } from '../shell/session.ts'
import { incidentsQuery, type Span, seriesQuery } from './queries.ts'
import { bandsOf, pointsOf } from './series.ts'

const strokes = ['var(--series-1)', 'var(--series-2)', 'var(--series-3)', 'var(--series-4)', 'var(--series-5)']
const height = 220
const dayMs = 86_400_000

interface ResponseChartProps {
  monitor: string
  check: string
  /** Regions with results, in a fixed order. */
  regions: readonly string[]
  span: Span
  intervalS: number
  /** Since when the monitor exists: time before is not shown as empty. Milliseconds. */
  since: number
}

/** The mean response time of each region over time, with incidents as bands behind the lines. */
export function ResponseChart({ monitor, check, regions, span, intervalS, since }: ResponseChartProps) {
  const { t, i18n } = useTranslation('monitors')
  const { timezone } = usePerson()
  const answers = useQueries({ queries: regions.map(region => seriesQuery(check, span, region)) })
  const { data: incidents = [] } = useQuery(incidentsQuery(monitor))
  const series = answers.map(({ data }, index) => ({
    region: regions[index] ?? '',
    stroke: strokes[index % strokes.length] ?? '',
    points: data ? pointsOf(data.data, 'avg_response_ms', { bucket: data.meta.bucket, intervalS }) : [],
  }))
  if (answers.some(({ isPending }) => isPending)) return <div className="chart-pending" />
  if (answers.some(({ data, error }) => !data && error instanceof ApiError && error.status === 503))
    return <HistoryNote since={null} isUnreadable />
  const values = series.flatMap(({ points }) => points.flatMap(({ value }) => value ?? []))
  const meta = answers[0]?.data?.meta
  const note = <HistoryNote since={meta?.history_waits_since} />
  if (values.length === 0)
    return (
      <>
        <p>{t('overview.noResults')}</p>
        {note}
      </>
    )
  const shown = { from: Math.max(since, Date.parse(meta?.from ?? '')), to: Date.parse(meta?.to ?? '') }
  const bands = bandsOf(incidents, shown)
  const style = shown.to - shown.from > 2 * dayMs ? 'day' : 'minute'
  const ms = (value: number) => milliseconds(value, i18n.language)
  const extreme = (pick: (a: number, b: number) => number) => ms(values.reduce((a, b) => pick(a, b)))
  return (
    <>
      <Drawing
        height={height}
        draw={width =>
          line(series, {
            ...{ width, height },
            ...shown,
            bands,
            bandFill: 'var(--down)',
            title: t('overview.response'),
            description: t('overview.chartSays', {
              low: extreme(Math.min),
              high: extreme(Math.max),
              incidents: bands.length,
            }),
            formatValue: ms,
            formatTime: at => moment(at.getTime(), { language: i18n.language, zone: timezone, style }),
          })
        }
      />
      <ul className="legend bare-list">
        {series.map(({ region, stroke }) => (
          <li key={region}>
            <svg viewBox="0 0 20 4" aria-hidden="true">
              <path d="M0 2h20" stroke={stroke} strokeWidth="3" />
            </svg>
            {region}
          </li>
        ))}
        {bands.length > 0 && (
          <li>
            <svg viewBox="0 0 20 12" aria-hidden="true">
              <path d="M0 6h20" stroke="var(--down)" strokeOpacity="0.3" strokeWidth="12" />
            </svg>
            {t('overview.incidents')}
          </li>
        )}
      </ul>
      {note}
    </>
  )
}
