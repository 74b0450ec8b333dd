import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReportingList } from '../parts/reporting-list.tsx'
import { Ago } from '../parts/time.tsx'
import { listQuery } from './queries.ts'

/** Servers that report their metrics. */
export function ServerList() {
  const { t } = useTranslation('servers')
  const [page, setPage] = useState(1)
  const { data } = useSuspenseQuery(listQuery(page))
  return (
    <ReportingList
      area="servers"
      page={data}
      onPage={setPage}
      columns={[
        { id: 'host', header: t('list.host'), cell: ({ host }) => (host ? `${host.name}, ${host.os}` : '–') },
        { id: 'last', header: t('list.last'), cell: ({ last_heard_at: at }) => (at ? <Ago at={at} /> : t('never')) },
      ]}
    />
  )
}
