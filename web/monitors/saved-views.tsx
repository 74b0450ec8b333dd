import { defaultParseSearch, defaultStringifySearch, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { changePreferences } from '../shell/preferences.ts'
import { usePerson } from '../shell/session.ts'
import type { MonitorFilters } from './queries.ts'
import { filtersOf } from './search-filters.ts'

const longestName = 60

/** Filters and order as an address has them, whichever page is shown. */
const queryOf = ({ page: _page, ...kept }: MonitorFilters) => defaultStringifySearch(kept)

/** The person's views of this team's list: links to filters they have named, and what names or deletes the present ones. */
export function SavedViews({ filters }: { filters: MonitorFilters }) {
  const { t } = useTranslation('monitors')
  const { tenant_id, preferences } = usePerson()
  const [isNaming, setNaming] = useState(false)
  const all = preferences.monitor_views
  const own = all
    .filter(view => view.tenant_id === tenant_id)
    .map(view => ({ name: view.name, search: filtersOf(defaultParseSearch(view.query)) }))
  const query = queryOf(filters)
  const shown = own.find(({ search }) => queryOf(search) === query)
  const others = (name: string) => all.filter(view => view.tenant_id !== tenant_id || view.name !== name)
  const keep = (monitor_views: typeof all) => changePreferences({ monitor_views })
  if (own.length === 0 && query === '') return null
  return (
    <nav className="saved-views" aria-label={t('views.label')}>
      {own.length > 0 && (
        <ul className="bare-list">
          {own.map(view => (
            <li key={view.name}>
              <Link
                to="/app/monitors"
                search={view.search}
                className={view === shown ? 'saved-view is-shown' : 'saved-view'}
                activeOptions={{ exact: true }}
              >
                {view.name}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {shown && (
        <Button variant="quiet" icon="delete" onPress={() => void keep(others(shown.name)).catch(toast.failure)}>
          {t('views.delete', { name: shown.name })}
        </Button>
      )}
      {!shown && query !== '' && (
        <Button variant="quiet" icon="add" onPress={() => setNaming(true)}>
          {t('views.save')}
        </Button>
      )}
      {isNaming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={name => keep([...others(name), { tenant_id, name, query }])}
        />
      )}
    </nav>
  )
}

function NameDialog({ onClose, onName }: { onClose(): void; onName(name: string): Promise<void> }) {
  const { t } = useTranslation('monitors')
  const [name, setName] = useState('')
  return (
    <FormDialog
      title={t('views.save')}
      says={t('views.says')}
      submit={t('save')}
      onClose={onClose}
      act={() => onName(name.trim())}
    >
      <TextField label={t('views.name')} value={name} onChange={setName} maxLength={longestName} isRequired autoFocus />
    </FormDialog>
  )
}
