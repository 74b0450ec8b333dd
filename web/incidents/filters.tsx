import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Search } from '../monitors/search.tsx'
import { Button } from '../parts/button.tsx'
import { SelectField } from '../parts/field.tsx'
import { tagsQuery } from '../shared-queries.ts'
import { type IncidentFilters, severities, shownStatuses } from './queries.ts'

interface FiltersProps {
  filters: IncidentFilters
  /** The name of the monitor that the list is limited to. */
  monitorName: string | undefined
  /** The filters of the first page. */
  onChange(filters: IncidentFilters): void
}

export function Filters({ filters, monitorName, onChange }: FiltersProps) {
  const { t } = useTranslation('incidents')
  const { data: tags = [] } = useQuery(tagsQuery)
  const { cursor: _, ...kept } = filters
  // the field keeps what is being typed: cleared filters empty it
  const [clears, setClears] = useState(0)
  const set = (changed: { [Name in keyof typeof kept]?: (typeof kept)[Name] | undefined }) =>
    onChange(Object.fromEntries(Object.entries({ ...kept, ...changed }).filter(([, value]) => value !== undefined)))
  const clear = () => {
    setClears(clears + 1)
    onChange({})
  }
  const names = new Set([...tags.map(({ name }) => name), ...(filters.tag === undefined ? [] : [filters.tag])])
  const any = { id: '', label: t('filter.any') } as const
  const has = { true: t('filter.acknowledged.yes'), false: t('filter.acknowledged.no') }
  const isOne = <Name extends string>(known: readonly Name[], value: string) => known.find(one => one === value)
  return (
    <search className="filters">
      <Search
        key={clears}
        label={t('filter.search')}
        text={filters.search}
        onSearch={search => set({ search: search || undefined })}
      />
      <SelectField<string>
        label={t('filter.status')}
        choices={[
          any,
          ...shownStatuses.map(status => ({ id: status, label: t(`incident.${status}`, { ns: 'parts' }) })),
        ]}
        value={filters.status ?? ''}
        onChange={status => set({ status: isOne(shownStatuses, status) })}
      />
      <SelectField<string>
        label={t('filter.severity')}
        choices={[any, ...severities.map(severity => ({ id: severity, label: t(`severity.${severity}`) }))]}
        value={filters.severity ?? ''}
        onChange={severity => set({ severity: isOne(severities, severity) })}
      />
      <SelectField<string>
        label={t('filter.acknowledged')}
        choices={[any, { id: 'false', label: has.false }, { id: 'true', label: has.true }]}
        value={filters.acknowledged === undefined ? '' : String(filters.acknowledged)}
        onChange={value => set({ acknowledged: value === '' ? undefined : value === 'true' })}
      />
      {names.size > 0 && (
        <SelectField<string>
          label={t('filter.tag')}
          choices={[any, ...[...names].map(name => ({ id: name, label: name }))]}
          value={filters.tag ?? ''}
          onChange={tag => set({ tag: tag || undefined })}
        />
      )}
      <SelectField<string>
        label={t('filter.place')}
        choices={[
          { id: '', label: t('filter.place.list') },
          { id: 'archived', label: t('filter.place.archive') },
        ]}
        value={filters.archived ? 'archived' : ''}
        onChange={place => set({ archived: place === 'archived' || undefined })}
      />
      {filters.monitor !== undefined && (
        <Button icon="close" onPress={() => set({ monitor: undefined })}>
          {t('filter.monitor', { name: monitorName ?? '…' })}
        </Button>
      )}
      {Object.keys(kept).length > 0 && (
        <Button variant="quiet" icon="close" onPress={clear}>
          {t('filter.clear')}
        </Button>
      )}
    </search>
  )
}
