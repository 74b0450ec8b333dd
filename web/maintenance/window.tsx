import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Form, FormActions, SubmitButton, useFields } from '../parts/form.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Moment, useTimes } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { usePerson } from '../shell/session.ts'
import { type Act, AskAct, actsOf } from './actions.tsx'
import {
  bodyOfFields,
  fieldsOf,
  moments,
  openBodyOf,
  PublishingFields,
  TimeFields,
  TitleFields,
  WorkFields,
} from './fields.tsx'
import { DatesOfWindow } from './next-dates.tsx'
import { type MaintenanceWindow, monitorQuery, pagesQuery, pathOf, readAgain, windowQuery } from './queries.ts'
import { Covers, Minutes, Recurs, State, useLocalTimes } from './words-of.tsx'
import './maintenance.css'

/** One window: when it is, what it covers, and what can be done with it in its state. */
export function MaintenancePage() {
  const { t } = useTranslation('maintenance')
  const { window: id } = useParams({ from: '/app/app/maintenance/$window' })
  const { data: window } = useSuspenseQuery(windowQuery(id))
  const mayWrite = usePerson().role !== 'viewer'
  const [act, setAct] = useState<Act | null>(null)
  const acts = mayWrite ? actsOf(window) : []
  return (
    <div className="page">
      <PageHead
        title={window.title}
        status={<State of={window} />}
        subtitle={<Recurs of={window} />}
        actions={acts.map(each => (
          <Button key={each} variant={each === 'cancel' ? 'danger' : 'plain'} onPress={() => setAct(each)}>
            {t(each)}
          </Button>
        ))}
      />
      {window.description !== '' && <p className="maintenance-text">{window.description}</p>}
      <Dates window={window} />
      <Work window={window} />
      {acts.length > 0 && <Change key={window.state} window={window} />}
      {act && <AskAct window={window} act={act} onClose={() => setAct(null)} />}
    </div>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** The running or next date in the person's zone, and in that of the window where it is another. */
function Dates({ window }: { window: MaintenanceWindow }) {
  const { t } = useTranslation('maintenance')
  const { zone: own } = useTimes()
  const { local, inZone } = useLocalTimes()
  const { state, timezone: zone, next_starts_at: starts, next_ends_at: ends, actual_started_at: began } = window
  const both = (at: string) => (
    <>
      <Moment at={at} />
      {zone !== own && <div className="soft">{t('next.zone', { time: inZone(at, zone), zone })}</div>}
    </>
  )
  return (
    <section className="card">
      <h2>{t(state === 'active' ? 'now' : 'next')}</h2>
      {starts === null && <p className="soft">{t('next.none')}</p>}
      <dl className="figures maintenance-facts">
        {starts !== null && <Fact name={t('next.from')}>{both(state === 'active' ? (began ?? starts) : starts)}</Fact>}
        {ends !== null && <Fact name={t('next.until')}>{both(ends)}</Fact>}
        {state !== 'active' && began !== null && <Fact name={t('began')}>{both(began)}</Fact>}
        {state !== 'active' && window.actual_ended_at !== null && (
          <Fact name={t('ended')}>{both(window.actual_ended_at)}</Fact>
        )}
        <Fact name={t('field.duration')}>
          <Minutes count={window.duration_minutes} />
        </Fact>
        <Fact name={t('firstStart')}>{t('next.zone', { time: local(window.starts_at), zone })}</Fact>
        {window.until !== null && (
          <Fact name={t('field.until')}>{t('next.zone', { time: local(window.until), zone })}</Fact>
        )}
      </dl>
      <DatesOfWindow window={window} />
    </section>
  )
}

function Work({ window }: { window: MaintenanceWindow }) {
  const { t, i18n } = useTranslation('maintenance')
  const times = useTimes()
  const pages = useQuery(pagesQuery).data?.data ?? []
  const list = new Intl.ListFormat(i18n.language)
  const { scope, mode, notify, status_page_ids: announced } = window
  const mails = [
    ...moments.filter(moment => notify[moment]).map(moment => t(`notify.${moment}`)),
    ...notify.before_minutes.map(minutes => t('notify.before', { time: times.duration(minutes * 60_000) })),
  ]
  return (
    <section className="card">
      <h2>{t('group.work')}</h2>
      <p>
        <Covers of={window} />
      </p>
      {scope.monitor_ids.length > 0 && (
        <ul>
          {scope.monitor_ids.map(id => (
            <li key={id}>
              <MonitorLink id={id} />
            </li>
          ))}
        </ul>
      )}
      <dl className="figures maintenance-facts">
        <Fact name={t('field.mode')}>{t(`mode.${mode}`)}</Fact>
        <Fact name={t('uptime')}>{t(window.exclude_from_uptime ? 'uptime.left' : 'uptime.counted')}</Fact>
        <Fact name={t('mails')}>{mails.length > 0 ? list.format(mails) : t('mails.none')}</Fact>
        <Fact name={t('pages')}>
          {announced.length === 0
            ? t('pages.none')
            : announced.map(id => (
                <div key={id}>
                  <Link to="/app/status-pages/$page/posts" params={{ page: id }}>
                    {pages.find(page => page.id === id)?.name ?? id}
                  </Link>
                </div>
              ))}
        </Fact>
      </dl>
    </section>
  )
}

/** Monitors that have been deleted since have their id alone. */
function MonitorLink({ id }: { id: string }) {
  const { data } = useQuery({ ...monitorQuery(id), retry: false })
  if (!data) return <code>{id}</code>
  return (
    <Link to="/app/monitors/$monitor" params={{ monitor: id }}>
      {data.name}
    </Link>
  )
}

function Change({ window }: { window: MaintenanceWindow }) {
  const { t } = useTranslation('maintenance')
  const [fields, put] = useFields(() => fieldsOf(window))
  const isActive = window.state === 'active'
  const change = useMutation({
    mutationFn: (body: Schemas['MaintenanceWindowChanges']) =>
      bodyOf(api.PATCH('/api/v1/maintenance-windows/{maintenance_window}', { params: pathOf(window.id), body })),
    onSuccess: async () => {
      await readAgain()
      toast.success(t('saved'))
    },
  })
  return (
    <details className="card">
      <summary>{t('change')}</summary>
      {isActive && <p className="soft">{t('change.active')}</p>}
      <Form
        mutation={change}
        body={() => (isActive ? openBodyOf(fields) : bodyOfFields(fields))}
        call={{ method: 'PATCH', path: `/maintenance-windows/${window.id}` }}
        aria-label={t('change')}
      >
        <TitleFields value={fields} onChange={put} />
        {!isActive && (
          <>
            <TimeFields value={fields} onChange={put} />
            <WorkFields value={fields} onChange={put} />
          </>
        )}
        <PublishingFields value={fields} onChange={put} />
        <FormActions>
          <SubmitButton>{t('save')}</SubmitButton>
        </FormActions>
      </Form>
    </details>
  )
}
