import { use, useId, useState } from 'react'
import { FormValidationContext } from 'react-aria-components'

interface FileFieldProps {
  name: string
  label: string
  description: string
  accept?: string | undefined
  onChange(file: File | null): void
}

/** A file of this computer. What the API refuses of it is said below, until another one is chosen. */
export function FileField({ name, label, description, accept, onChange }: FileFieldProps) {
  const id = useId()
  const errors = use(FormValidationContext)
  const [seen, setSeen] = useState<typeof errors | null>(null)
  const error = errors === seen ? undefined : errors?.[name]
  const about = `${id}-about`
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        {...{ id, name, accept }}
        type="file"
        required
        className="file-field"
        aria-describedby={about}
        aria-invalid={error !== undefined}
        onChange={({ target }) => {
          setSeen(errors)
          onChange(target.files?.[0] ?? null)
        }}
      />
      <div id={about}>
        <span className="field-description">{description}</span>
        {error !== undefined && <div className="field-error">{error}</div>}
      </div>
    </div>
  )
}
