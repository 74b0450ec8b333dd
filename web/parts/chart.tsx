import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { line } from '../../charts/line.ts'
import type { Point } from '../../charts/svg.ts'
import { useTimes } from './time.tsx'
import './chart.css'

export interface ChartSeries {
  name: string
  points: readonly Point[]
}

interface LineChartProps {
  title: string
  /** What the chart shows, in a sentence. */
  description: string
  series: readonly ChartSeries[]
  formatValue(value: number): string
  /** The shown time; that of the points by default. Milliseconds since 1970. */
  from?: number
  to?: number
  height?: number
}

const strokes = 5
const dayMs = 86_400_000
const strokeOf = (index: number) => `var(--series-${(index % strokes) + 1})`

/** Lines over time as wide as their place, with a legend where there are several, and the figures as a table. */
export function LineChart({ title, description, series, formatValue, from, to, height = 220 }: LineChartProps) {
  const times = useTimes()
  const moments = series.flatMap(({ points }) => points.map(({ at }) => at))
  const spans = moments.reduce((most, at) => Math.max(most, at), 0) - (moments[0] ?? 0)
  const drawn = series.map(({ points }, index) => ({ points, stroke: strokeOf(index) }))
  const options = {
    ...{ title, description, formatValue, ...(from && { from }), ...(to && { to }) },
    formatTime: (at: Date) => times.absolute(at.getTime(), spans > 2 * dayMs ? 'date' : 'short'),
  }
  return (
    <figure className="chart">
      {series.length > 1 && (
        <figcaption className="chart-legend">
          {series.map(({ name }, index) => (
            <span key={name}>
              <i style={{ background: strokeOf(index) }} />
              {name}
            </span>
          ))}
        </figcaption>
      )}
      <Drawing height={height} draw={width => line(drawn, { ...options, width, height })} />
      <Figures title={title} series={series} formatValue={formatValue} />
    </figure>
  )
}

function Figures({ title, series, formatValue }: Pick<LineChartProps, 'title' | 'series' | 'formatValue'>) {
  const { t } = useTranslation('parts')
  const times = useTimes()
  const [isOpen, setIsOpen] = useState(false)
  const moments = isOpen
    ? [...new Set(series.flatMap(({ points }) => points.map(({ at }) => at)))].sort((a, b) => a - b)
    : []
  const values = isOpen ? series.map(({ points }) => new Map(points.map(({ at, value }) => [at, value]))) : []
  return (
    <details onToggle={event => setIsOpen(event.currentTarget.open)}>
      <summary>{t('chart.table')}</summary>
      <section className="chart-table" aria-label={title} tabIndex={isOpen ? 0 : -1}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('chart.time')}</th>
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {moments.map(at => (
              <tr key={at}>
                <th scope="row">{times.absolute(at)}</th>
                {values.map((of, index) => {
                  const value = of.get(at) ?? null
                  return <td key={series[index]?.name}>{value === null ? '–' : formatValue(value)}</td>
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

interface DrawingProps {
  height: number
  draw(width: number): string
}

/** A picture of charts/ as wide as there is room for it; a wider one, of a wider window, is cut until it is drawn again. */
export function Drawing({ height, draw }: DrawingProps) {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (!place.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div
      ref={place}
      className="drawing"
      style={{ minHeight: height }}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: charts/ escapes every text
      dangerouslySetInnerHTML={{ __html: width > 0 ? draw(width) : '' }}
    />
  )
}
