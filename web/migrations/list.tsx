import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../parts/empty-state.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { listQuery } from './queries.ts'
import { StatePill } from './state-pill.tsx'
import './migrations.css'

/** Migrations from other providers, newest first. */
export function MigrationList() {
  const { t } = useTranslation('migrations')
  const [page, setPage] = useState(1)
  const { data } = useSuspenseQuery(listQuery(page))
  const start = (
    <Link className="button primary" to="/app/settings/import/new">
      {t('start')}
    </Link>
  )
  if (data.meta.total === 0)
    return (
      <EmptyState title={t('empty')} icon="download" action={start}>
        <p>{t('empty.says')}</p>
        <ol className="steps-of-words">
          {(['preview', 'import', 'shadow', 'cutover'] as const).map(step => (
            <li key={step}>
              <strong>{t(`step.${step}`)}.</strong> {t(`step.${step}.says`)}
            </li>
          ))}
        </ol>
      </EmptyState>
    )
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('title')}</h2>
        {start}
      </div>
      <p className="soft">{t('says')}</p>
      <Table
        caption={t('title')}
        rows={data.data}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'name',
            header: t('field.name'),
            cell: ({ id, name }) => (
              <Link to="/app/settings/import/$migration" params={{ migration: id }}>
                {name}
              </Link>
            ),
          },
          { id: 'source', header: t('field.provider'), cell: ({ provider }) => t(`source.${provider}`) },
          { id: 'state', header: t('field.state'), cell: ({ state }) => <StatePill state={state} /> },
          {
            id: 'imported',
            header: t('field.imported'),
            isNumeric: true,
            cell: ({ counts }) => counts.created + counts.updated,
          },
          { id: 'created', header: t('field.started'), cell: ({ created_at: at }) => <Moment at={at} /> },
        ]}
      />
      <Pager meta={data.meta} onPage={setPage} />
    </section>
  )
}
