import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { milliseconds } from '../../contract/figures.ts'
import type { Schemas } from '../api.ts'
import { SwitchField } from '../parts/field.tsx'
import { Pager } from '../parts/pager.tsx'
import { StatusPill } from '../parts/status-pill.tsx'
import { Table } from '../parts/table.tsx'
import { Ago, Lasted, Moment } from '../parts/time.tsx'
import { divergencesQuery, type Migration } from './queries.ts'

/** Where the old provider and our checks disagree: what both sides said, and what explains it. */
export function Divergences({ migration }: { migration: Migration }) {
  const { t } = useTranslation('migrations')
  const [isOpen, setOpen] = useState(false)
  const [page, setPage] = useState(1)
  const { data } = useQuery({
    ...divergencesQuery(migration.id, { page, isOpen }),
    placeholderData: keepPreviousData,
  })
  const { is_compared: isCompared, polled_at: polledAt, poll_failure: failure } = migration
  return (
    <section className="card">
      <h2>{t('divergences')}</h2>
      <p className="soft">{t(isCompared ? 'divergences.says' : 'shadow.alone')}</p>
      {polledAt !== null && (
        <p className="soft">
          {t('divergences.polled')} <Ago at={polledAt} />
        </p>
      )}
      {failure !== null && (
        <p className="down" lang="en">
          {failure}
        </p>
      )}
      {isCompared && (
        <>
          <SwitchField
            label={t('divergences.open')}
            isSelected={isOpen}
            onChange={isOn => {
              setOpen(isOn)
              setPage(1)
            }}
          />
          {data?.meta.total === 0 ? (
            <p>{t('divergences.none')}</p>
          ) : (
            <Table
              caption={t('divergences')}
              rows={data?.data}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'monitor',
                  header: t('divergence.monitor'),
                  cell: ({ monitor_id: monitor, monitor_name: name, kind }) => (
                    <>
                      <Link to="/app/monitors/$monitor" params={{ monitor }}>
                        {name}
                      </Link>
                      <small>{t(`kind.${kind}`)}</small>
                    </>
                  ),
                },
                { id: 'theirs', header: t('divergence.theirs'), cell: ({ theirs }) => <Side side={theirs} /> },
                { id: 'ours', header: t('divergence.ours'), cell: ({ ours }) => <Side side={ours} /> },
                {
                  id: 'span',
                  header: t('divergence.span'),
                  cell: ({ from, to }) => (
                    <>
                      <Moment at={from} />
                      <small>
                        <Lasted from={from} to={to} />
                        {to === null && ` ${t('divergence.goesOn')}`}
                      </small>
                    </>
                  ),
                },
                {
                  id: 'verdict',
                  header: t('divergence.verdict'),
                  cell: ({ verdict, explanation }) => (
                    <>
                      {t(`verdict.${verdict}`)}
                      <small lang="en">{explanation}</small>
                    </>
                  ),
                },
              ]}
            />
          )}
          {data && <Pager meta={data.meta} onPage={setPage} />}
        </>
      )}
    </section>
  )
}

/** What one side said. */
function Side({ side: { status, reason, since, response_ms: ms } }: { side: Schemas['MigrationSide'] }) {
  const { t, i18n } = useTranslation('migrations')
  return (
    <>
      <StatusPill status={status} />
      {since !== null && (
        <small>
          {t('divergence.since')} <Moment at={since} />
        </small>
      )}
      {ms !== null && <small>{milliseconds(ms, i18n.language)}</small>}
      {reason !== null && <small lang="en">{reason}</small>}
    </>
  )
}
