import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api.ts'
import { EmptyState } from './empty-state.tsx'
import type { IconName } from './icons.tsx'
import { PageHead } from './page-head.tsx'
import { Pager } from './pager.tsx'
import { StatusPill } from './status-pill.tsx'
import { type Column, Table } from './table.tsx'

interface ReportingListProps<Row> {
  /** The area of the app, whose texts it has. */
  area: 'heartbeats' | 'servers'
  icon?: IconName
  page: { data: Row[]; meta: Schemas['OffsetMeta'] }
  onPage(page: number): void
  /** After name and status. */
  columns: Column<Row>[]
}

/** What reports itself, a page at a time: jobs and servers. */
export function ReportingList<Row extends Pick<Schemas['Monitor'], 'id' | 'name' | 'status'>>({
  area,
  icon = 'info',
  page,
  onPage,
  columns,
}: ReportingListProps<Row>) {
  const { t } = useTranslation(area)
  const add = (
    <Link className="button primary" to={`/app/${area}/new`}>
      {t('list.add')}
    </Link>
  )
  const isEmpty = page.meta.total === 0
  return (
    <div className="page">
      <PageHead title={t('list.title')} actions={!isEmpty && add} />
      {isEmpty ? (
        <EmptyState title={t('list.empty')} icon={icon} action={add}>
          {t('list.emptySays')}
        </EmptyState>
      ) : (
        <Table
          caption={t('list.title')}
          rows={page.data}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'name',
              header: t('field.name'),
              cell: ({ id, name }) => (
                <Link to={`/app/${area}/$monitor`} params={{ monitor: id }}>
                  {name}
                </Link>
              ),
            },
            { id: 'status', header: t('list.status'), cell: ({ status }) => <StatusPill status={status} /> },
            ...columns,
          ]}
        />
      )}
      <Pager meta={page.meta} onPage={onPage} />
    </div>
  )
}
