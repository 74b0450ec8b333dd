import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { milliseconds } from '../../contract/figures.ts'
import { StatusPill } from '../parts/status-pill.tsx'
import { Table } from '../parts/table.tsx'
import { Ago, IncidentDuration, Moment } from '../parts/time.tsx'
import { usePerson } from '../shell/session.ts'
import { mainCheck } from './kinds.ts'
import { MonitorDays } from './monitor-days.tsx'
import {
  checksQuery,
  daysQuery,
  incidentsQuery,
  type Monitor,
  monitorQuery,
  performanceQuery,
  type Span,
} from './queries.ts'
import { ResponseChart } from './response-chart.tsx'
import { SpanChoice } from './span-choice.tsx'

const from = '/app/app/monitors/$monitor/'

/** Response times, days, checks and incidents of a monitor. */
export function MonitorOverview() {
  const { t } = useTranslation('monitors')
  const { monitor: id } = useParams({ from })
  const { data: monitor } = useSuspenseQuery(monitorQuery(id))
  const check = mainCheck(monitor.checks)
  return (
    <>
      {check && <Response monitor={monitor} check={check.id} />}
      <section className="card">
        <h2>{t('overview.days')}</h2>
        <Days id={id} name={monitor.name} />
      </section>
      <CheckCards monitor={id} />
      <Incidents monitor={id} />
    </>
  )
}

function Days({ id, name }: { id: string; name: string }) {
  const { timezone } = usePerson()
  const { data } = useQuery(daysQuery([id], timezone))
  return <MonitorDays name={name} dates={data?.dates ?? []} days={data?.byMonitor.get(id)} />
}

const hourMs = 3_600_000

function Response({
  monitor: { id: monitor, effective_interval, created_at },
  check,
}: {
  monitor: Monitor
  check: string
}) {
  const { t } = useTranslation('monitors')
  const since = Date.parse(created_at)
  const { span = Date.now() - since < 2 * hourMs ? '1h' : '24h' } = useSearch({ from })
  const navigate = useNavigate({ from: '/app/monitors/$monitor/' })
  const { data: checks } = useSuspenseQuery(checksQuery(monitor))
  const shown = checks.find(({ id }) => id === check)
  const results = shown?.region_results ?? []
  const regions = results.map(({ region }) => region).sort()
  return (
    <section className="card">
      <h2>{t('overview.response')}</h2>
      <SpanChoice span={span} onChange={next => navigate({ to: '.', search: { span: next }, replace: true })} />
      <ResponseChart
        monitor={monitor}
        check={check}
        regions={regions}
        span={span}
        intervalS={shown?.effective_interval ?? effective_interval}
        since={since}
      />
      <ByRegion monitor={monitor} span={span} />
    </section>
  )
}

/** Percentiles and phases, in all and of each region. */
function ByRegion({ monitor, span }: { monitor: string; span: Span }) {
  const { t, i18n } = useTranslation('monitors')
  const { data } = useQuery(performanceQuery(monitor, span))
  if (!data || data.total_checks === 0) return null
  const rows = [...data.regions.map(row => ({ ...row, name: row.region })), { ...data, name: t('overview.allRegions') }]
  const ms = (value: number | null) => milliseconds(value, i18n.language)
  return (
    <Table
      caption={t('overview.byRegion')}
      isCaptionShown
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { id: 'region', header: t('overview.region'), cell: ({ name }) => name },
        { id: 'p50', header: t('overview.p50'), isNumeric: true, cell: row => ms(row.p50_ms) },
        { id: 'p95', header: t('overview.p95'), isNumeric: true, cell: row => ms(row.p95_ms) },
        { id: 'dns', header: t('overview.dns'), isNumeric: true, cell: ({ phases }) => ms(phases.dns_ms) },
        { id: 'connect', header: t('overview.connect'), isNumeric: true, cell: ({ phases }) => ms(phases.connect_ms) },
        { id: 'tls', header: t('overview.tls'), isNumeric: true, cell: ({ phases }) => ms(phases.tls_ms) },
        {
          id: 'first-byte',
          header: t('overview.firstByte'),
          isNumeric: true,
          cell: ({ phases }) => ms(phases.first_byte_ms),
        },
      ]}
    />
  )
}

/** One card for each check: how it is, and what its newest run says. */
function CheckCards({ monitor }: { monitor: string }) {
  const { t } = useTranslation('monitors')
  const { data: checks } = useSuspenseQuery(checksQuery(monitor))
  return (
    <section className="card">
      <h2>{t('overview.checks')}</h2>
      <ul className="cards">
        {checks.map(({ id, type, is_enabled, status, latest_summary, latest_run_at }) => (
          <li key={id} className="card">
            <h3>{t(`kind.${type}`)}</h3>
            <StatusPill status={is_enabled ? status : 'paused'} />
            <p>{latest_summary ?? t(`why.${type}`)}</p>
            {latest_run_at !== null && (
              <p className="soft">
                {t('column.lastRun')} <Ago at={latest_run_at} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const shownIncidents = 10

function Incidents({ monitor }: { monitor: string }) {
  const { t } = useTranslation('monitors')
  const { data: incidents } = useSuspenseQuery(incidentsQuery(monitor))
  return (
    <section className="card">
      <h2>{t('overview.incidents')}</h2>
      {incidents.length === 0 && <p>{t('overview.noIncidents')}</p>}
      <ul className="bare-list">
        {incidents.slice(0, shownIncidents).map(incident => (
          <li key={incident.id}>
            <Link to="/app/incidents/$incident" params={{ incident: incident.id }}>
              #{incident.number} {incident.title}
            </Link>{' '}
            <span className="soft">
              <Moment at={incident.started_at} />
              {', '}
              {incident.resolved_at === null ? t('overview.openNow') : <IncidentDuration incident={incident} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
