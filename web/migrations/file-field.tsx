import { use, useId, useState } from 'react'
import { FormValidationContext } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import '../parts/button.css'

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
  const { t } = useTranslation('migrations')
  const errors = use(FormValidationContext)
  const [chosen, setChosen] = useState<string | null>(null)
  const [seen, setSeen] = useState<typeof errors | null>(null)
  const error = errors === seen ? undefined : errors?.[name]
  const about = `${id}-about`
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <div className="file-field">
        <input
          {...{ id, name, accept }}
          type="file"
          required
          aria-describedby={about}
          aria-invalid={error !== undefined}
          onChange={({ target }) => {
            const file = target.files?.[0] ?? null
            setSeen(errors)
            setChosen(file?.name ?? null)
            onChange(file)
          }}
        />
        <span className="button" aria-hidden="true">
          {t('file.choose')}
        </span>
        <span className={chosen === null ? 'soft' : ''}>{chosen ?? t('file.none')}</span>
      </div>
      <div id={about}>
        <span className="field-description">{description}</span>
        {error !== undefined && <div className="field-error">{error}</div>}
      </div>
    </div>
  )
}
