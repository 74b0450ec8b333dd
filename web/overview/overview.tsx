import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { milliseconds, number, percent } from '../../contract/figures.ts'
import { GapNotice } from '../alerts/gap-notice.tsx'
import type { Schemas } from '../api.ts'
import { namesQuery } from '../incidents/queries.ts'
import { IncidentStatus } from '../incidents/status.tsx'
import { regionsQuery } from '../monitors/queries.ts'
import { ButtonLink } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { HistoryNote } from '../parts/history-note.tsx'
import { Icon } from '../parts/icons.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Table } from '../parts/table.tsx'
import { Ago, Lasted, Moment, useNow } from '../parts/time.tsx'
import { changesOf } from './changes.ts'
import { changedQuery, dayMs, onCallQuery, openQuery, shownOpen, statsQuery, worstQuery } from './queries.ts'
import { countedStatuses, sentenceOf, sentencePartsOf } from './sentence.ts'
import './overview.css'

/** How the team's monitors are at this moment, and what needs a person. */
export function Overview() {
  const { t } = useTranslation('overview')
  const { data: stats } = useSuspenseQuery(statsQuery)
  if (stats.monitors.total === 0)
    return (
      <div className="page">
        <PageHead title={t('empty.title')} />
        <EmptyState
          title={t('empty.head')}
          icon="monitor"
          action={
            <ButtonLink to="/app/welcome" variant="primary">
              {t('empty.begin')}
            </ButtonLink>
          }
        >
          <p>{t('empty.says')}</p>
          <ol className="first-steps">
            {(['watch', 'tell', 'done'] as const).map(step => (
              <li key={step}>{t(`empty.${step}`)}</li>
            ))}
          </ol>
        </EmptyState>
      </div>
    )
  return (
    <div className="page overview">
      <PageHead
        title={sentenceOf(stats.monitors, t)}
        heading={<Sentence counts={stats.monitors} />}
        subtitle={
          <>
            <Counts counts={stats.monitors} />
            {stats.open_incidents.total > 0 && (
              <Link to="/app/incidents" search={{ status: 'open' }}>
                {t('unacknowledged', { count: stats.unacknowledged_incidents, open: stats.open_incidents.total })}
              </Link>
            )}
          </>
        }
        actions={<ButtonLink to="/app/monitors">{t('monitors')}</ButtonLink>}
      />
      <GapNotice />
      <Coverage />
      <History />
      <OpenIncidents total={stats.open_incidents.total} counts={stats.monitors} />
      <Uptime />
      <div className="cards">
        <Changes />
        <OnCall />
      </div>
      <Worst />
      <p>
        <Link to="/app/wall">{t('wall')}</Link>
      </p>
    </div>
  )
}

type Counts = Schemas['DashboardStats']['monitors']

/** The sentence on top; each figure leads to the monitors it counts. */
function Sentence({ counts }: { counts: Counts }) {
  const { t } = useTranslation('overview')
  return sentencePartsOf(counts, t).map(({ text, status }, index) => (
    <Fragment key={text}>
      {index > 0 && ', '}
      {status === undefined ? text : <StatusLink status={status}>{text}</StatusLink>}
    </Fragment>
  ))
}

/** All monitors, status by status: the figures add up. */
function Counts({ counts }: { counts: Counts }) {
  const { t, i18n } = useTranslation('overview')
  return (
    <ul className="counts bare-list" aria-label={t('counts')}>
      {countedStatuses.map(
        status =>
          counts[status] > 0 && (
            <li key={status}>
              <StatusLink status={status}>
                {t(`counts.${status}`, { number: number(counts[status], i18n.language) })}
              </StatusLink>
            </li>
          ),
      )}
    </ul>
  )
}

const StatusLink = ({ status, children }: { status: (typeof countedStatuses)[number]; children: ReactNode }) => (
  <Link to="/app/monitors" search={{ status }}>
    {children}
  </Link>
)

/** Regions that send no results: what they would have seen is missing. */
function Coverage() {
  const { t } = useTranslation('overview')
  const { data: regions } = useQuery({ ...regionsQuery, refetchInterval: 60_000 })
  const silent = regions?.filter(({ is_reporting }) => !is_reporting) ?? []
  if (!regions || silent.length === 0) return null
  return (
    <section className="card coverage" aria-label={t('coverage')}>
      <Icon name="alert" />
      <p>
        {t('coverage.silent', { count: silent.length, names: silent.map(({ name }) => name).join(', ') })}{' '}
        {silent.length === regions.length ? t('coverage.all') : t('coverage.some')}
      </p>
    </section>
  )
}

/** Results that are missing from charts and figures. */
function History() {
  const { t } = useTranslation('overview')
  const { data: stats } = useSuspenseQuery(statsQuery)
  const isUnreadable = stats.checks_24h === null
  if (stats.history_waits_since === null && !isUnreadable) return null
  return (
    <section className="card coverage" aria-label={t('history')}>
      <Icon name="alert" />
      <HistoryNote since={stats.history_waits_since} isUnreadable={isUnreadable} />
    </section>
  )
}

function OpenIncidents({ total, counts }: { total: number; counts: Counts }) {
  const { t } = useTranslation('overview')
  const { data: open } = useSuspenseQuery(openQuery)
  // who took what, where a person took any of them
  const { data: names } = useQuery({ ...namesQuery, enabled: open.some(each => each.acknowledged_by !== null) })
  const unwell = counts.down + counts.warning
  if (open.length === 0)
    return (
      <section className="card">
        <h2>{t('open')}</h2>
        {unwell === 0 && counts.up > 0 ? (
          <p className="well">
            <Icon name="up" /> {t('open.well')}
          </p>
        ) : (
          <p>
            {t('open.none')} {unwell > 0 && t('open.without', { count: unwell })}
          </p>
        )}
      </section>
    )
  return (
    <section className="overview-open">
      <Table
        caption={t('open')}
        isCaptionShown
        rows={open}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'status',
            header: t('column.status'),
            isPlain: true,
            cell: incident => <IncidentStatus incident={incident} />,
          },
          {
            id: 'incident',
            header: t('column.incident'),
            isRowHeader: true,
            cell: ({ id, title, monitor_name, cause }) => (
              <>
                <Link to="/app/incidents/$incident" params={{ incident: id }}>
                  {title}
                </Link>
                <small>
                  {monitor_name}
                  {cause !== null && ` · ${cause}`}
                </small>
              </>
            ),
          },
          { id: 'age', header: t('column.age'), cell: ({ started_at }) => <Lasted from={started_at} /> },
          {
            id: 'holder',
            header: t('column.holder'),
            cell: ({ acknowledged_at, acknowledged_by }) =>
              acknowledged_at === null ? (
                <strong className="down">{t('holder.none')}</strong>
              ) : acknowledged_by === null ? (
                t('holder.unnamed')
              ) : (
                (names?.get(acknowledged_by) ?? t('holder.some'))
              ),
          },
        ]}
      />
      {total > shownOpen && (
        <p>
          <Link to="/app/incidents" search={{ status: 'open' }}>
            {t('open.all', { count: total })}
          </Link>
        </p>
      )}
    </section>
  )
}

function Uptime() {
  const { t, i18n } = useTranslation('overview')
  const { data: stats } = useSuspenseQuery(statsQuery)
  return (
    <section className="card">
      <dl className="figures">
        {(['uptime_24h', 'uptime_7d', 'uptime_30d'] as const).map(name => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{percent(stats[name], i18n.language)}</dd>
          </div>
        ))}
        <div>
          <dt>{t('response')}</dt>
          <dd>{milliseconds(stats.avg_response_ms, i18n.language)}</dd>
        </div>
        <div>
          <dt>{t('runs')}</dt>
          <dd>{stats.checks_24h === null ? '–' : number(stats.checks_24h, i18n.language)}</dd>
        </div>
      </dl>
    </section>
  )
}

/** What began and ended in the last day. */
function Changes() {
  const { t } = useTranslation('overview')
  const now = useNow()
  const { data: incidents = [] } = useQuery(changedQuery)
  const changes = changesOf(incidents, now - dayMs)
  return (
    <section className="card">
      <h2>{t('changes')}</h2>
      {changes.length === 0 && <p className="soft">{t('changes.none')}</p>}
      <ul className="bare-list changes">
        {changes.map(({ key, at, word, incident }) => (
          <li key={key}>
            <span className="soft">
              <Ago at={at} />
            </span>{' '}
            {t(`changed.${word}`)}{' '}
            <Link to="/app/incidents/$incident" params={{ incident: incident.id }}>
              {incident.title}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function OnCall() {
  const { t } = useTranslation('overview')
  const { data: schedules, isError } = useQuery(onCallQuery)
  return (
    <section className="card">
      <h2>{t('onCall')}</h2>
      {isError && <p className="soft">{t('onCall.unknown')}</p>}
      {schedules?.length === 0 && <p className="soft">{t('onCall.none')}</p>}
      <ul className="bare-list changes">
        {schedules?.map(({ id, name, user, until, next_user, unreachable }) => (
          <li key={id}>
            <span className="soft">{name}</span>{' '}
            {user ? <strong>{user.name}</strong> : <strong className="down">{t('onCall.gap')}</strong>}
            {until !== null && (
              <span>
                {' '}
                {t('onCall.until')} <Moment at={until} />
                {next_user && `, ${t('onCall.next', { name: next_user.name })}`}
              </span>
            )}
            {user && unreachable.some(({ user_id }) => user_id === user.user_id) && (
              <p className="down">{t('onCall.unreachable')}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Worst() {
  const { t, i18n } = useTranslation('overview')
  const { data } = useQuery(worstQuery)
  if (!data || data.length === 0) return null
  return (
    <section>
      <Table
        caption={t('worst')}
        isCaptionShown
        rows={data}
        keyOf={({ monitor_id }) => monitor_id}
        columns={[
          {
            id: 'monitor',
            header: t('column.monitor'),
            cell: ({ monitor_id, name }) => (
              <Link to="/app/monitors/$monitor" params={{ monitor: monitor_id }}>
                {name}
              </Link>
            ),
          },
          {
            id: 'uptime',
            header: t('uptime_30d'),
            isNumeric: true,
            cell: ({ uptime_30d }) => percent(uptime_30d, i18n.language),
          },
          {
            id: 'response',
            header: t('response'),
            isNumeric: true,
            cell: ({ avg_response_ms }) => milliseconds(avg_response_ms, i18n.language),
          },
        ]}
      />
    </section>
  )
}
