import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { TextField as AriaTextField, Group, Input, useLocale } from 'react-aria-components'
import { FieldLabel, type Labelled, Notes } from './field.tsx'
import { numberWriting } from './number-writing.ts'

export interface NumberFieldProps extends Labelled {
  /** NaN while nothing is written. */
  value: number
  onChange(value: number): void
  minValue?: number
  maxValue?: number
  /** By how much the arrow keys change it, 1 by default; also how exact it is written. */
  step?: number
  /** Written after the field, such as "seconds". */
  unit?: ReactNode
  isRequired?: boolean
  autoFocus?: boolean
}

/**
 * A number as the language of the person writes it; the arrow keys change it. What is beyond its limits is brought
 * within them once the field is left. React Aria's own field for numbers weighs as much as all other fields together.
 */
export function NumberField({ label, description, unit, value, onChange, step = 1, ...rest }: NumberFieldProps) {
  const {
    minValue = Number.NEGATIVE_INFINITY,
    maxValue = Number.POSITIVE_INFINITY,
    name,
    isRequired = false,
    autoFocus = false,
  } = rest
  const { locale } = useLocale()
  const { read, write } = useMemo(() => numberWriting(locale, step), [locale, step])
  // what is being written; null while it is what `value` says
  const [draft, setDraft] = useState<string | null>(null)
  const within = (number: number) => Math.min(maxValue, Math.max(minValue, number))
  const put = (text: string) => {
    const number = read(text)
    if (number === null) return
    setDraft(text)
    onChange(number)
  }
  const leave = () => {
    setDraft(null)
    if (within(value) !== value && !Number.isNaN(value)) onChange(within(value))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (steps === undefined) return
    event.preventDefault()
    setDraft(null)
    const begin = Number.isNaN(value) ? Math.max(0, minValue) - steps * step : value
    // without the remainders of binary fractions
    onChange(within(Number((begin + steps * step).toFixed(6))))
  }
  return (
    <AriaTextField
      className="field"
      value={draft ?? write(value)}
      onChange={put}
      onBlur={leave}
      isRequired={isRequired}
      autoFocus={autoFocus}
      inputMode="decimal"
      autoComplete="off"
      {...(name !== undefined && { name })}
    >
      <FieldLabel isRequired={isRequired}>{label}</FieldLabel>
      <Group className="field-number">
        <Input className="field-box" onKeyDown={onKeyDown} />
        {unit !== undefined && <span className="soft">{unit}</span>}
      </Group>
      <Notes description={description} />
    </AriaTextField>
  )
}
