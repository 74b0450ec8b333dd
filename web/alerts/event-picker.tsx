import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CheckboxField, TextField } from '../parts/field.tsx'
import { eventTypesQuery } from './queries.ts'

interface Props {
  chosen: readonly string[]
  onChange(chosen: readonly string[]): void
  error: string | undefined
}

/** Events that a rule subscribes to, with what each of them means. Chosen ones stand first. */
export function EventPicker({ chosen, onChange, error }: Props) {
  const { t } = useTranslation('alerts')
  const [search, setSearch] = useState('')
  const [first] = useState(chosen)
  const wanted = useDeferredValue(search.toLowerCase())
  const types = useQuery(eventTypesQuery).data?.data ?? []
  const shown = types
    .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => Number(first.includes(b.name)) - Number(first.includes(a.name)))
  return (
    <fieldset className="plain">
      <legend>{t('rules.events.chosen', { count: chosen.length })}</legend>
      <TextField label={t('rules.events.search')} type="search" value={search} onChange={setSearch} />
      <div className="event-list">
        {shown.map(({ name, description }) => (
          <CheckboxField
            key={name}
            label={name}
            description={description}
            isSelected={chosen.includes(name)}
            onChange={isChosen => onChange(isChosen ? [...chosen, name] : chosen.filter(each => each !== name))}
          />
        ))}
      </div>
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
