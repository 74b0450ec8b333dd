import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../parts/button.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { usePerson } from '../shell/session.ts'
import { windowsQuery } from './queries.ts'

/** Maintenance that the page announces, and the way to a new one. */
export function PageMaintenance({ page }: { page: string }) {
  const { t } = useTranslation('status-pages')
  const mayWrite = usePerson().role !== 'viewer'
  const { data: windows } = useQuery(windowsQuery)
  const announced = windows?.filter(({ status_page_ids: pages }) => pages.includes(page))
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('maintenance')}</h2>
        {mayWrite && (
          <ButtonLink icon="add" to="/app/maintenance/new" search={{ page }}>
            {t('maintenance.new')}
          </ButtonLink>
        )}
      </div>
      {announced?.length === 0 && <p className="soft">{t('maintenance.none')}</p>}
      {announced !== undefined && announced.length > 0 && (
        <Table
          caption={t('maintenance')}
          rows={announced}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'title',
              header: t('post.title'),
              cell: ({ id, title }) => (
                <Link to="/app/maintenance/$window" params={{ window: id }}>
                  {title}
                </Link>
              ),
            },
            {
              id: 'from',
              header: t('maintenance.from'),
              cell: ({ next_starts_at: at }) => (at === null ? '–' : <Moment at={at} />),
            },
            {
              id: 'to',
              header: t('maintenance.to'),
              cell: ({ next_ends_at: at }) => (at === null ? '–' : <Moment at={at} />),
            },
          ]}
        />
      )}
    </section>
  )
}
