import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../parts/empty-state.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Pager } from '../parts/pager.tsx'
import { StatusPill } from '../parts/status-pill.tsx'
import { Table } from '../parts/table.tsx'
import { Ago } from '../parts/time.tsx'
import { listQuery } from './queries.ts'

/** Servers that report their metrics. */
export function ServerList() {
  const { t } = useTranslation('servers')
  const [page, setPage] = useState(1)
  const { data } = useSuspenseQuery(listQuery(page))
  const add = (
    <Link className="button primary" to="/app/servers/new">
      {t('list.add')}
    </Link>
  )
  const isEmpty = data.meta.total === 0
  return (
    <div className="page">
      <PageHead title={t('list.title')} actions={!isEmpty && add} />
      {isEmpty ? (
        <EmptyState title={t('list.empty')} action={add}>
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
                <Link to="/app/servers/$monitor" params={{ monitor: id }}>
                  {name}
                </Link>
              ),
            },
            { id: 'status', header: t('list.status'), cell: ({ status }) => <StatusPill status={status} /> },
            { id: 'host', header: t('list.host'), cell: ({ host }) => (host ? `${host.name}, ${host.os}` : '–') },
            {
              id: 'last',
              header: t('list.last'),
              cell: ({ last_heard_at: at }) => (at ? <Ago at={at} /> : t('never')),
            },
          ]}
        />
      )}
      <Pager meta={data.meta} onPage={setPage} />
    </div>
  )
}
