import { Icon } from './icons.tsx'
import './field.css'

/** A tick without a visible text, as in rows of a table. */
export function Tick({
  label,
  isSelected,
  isIndeterminate = false,
  onChange,
}: {
  label: string
  isSelected: boolean
  isIndeterminate?: boolean
  onChange(isSelected: boolean): void
}) {
  return (
    <label
      className="field-tick tick"
      data-selected={isSelected || undefined}
      data-indeterminate={isIndeterminate || undefined}
    >
      <input
        type="checkbox"
        aria-label={label}
        checked={isSelected}
        ref={input => {
          if (input) input.indeterminate = isIndeterminate
        }}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className="tick-box">
        <Icon name="check" />
      </span>
    </label>
  )
}
