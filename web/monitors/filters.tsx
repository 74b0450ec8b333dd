import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { LateSelectField } from '../parts/field.tsx'
import { toast } from '../parts/toast.tsx'
import { tagsQuery } from '../shared-queries.ts'
import { changePreferences } from '../shell/preferences.ts'
import { usePerson } from '../shell/session.ts'
import { type MonitorFilters, type MonitorSort, type StatusFilter, sorts, statuses } from './queries.ts'
import { Search } from './search.tsx'

const any = 'any'
/** Of all lists of the person, as their profile says. */
const densities = ['comfortable', 'compact'] as const

interface FiltersProps {
  filters: MonitorFilters
  /** Tags of the rows that are shown; all others are read once a person chooses one. */
  shownTags: readonly string[]
  /** Groups of the rows that are shown. */
  shownGroups: readonly string[]
  /** The filters of the first page. */
  onChange(filters: MonitorFilters): void
}

const byName = (one: string, other: string) => one.localeCompare(other)

export function Filters({ filters, shownTags, shownGroups, onChange }: FiltersProps) {
  const { t } = useTranslation('monitors')
  const [isChoosing, setChoosing] = useState(false)
  const { data: tags = [] } = useQuery({ ...tagsQuery, enabled: isChoosing })
  const { preferences } = usePerson()
  const { page: _page, sort, ...kept } = filters
  const sorted = sort && { sort }
  // the field keeps what is being typed: cleared filters empty it
  const [clears, setClears] = useState(0)
  const set = (name: keyof typeof kept, value: string | undefined) => {
    const { [name]: _before, ...others } = kept
    onChange({ ...others, ...(value !== undefined && value !== '' && { [name]: value }), ...sorted })
  }
  const clear = () => {
    setClears(clears + 1)
    onChange({ ...sorted })
  }
  const known = tags.length > 0 ? tags.map(({ name }) => name) : [...shownTags].sort(byName)
  const names = new Set([...known, ...(filters.tag === undefined ? [] : [filters.tag])])
  const groups = [...new Set([...shownGroups, ...(filters.group === undefined ? [] : [filters.group])])].sort(byName)
  return (
    <search className="filters">
      <Search key={clears} text={filters.search} onSearch={search => set('search', search)} />
      <LateSelectField
        label={t('filter.status')}
        choices={[
          { id: any, label: t('filter.anyStatus') },
          ...statuses.map(status => ({ id: status, label: t(`status.${status}`, { ns: 'parts' }) })),
        ]}
        value={filters.status ?? any}
        onChange={(status: StatusFilter | typeof any) => set('status', status === any ? undefined : status)}
      />
      <LateSelectField
        label={t('filter.tag')}
        choices={[{ id: '', label: t('filter.anyTag') }, ...[...names].map(name => ({ id: name, label: name }))]}
        value={filters.tag ?? ''}
        onChange={tag => set('tag', tag)}
        onOpenChange={isOpen => isOpen && setChoosing(true)}
      />
      {groups.length > 0 && (
        <LateSelectField
          label={t('field.group')}
          choices={[{ id: '', label: t('filter.anyGroup') }, ...groups.map(name => ({ id: name, label: name }))]}
          value={filters.group ?? ''}
          onChange={group => set('group', group)}
        />
      )}
      <LateSelectField
        label={t('filter.sort')}
        choices={sorts.map(id => ({ id, label: t(`sort.${id}`) }))}
        value={sort ?? 'status'}
        onChange={(chosen: MonitorSort) => onChange({ ...kept, ...(chosen !== 'status' && { sort: chosen }) })}
      />
      <LateSelectField
        label={t('filter.density')}
        choices={densities.map(id => ({ id, label: t(`density.${id}`) }))}
        value={preferences.density}
        onChange={density => {
          changePreferences({ density }).catch(toast.failure)
        }}
      />
      {Object.keys(kept).length > 0 && (
        <Button variant="quiet" icon="close" onPress={clear}>
          {t('filter.clear')}
        </Button>
      )}
    </search>
  )
}
