import { line as lineOf } from 'd3-shape'
import { type AxisOptions, axesOf } from './axes.ts'
import { element, type Point, picture } from './svg.ts'

export interface Series {
  points: readonly Point[]
  stroke: string
}

/** Lines over time. A line is interrupted where there is no value; a value without neighbours is a dot. */
export function line(series: readonly Series[], options: AxisOptions): string {
  const { x, y, markup } = axesOf(
    series.flatMap(({ points }) => points),
    options,
  )
  const draw = lineOf<Point>()
    .defined(({ value }) => value !== null)
    .x(({ at }) => x(at))
    .y(({ value }) => y(value ?? 0))
    .digits(2)
  const lines = series.map(({ points, stroke }) =>
    element('path', {
      d: draw(points) ?? '',
      fill: 'none',
      stroke,
      'stroke-width': 1.5,
      'stroke-linejoin': 'round',
      'stroke-linecap': 'round',
    }),
  )
  return picture(options, markup + lines.join(''))
}
