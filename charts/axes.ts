import { type ScaleLinear, type ScaleTime, scaleLinear, scaleUtc } from 'd3-scale'
import { type ChartOptions, element, escapeText, type Point } from './svg.ts'

export interface AxisOptions extends ChartOptions {
  /** How a value is written beside the axis. */
  formatValue(value: number): string
  /** How a moment is written below the axis. */
  formatTime(at: Date): string
  /** The shown time; that of the points by default. Milliseconds. */
  from?: number
  to?: number
  /** Time ranges that are marked behind the lines, such as incidents. Milliseconds. */
  bands?: readonly { from: number; to: number }[]
  /** The colour of bands. */
  bandFill?: string
}

export interface Axes {
  x: ScaleTime<number, number>
  y: ScaleLinear<number, number>
  /** Grid, labels and base line. */
  markup: string
}

const margin = { top: 6, right: 8, bottom: 18, left: 48 }
const textSize = 9
/** A character of a label is at most about this wide. */
const characterWidth = textSize * 0.6
/** A short incident in a long time is still seen. */
const leastBand = 2

/** Scales from zero to the highest value, with at most four labels a side. */
export function axesOf(points: readonly Point[], options: AxisOptions): Axes {
  const { width, height } = options
  const highest = points.reduce((most, { value }) => Math.max(most, value ?? 0), 0)
  const from = options.from ?? points.reduce((least, { at }) => Math.min(least, at), points[0]?.at ?? 0)
  const to = options.to ?? points.reduce((most, { at }) => Math.max(most, at), from)
  const y = scaleLinear([0, highest || 1], [height - margin.bottom, margin.top]).nice(4)
  const values = y.ticks(4).map(value => ({ at: y(value), text: options.formatValue(value) }))
  const longest = Math.max(...values.map(({ text }) => text.length * characterWidth))
  const [left, right] = [Math.max(margin.left, Math.min(longest + 8, width / 3)), width - margin.right]
  const x = scaleUtc([new Date(from), new Date(Math.max(to, from + 1))], [left, right])
  const rows = values.map(
    ({ at, text }) =>
      element('path', { d: `M${left},${at}H${right}`, stroke: 'currentColor', 'stroke-opacity': 0.15 }) +
      label(text, { x: left - 6, y: at + textSize / 3, anchor: 'end' }),
  )
  const inside = (at: number) => Math.min(right, Math.max(left, x(at)))
  const bands = (options.bands ?? []).map(band =>
    element('rect', {
      x: inside(band.from),
      y: margin.top,
      width: Math.max(leastBand, inside(band.to) - inside(band.from)),
      height: height - margin.top - margin.bottom,
      fill: options.bandFill,
      'fill-opacity': 0.18,
    }),
  )
  const columns = x.ticks(4).map(at => {
    const text = options.formatTime(at)
    const half = (text.length * characterWidth) / 2
    // the last one ends with the picture
    return label(text, { x: Math.max(half, Math.min(x(at), width - half)), y: height - 4, anchor: 'middle' })
  })
  return { x, y, markup: bands.join('') + rows.join('') + columns.join('') }
}

const label = (text: string, { x, y, anchor }: { x: number; y: number; anchor: string }) =>
  element('text', { x, y, 'text-anchor': anchor, 'font-size': textSize, fill: 'currentColor' }, escapeText(text))
