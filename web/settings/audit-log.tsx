import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AuditEntries } from '../access/audit-entries.tsx'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { SelectField, TextField } from '../parts/field.tsx'
import { Pager } from '../parts/pager.tsx'
import type { AuditFilters } from './routes.ts'

const all = 'all'

/** Everything that was done in the team: filtered by the address, so that a link shows the same. */
export function AuditLog() {
  const { t } = useTranslation('settings')
  const filters = useSearch({ from: '/app/app/settings/audit-log' })
  const navigate = useNavigate()
  const put = (part: AuditFilters) =>
    navigate({ to: '/app/settings/audit-log', search: { ...filters, page: 1, ...part }, replace: true })
  const { data } = useQuery({
    queryKey: ['audit-log', filters],
    queryFn: ({ signal }) => {
      const { action, entity_type, from, to, page = 1 } = filters
      const query = {
        page,
        per_page: 50,
        ...(action && { action: [action] }),
        ...(entity_type && { entity_type: [entity_type as 'user'] }),
        // days of the browser's zone, the last one to its end
        ...(from && { from: new Date(`${from}T00:00`).toISOString() }),
        ...(to && { to: new Date(`${to}T24:00`).toISOString() }),
      }
      return bodyOf(api.GET('/api/v1/audit-log', { params: { query }, signal }))
    },
    placeholderData: keepPreviousData,
  })
  const known = useSuspenseQuery({
    queryKey: ['audit-log', 'filters'],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/audit-log/filters', { signal })),
  }).data.data
  const choices = (names: readonly string[]) => [
    { id: all, label: t('audit.all') },
    ...names.map(id => ({ id, label: id })),
  ]
  const chosen = (value: string) => (value === all ? '' : value)
  return (
    <section className="card">
      <h2>{t('nav.audit')}</h2>
      <p className="soft">{t('audit.says')}</p>
      <div className="row audit-filters">
        <SelectField
          label={t('audit.action')}
          choices={choices(known.actions)}
          value={filters.action ?? all}
          onChange={value => put({ action: chosen(value) })}
        />
        <SelectField
          label={t('audit.entity')}
          choices={choices(known.entity_types)}
          value={filters.entity_type ?? all}
          onChange={value => put({ entity_type: chosen(value) })}
        />
        <TextField
          label={t('audit.from')}
          type={'date' as 'text'}
          value={filters.from ?? ''}
          onChange={from => put({ from })}
        />
        <TextField
          label={t('audit.to')}
          type={'date' as 'text'}
          value={filters.to ?? ''}
          onChange={to => put({ to })}
        />
        {Object.keys(filters).length > 0 && (
          <Button variant="quiet" onPress={() => navigate({ to: '/app/settings/audit-log', search: {} })}>
            {t('audit.clear')}
          </Button>
        )}
      </div>
      {data?.meta.total === 0 ? (
        <EmptyState title={t('audit.empty')}>{t('audit.empty.says')}</EmptyState>
      ) : (
        <AuditEntries entries={data?.data} />
      )}
      {data && <Pager meta={data.meta} onPage={page => put({ page })} />}
    </section>
  )
}
