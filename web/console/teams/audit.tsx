import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AuditEntries } from '../../access/audit-entries.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Pager } from '../../parts/pager.tsx'
import { teamAuditQuery } from '../queries.ts'

export function TeamAudit({ id }: { id: string }) {
  const { t } = useTranslation('console')
  const [page, setPage] = useState(1)
  const { data } = useQuery({ ...teamAuditQuery(id, page), placeholderData: keepPreviousData })
  return (
    <section className="card">
      {data?.meta.total === 0 ? (
        <EmptyState title={t('audit.empty')}>{t('audit.empty.says')}</EmptyState>
      ) : (
        <AuditEntries entries={data?.data} />
      )}
      {data && <Pager meta={data.meta} onPage={setPage} />}
    </section>
  )
}
