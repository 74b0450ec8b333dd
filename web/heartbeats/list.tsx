import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../parts/empty-state.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { StatusPill } from '../parts/status-pill.tsx'
import { Table } from '../parts/table.tsx'
import { Ago, Moment } from '../parts/time.tsx'
import { type Heartbeat, listQuery } from './queries.ts'

/** Jobs that report that they ran. */
export function HeartbeatList() {
  const { t } = useTranslation('heartbeats')
  const [page, setPage] = useState(1)
  const { data } = useSuspenseQuery(listQuery(page))
  const add = (
    <Link className="button primary" to="/app/heartbeats/new">
      {t('list.add')}
    </Link>
  )
  const isEmpty = data.meta.total === 0
  return (
    <div className="page">
      <PageHead title={t('list.title')} actions={!isEmpty && add} />
      {isEmpty ? (
        <EmptyState title={t('list.empty')} icon="pending" action={add}>
          {t('list.emptySays')}
        </EmptyState>
      ) : (
        <Table
          caption={t('list.title')}
          rows={data.data}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'name',
              header: t('field.name'),
              cell: ({ id, name }) => (
                <Link to="/app/heartbeats/$monitor" params={{ monitor: id }}>
                  {name}
                </Link>
              ),
            },
            { id: 'status', header: t('list.status'), cell: ({ status }) => <StatusPill status={status} /> },
            { id: 'schedule', header: t('list.schedule'), cell: heartbeat => <ScheduleText of={heartbeat} /> },
            {
              id: 'last',
              header: t('list.last'),
              cell: ({ last_ping_at: at }) => (at ? <Ago at={at} /> : t('never')),
            },
            {
              id: 'next',
              header: t('list.next'),
              cell: ({ next_expected: [at] }) => (at ? <Moment at={at} /> : '–'),
            },
          ]}
        />
      )}
      <Pager meta={data.meta} onPage={setPage} />
    </div>
  )
}

export function ScheduleText({ of }: { of: Heartbeat }) {
  const { t } = useTranslation('heartbeats')
  if (of.schedule_kind === 'simple') return <>{t('schedule.every', { count: of.period_minutes ?? 0 })}</>
  return (
    <>
      <code>{of.schedule}</code> {of.timezone}
    </>
  )
}
