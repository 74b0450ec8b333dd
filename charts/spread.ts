import { area, line } from 'd3-shape'
import { type AxisOptions, axesOf } from './axes.ts'
import { element, type Point, picture } from './svg.ts'

export interface SpreadOptions extends AxisOptions {
  /** The colour of both lines and, paler, of the band between them. */
  stroke: string
}

/** The median as a line, and the band up to the 95th percentile. Both lists have the same moments. */
export function spread(p50: readonly Point[], p95: readonly Point[], options: SpreadOptions): string {
  const { x, y, markup } = axesOf([...p50, ...p95], options)
  const pairs = p50.map(({ at, value }, index) => ({ at, low: value, high: p95[index]?.value ?? null }))
  const isWhole = ({ low, high }: (typeof pairs)[number]) => low !== null && high !== null
  const band = area<(typeof pairs)[number]>()
    .defined(isWhole)
    .x(({ at }) => x(at))
    .y0(({ low }) => y(low ?? 0))
    .y1(({ high }) => y(high ?? 0))
    .digits(2)
  const along = (points: readonly Point[]) =>
    line<Point>()
      .defined(({ value }) => value !== null)
      .x(({ at }) => x(at))
      .y(({ value }) => y(value ?? 0))
      .digits(2)(points) ?? ''
  const { stroke } = options
  const ends = { 'stroke-linejoin': 'round', 'stroke-linecap': 'round' }
  return picture(
    options,
    markup +
      element('path', { d: band(pairs) ?? '', fill: stroke, 'fill-opacity': 0.18 }) +
      element('path', { d: along(p95), fill: 'none', stroke, 'stroke-opacity': 0.5, ...ends }) +
      element('path', { d: along(p50), fill: 'none', stroke, 'stroke-width': 1.5, ...ends }),
  )
}
