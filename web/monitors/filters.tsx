import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { SelectField } from '../parts/field.tsx'
import { tagsQuery } from '../shared-queries.ts'
import { type MonitorFilters, type MonitorStatus, statuses } from './queries.ts'
import { Search } from './search.tsx'

const any = 'any'

interface FiltersProps {
  filters: MonitorFilters
  /** The filters of the first page. */
  onChange(filters: MonitorFilters): void
}

export function Filters({ filters, onChange }: FiltersProps) {
  const { t } = useTranslation('monitors')
  const { data: tags = [] } = useQuery(tagsQuery)
  const { page: _, ...kept } = filters
  // the field keeps what is being typed: cleared filters empty it
  const [clears, setClears] = useState(0)
  const set = (name: keyof typeof kept, value: string | undefined) => {
    const { [name]: _before, ...others } = kept
    onChange(value === undefined || value === '' ? others : { ...others, [name]: value })
  }
  const clear = () => {
    setClears(clears + 1)
    onChange({})
  }
  const names = new Set([...tags.map(({ name }) => name), ...(filters.tag === undefined ? [] : [filters.tag])])
  return (
    <search className="filters">
      <Search key={clears} text={filters.search} onSearch={search => set('search', search)} />
      <SelectField
        label={t('filter.status')}
        choices={[
          { id: any, label: t('filter.anyStatus') },
          ...statuses.map(status => ({ id: status, label: t(`state.${status}`) })),
        ]}
        value={filters.status ?? any}
        onChange={(status: MonitorStatus | typeof any) => set('status', status === any ? undefined : status)}
      />
      {names.size > 0 && (
        <SelectField
          label={t('filter.tag')}
          choices={[{ id: '', label: t('filter.anyTag') }, ...[...names].map(name => ({ id: name, label: name }))]}
          value={filters.tag ?? ''}
          onChange={tag => set('tag', tag)}
        />
      )}
      {Object.keys(kept).length > 0 && (
        <Button variant="quiet" icon="close" onPress={clear}>
          {t('filter.clear')}
        </Button>
      )}
    </search>
  )
}
