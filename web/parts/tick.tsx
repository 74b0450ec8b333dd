import { Checkbox as AriaCheckbox } from 'react-aria-components'
import { Icon } from './icons.tsx'
import './field.css'

/** A tick without a visible text, as in rows of a table. */
export function Tick({
  label,
  ...rest
}: {
  label: string
  isSelected: boolean
  isIndeterminate?: boolean
  onChange(isSelected: boolean): void
}) {
  return (
    <AriaCheckbox {...rest} className="field-tick" aria-label={label}>
      <span className="tick-box">
        <Icon name="check" />
      </span>
    </AriaCheckbox>
  )
}
