import { useId } from 'react'
import type { Choice } from './field.tsx'
import './segments.css'

interface SegmentsProps<Id extends string> {
  label: string
  choices: readonly Choice<Id>[]
  value: Id
  onChange(value: Id): void
}

/** A few choices side by side, one of which is shown: arrows go from one to the next. */
export function Segments<Id extends string>({ label, choices, value, onChange }: SegmentsProps<Id>) {
  const name = useId()
  return (
    <div className="segments" role="radiogroup" aria-label={label}>
      {choices.map(choice => (
        <label key={choice.id}>
          <input type="radio" name={name} checked={choice.id === value} onChange={() => onChange(choice.id)} />
          {choice.label}
        </label>
      ))}
    </div>
  )
}
