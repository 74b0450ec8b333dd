import { queryOptions, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { CheckboxField, TextField } from './field.tsx'

/** The events of the service, with what each of them means. */
export const eventTypesQuery = queryOptions({
  queryKey: ['event-types'],
  queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/notification-rules/event-types', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

export type EventType = Schemas['EventType']

interface EventPickerProps {
  chosen: readonly string[]
  onChange(chosen: readonly string[]): void
  error: string | undefined
  /** Which of all events are listed; without it all. */
  isOffered?: (type: EventType) => boolean
}

/** Events to subscribe to, with what each of them means. Those that were chosen before stand first. */
export function EventPicker({ chosen, onChange, error, isOffered = () => true }: EventPickerProps) {
  const { t } = useTranslation('parts')
  const [search, setSearch] = useState('')
  const [first] = useState(chosen)
  const types = useQuery(eventTypesQuery).data?.data ?? []
  const wanted = useDeferredValue(search.toLowerCase())
  const shown = types
    .filter(isOffered)
    .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => Number(first.includes(b.name)) - Number(first.includes(a.name)))
  return (
    <fieldset className="plain">
      <legend>{t('events.chosen', { number: chosen.length })}</legend>
      <TextField label={t('events.search')} type="search" value={search} onChange={setSearch} />
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
