import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { Pager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { refresh } from '../queries.ts'
import { deadEventsQuery, quarantineQuery } from './queries.ts'

/** Work that did not get through, and the way to try it again. */
export function Jobs() {
  return (
    <>
      <Quarantine />
      <DeadEvents />
    </>
  )
}

function Quarantine() {
  const { t } = useTranslation('ops')
  const [page, setPage] = useState(1)
  const { data } = useQuery(quarantineQuery(page))
  const retry = async (id: string) => {
    const params = { path: { quarantined_row: id } }
    await bodyOf(api.POST('/api/v1/platform/quarantine/{quarantined_row}/retry', { params }))
    await refresh(['platform', 'quarantine'])
    toast.success(t('jobs.retried'))
  }
  return (
    <section className="card">
      <h2>{t('jobs.quarantine')}</h2>
      <p className="soft">{t('jobs.quarantine.says')}</p>
      {data?.meta.total === 0 ? (
        <EmptyState title={t('jobs.quarantine.empty')}>{t('jobs.quarantine.empty.says')}</EmptyState>
      ) : (
        <Table
          caption={t('jobs.quarantine')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'kind',
              header: t('jobs.kind'),
              cell: row => (
                <>
                  <code>{row.kind}</code>
                  <small className="soft">{row.key}</small>
                </>
              ),
            },
            { id: 'reason', header: t('jobs.reason'), cell: ({ reason }) => reason },
            { id: 'effect', header: t('jobs.effect'), cell: ({ effect }) => effect },
            { id: 'attempts', header: t('jobs.attempts'), cell: ({ attempts }) => attempts },
            { id: 'since', header: t('jobs.since'), cell: ({ since: at }) => <Moment at={at} /> },
            { id: 'next', header: t('jobs.next'), cell: ({ next_try_at: at }) => <Moment at={at} /> },
            {
              id: 'actions',
              header: '',
              cell: row => (
                <Button aria-label={t('jobs.retry.label', { name: row.key })} onPress={() => retry(row.id)}>
                  {t('jobs.retry')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {data && <Pager meta={data.meta} onPage={setPage} />}
    </section>
  )
}

function DeadEvents() {
  const { t } = useTranslation('ops')
  const [page, setPage] = useState(1)
  const { data } = useQuery(deadEventsQuery(page))
  const replay = async (id: string) => {
    const params = { path: { dead_event: id } }
    await bodyOf(api.POST('/api/v1/platform/dead-events/{dead_event}/replay', { params }))
    await refresh(['platform', 'dead-events'])
    toast.success(t('jobs.replayed'))
  }
  return (
    <section className="card">
      <h2>{t('jobs.dead')}</h2>
      <p className="soft">{t('jobs.dead.says')}</p>
      {data?.meta.total === 0 ? (
        <EmptyState title={t('jobs.dead.empty')}>{t('jobs.dead.empty.says')}</EmptyState>
      ) : (
        <Table
          caption={t('jobs.dead')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            { id: 'event', header: t('jobs.event'), cell: ({ name }) => <code>{name}</code> },
            { id: 'reason', header: t('jobs.reason'), cell: ({ reason }) => reason ?? '–' },
            { id: 'attempts', header: t('jobs.attempts'), cell: ({ attempts }) => attempts },
            { id: 'died', header: t('jobs.died'), cell: ({ died_at: at }) => (at ? <Moment at={at} /> : '–') },
            {
              id: 'actions',
              header: '',
              cell: event =>
                event.is_replayable && (
                  <Button aria-label={t('jobs.replay.label', { name: event.name })} onPress={() => replay(event.id)}>
                    {t('jobs.replay')}
                  </Button>
                ),
            },
          ]}
        />
      )}
      {data && <Pager meta={data.meta} onPage={setPage} />}
    </section>
  )
}
