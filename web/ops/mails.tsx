import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../parts/empty-state.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { mailsQuery } from './queries.ts'

/** Mails that no server took, because there is none. */
export function Mails() {
  const { t } = useTranslation('ops')
  const [page, setPage] = useState(1)
  const { data } = useQuery(mailsQuery(page))
  return (
    <section className="card">
      <h2>{t('nav.mails')}</h2>
      <p className="soft">{t('mails.says')}</p>
      {data?.meta.total === 0 ? (
        <EmptyState title={t('mails.empty')}>{t('mails.empty.says')}</EmptyState>
      ) : (
        <Table
          caption={t('nav.mails')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'subject',
              header: t('mails.subject'),
              cell: mail => (
                <Link to="/ops/mails/$mail" params={{ mail: mail.id }}>
                  {mail.subject}
                </Link>
              ),
            },
            { id: 'to', header: t('mails.to'), cell: ({ recipients }) => recipients.join(', ') },
            { id: 'type', header: t('mails.type'), cell: ({ type }) => <code>{type ?? '–'}</code> },
            { id: 'time', header: t('mails.time'), cell: ({ created_at: at }) => <Moment at={at} /> },
          ]}
        />
      )}
      {data && <Pager meta={data.meta} onPage={setPage} />}
    </section>
  )
}
