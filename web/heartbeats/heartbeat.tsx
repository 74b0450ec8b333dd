import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { moment } from '../../contract/figures.ts'
import { api, bodyOf, type Schemas } from '../api.ts'
import { CloneButton } from '../monitors/clone-button.tsx'
import { Button } from '../parts/button.tsx'
import { LineChart } from '../parts/chart.tsx'
import { CopyText } from '../parts/copy-button.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { Form, FormActions, SubmitButton, useFields } from '../parts/form.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { StatusPill } from '../parts/status-pill.tsx'
import { Ago, Moment, useTimes } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { ScheduleText } from './list.tsx'
import { type Heartbeat, heartbeatQuery, pingsQuery, readAgain } from './queries.ts'
import { bodyOfFields, type Fields, ScheduleFields } from './schedule.tsx'
import { Snippets } from './snippets.tsx'
import './heartbeats.css'

const minuteMs = 60_000

/** One job: its pings, what is expected next, how to send them, and its settings. */
export function HeartbeatPage() {
  const { t } = useTranslation('heartbeats')
  const { monitor: id } = useParams({ from: '/app/app/heartbeats/$monitor' })
  const { data: heartbeat } = useSuspenseQuery(heartbeatQuery(id))
  const { data: pings = [] } = useQuery(pingsQuery(id))
  const { is_enabled, name, status } = heartbeat
  const turn = useMutation({
    mutationFn: () => {
      const params = { params: { path: { monitor: id } } }
      return bodyOf<unknown>(
        is_enabled
          ? api.POST('/api/v1/monitors/{monitor}/disable', params)
          : api.POST('/api/v1/monitors/{monitor}/enable', params),
      )
    },
    onSuccess: readAgain,
    onError: toast.failure,
  })
  return (
    <div className="page">
      <PageHead
        title={name}
        status={<StatusPill status={status} />}
        subtitle={<ScheduleText of={heartbeat} />}
        actions={
          <>
            <Button icon={is_enabled ? 'pause' : 'play'} onPress={() => turn.mutate()} isPending={turn.isPending}>
              {t(is_enabled ? 'pause' : 'resume')}
            </Button>
            <CloneButton id={id} name={name} to="/app/heartbeats/$monitor" />
          </>
        }
      />
      {heartbeat.status_reason !== null && <p>{heartbeat.status_reason}</p>}
      <Expected heartbeat={heartbeat} />
      <Address heartbeat={heartbeat} />
      <RunTimes pings={pings} maxMinutes={heartbeat.max_run_minutes} />
      <Pings pings={pings} />
      <Settings heartbeat={heartbeat} />
      <Deletion heartbeat={heartbeat} />
    </div>
  )
}

/** The next pings in the zone of the job, and until when each may be late. */
function Expected({ heartbeat }: { heartbeat: Heartbeat }) {
  const { t, i18n } = useTranslation('heartbeats')
  const { grace_minutes, last_ping_at, next_expected, timezone: zone } = heartbeat
  const write = (at: number) => moment(at, { language: i18n.language, zone })
  return (
    <section className="card">
      <h2>{t('expected.title')}</h2>
      <p>
        {last_ping_at ? (
          <>
            {t('expected.last')} <Ago at={last_ping_at} />
          </>
        ) : (
          t('expected.none')
        )}
      </p>
      {next_expected.length > 0 && (
        <ol className="expected">
          {next_expected.map(at => (
            <li key={at}>
              <time dateTime={at}>{write(Date.parse(at))}</time>
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect x="0" width="4" height="8" className="due" />
                <rect x="4" width="96" height="8" className="grace" />
              </svg>
              <span className="soft">
                {t('expected.until', { time: write(Date.parse(at) + grace_minutes * minuteMs) })}
              </span>
            </li>
          ))}
        </ol>
      )}
      <p className="soft">{t('expected.zone', { zone })}</p>
    </section>
  )
}

const providerNames = { healthchecks: 'Healthchecks', 'uptime-kuma': 'Uptime Kuma', 'better-stack': 'Better Stack' }

function Address({ heartbeat }: { heartbeat: Heartbeat }) {
  const { id, ping_url, former_ping_urls, imported_ping_addresses: imported } = heartbeat
  const { t } = useTranslation('heartbeats')
  const rotate = async () => {
    const path = { cron_monitor: id }
    await bodyOf(api.POST('/api/v1/cron-monitors/{cron_monitor}/rotate-url', { params: { path }, body: {} }))
    await readAgain()
    toast.success(t('url.rotated'))
  }
  return (
    <section className="card">
      <h2>{t('url.title')}</h2>
      <p>{t('url.says')}</p>
      <CopyText text={ping_url} label={t('url.title')} />
      {former_ping_urls.map(({ ping_url: former, ends_at }) => (
        <p key={former} className="soft">
          {t('url.former')} <Moment at={ends_at} />
        </p>
      ))}
      {imported.map(({ provider, path }) => (
        <p key={path} className="soft">
          {t('url.imported', { provider: providerNames[provider], path })}
        </p>
      ))}
      <Snippets id={id} url={ping_url} />
      <ConfirmDialog
        trigger={<Button icon="refresh">{t('url.rotate')}</Button>}
        title={t('url.rotateTitle')}
        action={t('url.rotate')}
        onConfirm={rotate}
      >
        {t('url.rotateSays')}
      </ConfirmDialog>
    </section>
  )
}

type Ping = Schemas['ReceivedPing']

/** How long the runs took that began with a `start`. */
function RunTimes({ pings, maxMinutes }: { pings: readonly Ping[]; maxMinutes: number | null }) {
  const { t } = useTranslation('heartbeats')
  const times = useTimes()
  const runs = pings
    .flatMap(({ at, duration_ms }) => (duration_ms === null ? [] : [{ at: Date.parse(at), value: duration_ms }]))
    .toReversed()
  if (runs.length === 0) return null
  const longest = Math.max(...runs.map(({ value }) => value))
  const most = runs.map(({ at }) => ({ at, value: (maxMinutes ?? 0) * minuteMs }))
  return (
    <section className="card">
      <h2>{t('runs.title')}</h2>
      <LineChart
        title={t('runs.title')}
        description={t('runs.says', { count: runs.length, longest: times.duration(longest) })}
        series={[
          { name: t('runs.took'), points: runs },
          ...(maxMinutes === null ? [] : [{ name: t('field.maxRun'), points: most }]),
        ]}
        formatValue={times.duration}
      />
    </section>
  )
}

const classOfState = { ok: 'up', complete: 'up', fail: 'down', start: 'soft', log: 'soft' } as Record<string, string>

function Pings({ pings }: { pings: readonly Ping[] }) {
  const { t } = useTranslation('heartbeats')
  const times = useTimes()
  return (
    <section className="card">
      <h2>{t('pings.title')}</h2>
      {pings.length === 0 && <p className="soft">{t('pings.none')}</p>}
      <ol className="pings" reversed>
        {pings.map(({ number, at, state, exit_code, duration_ms, output, ip }) => (
          <li key={number}>
            <div className="row">
              <Moment at={at} style="long" />
              <strong className={classOfState[state]}>{t(`state.${state}`)}</strong>
              {duration_ms !== null && <span>{times.duration(duration_ms)}</span>}
              {exit_code !== null && <span>{t('pings.exitCode', { code: exit_code })}</span>}
              {ip !== null && <span className="soft">{ip}</span>}
            </div>
            {output !== null && output !== '' && (
              <details>
                <summary>{t('pings.output')}</summary>
                <pre>{output}</pre>
              </details>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

const fieldsOf = (of: Heartbeat): Fields => ({
  name: of.name,
  schedule_kind: of.schedule_kind,
  schedule: of.schedule ?? '',
  timezone: of.timezone,
  period_minutes: of.period_minutes ?? 60,
  grace_minutes: of.grace_minutes,
  max_run_minutes: of.max_run_minutes ?? Number.NaN,
})

function Settings({ heartbeat }: { heartbeat: Heartbeat }) {
  const { t } = useTranslation('heartbeats')
  const [fields, put] = useFields(() => fieldsOf(heartbeat))
  const save = useMutation({
    mutationFn: (body: Schemas['CronMonitorChanges']) => {
      const path = { cron_monitor: heartbeat.id }
      return bodyOf(api.PATCH('/api/v1/cron-monitors/{cron_monitor}', { params: { path }, body }))
    },
    onSuccess: async ({ data }) => {
      put(fieldsOf(data))
      await readAgain()
      toast.success(t('saved'))
    },
  })
  return (
    <section className="card">
      <h2>{t('settings.title')}</h2>
      <Form mutation={save} body={() => bodyOfFields(fields)}>
        <ScheduleFields value={fields} onChange={put} />
        <FormActions>
          <SubmitButton>{t('save')}</SubmitButton>
        </FormActions>
      </Form>
    </section>
  )
}

function Deletion({ heartbeat: { id, name } }: { heartbeat: Heartbeat }) {
  const { t } = useTranslation('heartbeats')
  const navigate = useNavigate()
  const remove = async () => {
    const path = { cron_monitor: id }
    await bodyOf(api.DELETE('/api/v1/cron-monitors/{cron_monitor}', { params: { path } }))
    toast.success(t('deleted', { name }))
    await navigate({ to: '/app/heartbeats' })
    await readAgain()
  }
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
        onConfirm={remove}
      >
        {t('deleteSays')}
      </ConfirmDialog>
    </section>
  )
}
