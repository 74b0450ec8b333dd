import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReportingList } from '../parts/reporting-list.tsx'
import { Ago, Moment } from '../parts/time.tsx'
import { type Heartbeat, listQuery } from './queries.ts'

/** Jobs that report that they ran. */
export function HeartbeatList() {
  const { t } = useTranslation('heartbeats')
  const [page, setPage] = useState(1)
  const { data } = useSuspenseQuery(listQuery(page))
  return (
    <ReportingList
      area="heartbeats"
      icon="pending"
      page={data}
      onPage={setPage}
      columns={[
        { id: 'schedule', header: t('list.schedule'), cell: heartbeat => <ScheduleText of={heartbeat} /> },
        { id: 'last', header: t('list.last'), cell: ({ last_ping_at: at }) => (at ? <Ago at={at} /> : t('never')) },
        { id: 'next', header: t('list.next'), cell: ({ next_expected: [at] }) => (at ? <Moment at={at} /> : '–') },
      ]}
    />
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
