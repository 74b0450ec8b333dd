import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Pager } from '../../parts/pager.tsx'
import { Pill } from '../../parts/status-pill.tsx'
import { Table } from '../../parts/table.tsx'
import { Moment } from '../../parts/time.tsx'
import { undeliveredQuery } from '../queries.ts'

/** Failures of a mail server. Other reasons are shown as the API names them. */
const failures: readonly string[] = [
  ...['blocked', 'dns', 'connect', 'timeout', 'tls', 'auth'],
  ...['sender', 'recipient', 'refused', 'protocol'],
]

/** Mails to people of managed teams that no server has taken, nor the webhook that gets them instead. */
export function Undelivered() {
  const { t } = useTranslation('console')
  const wordOf = (reason: string, via: 'mail' | 'webhook') => {
    if (via === 'webhook') return t('undelivered.reason.webhook', { reason })
    if (reason === 'unreadable') return t('undelivered.reason.unreadable')
    return failures.includes(reason) ? t(`failure.${reason}`, { ns: 'smtp' }) : reason
  }
  const [page, setPage] = useState(1)
  const { data } = useQuery({ ...undeliveredQuery(page), placeholderData: keepPreviousData })
  return (
    <section className="card">
      <h2>{t('undelivered')}</h2>
      <p className="soft">{t('undelivered.says')}</p>
      {data?.meta.total === 0 ? (
        <p>{t('undelivered.none')}</p>
      ) : (
        <Table
          caption={t('undelivered')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            { id: 'kind', header: t('mails.kind'), cell: ({ type }) => <code>{type}</code> },
            {
              id: 'team',
              header: t('undelivered.team'),
              cell: ({ managed_team_id: team, team_name: name }) => (
                <Link to="/console/teams/$team" params={{ team }}>
                  {name}
                </Link>
              ),
            },
            {
              id: 'state',
              header: t('undelivered.state'),
              cell: ({ state }) => (
                <Pill tone={state === 'given_up' ? 'down' : 'pending'}>{t(`undelivered.state.${state}`)}</Pill>
              ),
            },
            {
              id: 'reason',
              header: t('undelivered.reason'),
              cell: ({ reason, via, attempts }) => (
                <>
                  {wordOf(reason, via)}
                  <small>{t('undelivered.attempts', { count: attempts })}</small>
                </>
              ),
            },
            { id: 'created', header: t('undelivered.created'), cell: ({ created_at: at }) => <Moment at={at} /> },
          ]}
        />
      )}
      {data && <Pager meta={data.meta} onPage={setPage} />}
    </section>
  )
}
