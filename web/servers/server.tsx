import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { OwnSession } from '../access/own-session.tsx'
import { api, bodyOf, type Schemas } from '../api.ts'
import { useDelete, useSwitch } from '../monitors/actions.ts'
import { CloneButton } from '../monitors/clone-button.tsx'
import type { Span } from '../monitors/queries.ts'
import { SpanChoice } from '../monitors/span-choice.tsx'
import { Button } from '../parts/button.tsx'
import { LineChart } from '../parts/chart.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { StatusPill } from '../parts/status-pill.tsx'
import { Ago } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { formatOf } from './format.ts'
import { Install } from './install.tsx'
import { charts, metricsQuery, type Server, serverQuery } from './queries.ts'
import { ServerSettings } from './settings.tsx'
import '../monitors/monitors.css'
import './servers.css'

/** One server: its metrics with their thresholds, its token, and its settings. */
export function ServerPage() {
  const { t } = useTranslation('servers')
  const { monitor: id } = useParams({ from: '/app/app/servers/$monitor' })
  const { data: server } = useSuspenseQuery(serverQuery(id))
  const { is_enabled, name, status, host, last_heard_at, status_reason } = server
  const turn = useSwitch({ id })
  return (
    <div className="page">
      <PageHead
        title={name}
        status={<StatusPill status={status} />}
        subtitle={host && `${host.name} · ${host.os} · ${t('cores', { count: host.cores })}`}
        actions={
          <>
            <Button
              icon={is_enabled ? 'pause' : 'play'}
              onPress={() => turn.mutate(!is_enabled, { onError: toast.failure })}
              isPending={turn.isPending}
            >
              {t(is_enabled ? 'pause' : 'resume')}
            </Button>
            <CloneButton id={id} name={name} to="/app/servers/$monitor" />
          </>
        }
      />
      {status_reason !== null && <p>{status_reason}</p>}
      {last_heard_at !== null && (
        <p className="soft">
          {t('lastReport')} <Ago at={last_heard_at} />
        </p>
      )}
      <Charts server={server} />
      <ServerSettings server={server} />
      <Token server={server} />
      <Deletion server={server} />
    </div>
  )
}

function Charts({ server }: { server: Server }) {
  const { t } = useTranslation('servers')
  const { span = '24h' } = useSearch({ from: '/app/app/servers/$monitor' })
  const navigate = useNavigate({ from: '/app/servers/$monitor' })
  const { data } = useQuery(metricsQuery(server.id, span))
  if (server.last_heard_at === null) return <EmptyState title={t('charts.none')}>{t('charts.noneSays')}</EmptyState>
  const shown = { from: Date.parse(data?.meta.from ?? ''), to: Date.parse(data?.meta.to ?? '') }
  return (
    <section aria-label={t('charts.label')}>
      <SpanChoice span={span} onChange={(chosen: Span) => void navigate({ search: { span: chosen } })} />
      <div className="server-charts">
        {Object.entries(charts).map(([name, metrics]) => (
          <MetricChart
            key={name}
            name={name}
            series={(data?.data ?? []).filter(({ metric }) => metrics.some(each => each === metric))}
            thresholds={server.thresholds.filter(({ metric }) => metrics.some(each => each === metric))}
            shown={shown}
          />
        ))}
      </div>
    </section>
  )
}

interface MetricChartProps {
  name: string
  series: readonly Schemas['ServerSeries'][]
  thresholds: Server['thresholds']
  shown: { from: number; to: number }
}

/** Metrics of one unit over time; a threshold is a level line. Nothing where the server does not report them. */
function MetricChart({ name, series, thresholds, shown }: MetricChartProps) {
  const { t, i18n } = useTranslation('servers')
  const [first] = series
  if (!first) return null
  const format = formatOf(first.unit, i18n.language)
  const values = series.flatMap(({ points }) => points.map(({ mean }) => mean))
  const lines = series.map(({ metric, label, points }) => ({
    name: label === null ? t(`metric.${metric}`) : `${t(`metric.${metric}`)} ${label}`,
    points: points.map(({ at, mean }) => ({ at: Date.parse(at), value: mean })),
  }))
  const levels = thresholds.map(({ above, label, severity }) => ({
    name: `${t(`severity.${severity}`)}: ${format(above)}${label === null ? '' : ` ${label}`}`,
    points: [shown.from, shown.to].map(at => ({ at, value: above })),
  }))
  return (
    <section className="card">
      <h2>{t(`chart.${name}`)}</h2>
      <LineChart
        title={t(`chart.${name}`)}
        description={t('charts.says', { low: format(Math.min(...values)), high: format(Math.max(...values)) })}
        series={[...lines, ...levels]}
        formatValue={format}
        {...shown}
      />
    </section>
  )
}

function Token({ server: { id, token } }: { server: Server }) {
  const { t } = useTranslation('servers')
  const rotate = useMutation({
    mutationFn: () => {
      const path = { agent_monitor: id }
      return bodyOf(api.POST('/api/v1/agent-monitors/{agent_monitor}/rotate-token', { params: { path }, body: {} }))
    },
  })
  return (
    <section className="card">
      <h2>{t('token.title')}</h2>
      {token && (
        <p>
          <code>{token.masked}</code>
        </p>
      )}
      {rotate.data && <Install install={rotate.data.install} />}
      <OwnSession>
        <ConfirmDialog
          trigger={<Button icon="refresh">{t('token.rotate')}</Button>}
          title={t('token.rotateTitle')}
          action={t('token.rotate')}
          onConfirm={() => rotate.mutateAsync()}
        >
          {t('token.rotateSays')}
        </ConfirmDialog>
      </OwnSession>
    </section>
  )
}

function Deletion({ server: { id, name } }: { server: Server }) {
  const { t } = useTranslation('servers')
  const navigate = useNavigate()
  const remove = useDelete()
  return (
    <section className="card">
      <h2>{t('delete')}</h2>
      <ConfirmDialog
        trigger={
          <Button variant="danger" icon="delete">
            {t('delete')}
          </Button>
        }
        title={t('deleteTitle', { name })}
        action={t('delete')}
        isDanger
        typed={name}
        onConfirm={async () => {
          await remove.mutateAsync([id])
          toast.success(t('deleted', { name }))
          await navigate({ to: '/app/servers' })
        }}
      >
        {t('deleteSays')}
      </ConfirmDialog>
    </section>
  )
}
