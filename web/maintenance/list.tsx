import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { usePerson } from '../shell/session.ts'
import { type Act, AskAct, actsOf } from './actions.tsx'
import { Calendar } from './calendar.tsx'
import { DatesOfWindow } from './next-dates.tsx'
import { currentQuery, type MaintenanceWindow, pastQuery } from './queries.ts'
import { Covers, Minutes, Recurs, State } from './words-of.tsx'

/** Planned work: active windows first, then those to come, then past ones. */
export function MaintenanceList() {
  const { t } = useTranslation('maintenance')
  const mayWrite = usePerson().role !== 'viewer'
  const [page, setPage] = useState(1)
  const [asked, setAsked] = useState<{ window: MaintenanceWindow; act: Act } | null>(null)
  const current = useQuery(currentQuery).data
  const past = useQuery(pastQuery(page)).data
  const isEmpty = current?.total === 0 && past?.meta.total === 0
  const add = mayWrite && (
    <Link className="button primary" to="/app/maintenance/new">
      {t('new')}
    </Link>
  )
  const shared: Column<MaintenanceWindow>[] = [
    {
      id: 'title',
      header: t('field.title'),
      cell: ({ id, title }) => (
        <Link to="/app/maintenance/$window" params={{ window: id }}>
          {title}
        </Link>
      ),
    },
    { id: 'state', header: t('state'), cell: window => <State of={window} /> },
    { id: 'covers', header: t('covers'), cell: window => <Covers of={window} /> },
  ]
  return (
    <div className="page">
      <PageHead title={t('title')} subtitle={<p>{t('says')}</p>} actions={add} />
      {isEmpty ? (
        <EmptyState title={t('empty')} icon="maintenance" action={add}>
          {t('empty.says')}
        </EmptyState>
      ) : (
        <section className="card">
          <h2>{t('current')}</h2>
          {current?.total === 0 ? (
            <p className="soft">{t('current.none')}</p>
          ) : (
            <Table
              caption={t('current')}
              rows={current?.data}
              keyOf={({ id }) => id}
              columns={[
                ...shared,
                {
                  id: 'when',
                  header: t('when'),
                  cell: window => <When window={window} />,
                },
                {
                  id: 'recurs',
                  header: t('recurrence'),
                  cell: window => (
                    <>
                      <Recurs of={window} />
                      <DatesOfWindow window={window} />
                    </>
                  ),
                },
                ...(mayWrite
                  ? [
                      {
                        id: 'actions',
                        header: '',
                        cell: (window: MaintenanceWindow) => (
                          <Actions
                            label={t('actions', { name: window.title })}
                            actions={actsOf(window).map(act => ({
                              id: act,
                              label: t(act),
                              act: () => setAsked({ window, act }),
                              isDanger: act === 'cancel',
                            }))}
                          />
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          )}
        </section>
      )}
      {past && past.meta.total > 0 && (
        <section className="card">
          <h2>{t('past')}</h2>
          <Table
            caption={t('past')}
            rows={past.data}
            keyOf={({ id }) => id}
            columns={[
              ...shared,
              {
                id: 'ended',
                header: t('ended'),
                cell: ({ actual_ended_at: at }) => (at === null ? t('neverBegan') : <Moment at={at} />),
              },
            ]}
          />
          <Pager meta={past.meta} onPage={setPage} />
        </section>
      )}
      {mayWrite && <Calendar />}
      {asked && <AskAct {...asked} onClose={() => setAsked(null)} />}
    </div>
  )
}

/** Until when it lasts, or when it starts and how long it takes. */
function When({ window }: { window: MaintenanceWindow }) {
  const { t } = useTranslation('maintenance')
  const { state, next_starts_at: starts, next_ends_at: ends, duration_minutes: minutes } = window
  if (state === 'active' && ends !== null)
    return (
      <>
        {t('until')} <Moment at={ends} />
      </>
    )
  if (starts === null) return '–'
  return (
    <>
      <Moment at={starts} />{' '}
      <small className="soft">
        <Minutes count={minutes} />
      </small>
    </>
  )
}
