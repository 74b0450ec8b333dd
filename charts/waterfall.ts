import { scaleLinear } from 'd3-scale'
import { type ChartOptions, element, escapeText, picture } from './svg.ts'

/** A part of a request: one begins when the one before has ended. Without a duration it did not take place. */
export interface Phase {
  label: string
  ms: number | null
  fill: string
}

interface WaterfallOptions extends ChartOptions {
  formatValue(ms: number): string
}

const labels = 90
const values = 60
const textSize = 10

/** The phases of a request one below the other, each beginning where the one before ends. */
export function waterfall(phases: readonly Phase[], options: WaterfallOptions): string {
  const { width, height, formatValue } = options
  const total = phases.reduce((sum, { ms }) => sum + Math.max(0, ms ?? 0), 0)
  const x = scaleLinear([0, total || 1], [labels, Math.max(labels, width - values)])
  const rowHeight = height / Math.max(1, phases.length)
  let begun = 0
  const rows = phases.map(({ label, ms, fill }, index) => {
    const middle = rowHeight * (index + 0.5)
    const text = (at: number, words: string) =>
      element(
        'text',
        { x: at, y: middle + textSize / 3, 'font-size': textSize, fill: 'currentColor' },
        escapeText(words),
      )
    const [start, end] = [begun, begun + Math.max(0, ms ?? 0)]
    begun = end
    if (ms === null) return text(0, label)
    const bar = element('rect', {
      x: x(start),
      y: middle - rowHeight * 0.3,
      width: Math.max(1, x(end) - x(start)),
      height: rowHeight * 0.6,
      fill,
    })
    return text(0, label) + bar + text(x(end) + 4, formatValue(ms))
  })
  return picture(options, rows.join(''))
}
