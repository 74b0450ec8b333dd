import { line } from 'd3-shape'
import './sparkline.css'

const [width, height] = [96, 24]

/** A small line without axes beside figures; `label` says what it shows. It is interrupted where there is no value. */
export function Sparkline({ values, label }: { values: readonly (number | null)[]; label: string }) {
  const highest = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0) || 1
  const d = line<number | null>()
    .defined(value => value !== null)
    .x((_value, index) => (index / Math.max(1, values.length - 1)) * width)
    .y(value => height - 2 - ((value ?? 0) / highest) * (height - 4))
    .digits(1)(values)
  return (
    <svg className="sparkline" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <path d={d ?? ''} />
    </svg>
  )
}
