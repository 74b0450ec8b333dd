import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { usePerson } from '../shell/session.ts'
import { Filters } from './filters.tsx'
import { FormerDefaultNotice } from './former-default.tsx'
import { mainCheck } from './kinds.ts'
import { daysQuery, listQuery, type MonitorFilters, recentQuery, statsQuery } from './queries.ts'
import { SavedViews } from './saved-views.tsx'
import { useSteadyOrder } from './steady-order.ts'
import { MonitorTable } from './table.tsx'
import './monitors.css'

// most people who read the list change nothing in it
const BulkBar = lazy(async () => ({ default: (await import('./bulk-bar.tsx')).BulkBar }))

/**
 * The team's monitors, filtered by the address: one page from the server, its figures, bars and lines in three calls.
 */
export function MonitorList() {
  const { t } = useTranslation('monitors')
  const filters = useSearch({ from: '/app/app/monitors' })
  const navigate = useNavigate({ from: '/app/monitors' })
  const { timezone } = usePerson()
  // until the next rows are here the former ones stay, and with them the focus on the field that was changed
  const shown = useDeferredValue(filters)
  const query = listQuery(shown)
  const { data: read, meta } = useSuspenseQuery(query).data
  const { rows: monitors, isMoved, showMoved } = useSteadyOrder(read, JSON.stringify(query.queryKey))
  // whatever order they stand in, they are the same figures
  const ids = monitors.map(({ id }) => id).sort()
  const checks = monitors.flatMap(({ checks }) => mainCheck(checks)?.id ?? []).sort()
  const { data: stats } = useQuery(statsQuery(ids))
  const { data: days } = useQuery(daysQuery(ids, timezone))
  const { data: recent } = useQuery(recentQuery(checks))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // what a filter or another page has taken from the screen is not changed unseen
  const selected = monitors.filter(({ id }) => chosen.has(id))
  const forget = (ids: readonly string[]) => setChosen(before => new Set([...before].filter(id => !ids.includes(id))))
  const { sort, ...narrowing } = shown
  const isFiltered = Object.keys(narrowing).length > 0
  const filterBy = (next: MonitorFilters) => navigate({ search: next, replace: true })
  return (
    <div className="page">
      <PageHead
        title={t('title')}
        actions={
          <ButtonLink to="/app/monitors/new" variant="primary" icon="add">
            {t('new')}
          </ButtonLink>
        }
      />
      <FormerDefaultNotice />
      {monitors.length === 0 && !isFiltered ? (
        <EmptyState
          title={t('empty.title')}
          action={
            <ButtonLink to="/app/monitors/new" variant="primary">
              {t('empty.new')}
            </ButtonLink>
          }
        >
          {t('empty.says')}
        </EmptyState>
      ) : (
        <>
          <Filters
            filters={filters}
            shownTags={monitors.flatMap(({ tags }) => tags)}
            shownGroups={monitors.flatMap(({ group }) => group ?? [])}
            onChange={filterBy}
          />
          <SavedViews filters={filters} />
          <div className="list-count">
            <p className="soft" role="status">
              {t('count', { count: meta.total })}
            </p>
            {isMoved && <Button onPress={showMoved}>{t('order.show')}</Button>}
          </div>
          {monitors.length === 0 ? (
            <EmptyState
              title={t('none.title')}
              action={<Button onPress={() => filterBy({ ...(sort && { sort }) })}>{t('filter.clear')}</Button>}
            >
              {t('none.says')}
            </EmptyState>
          ) : (
            <MonitorTable
              monitors={monitors}
              stats={stats}
              days={days}
              recent={recent}
              selected={chosen}
              onSelect={setChosen}
            />
          )}
          {selected.length > 0 && (
            <Suspense>
              <BulkBar monitors={selected} onDone={forget} />
            </Suspense>
          )}
          <Pager meta={meta} onPage={page => navigate({ search: { ...filters, page } })} />
        </>
      )}
    </div>
  )
}
