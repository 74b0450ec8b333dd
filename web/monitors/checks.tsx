import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Button, ButtonLink } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { StatusPill } from '../parts/status-pill.tsx'
import { Ago } from '../parts/time.tsx'
import { readMonitorsAgain, useSwitchCheck } from './actions.ts'
import { CheckDialog } from './check-dialog.tsx'
import { settingsOf, textOf } from './check-settings.ts'
import { intervalWords } from './intervals.ts'
import { guess, offeredChecks } from './kinds.ts'
import { type Check, checksQuery, type Monitor, monitorQuery } from './queries.ts'

/** The checks of a monitor with their settings, and those that it could have beside them. */
export function MonitorChecks() {
  const { monitor: id } = useParams({ from: '/app/app/monitors/$monitor' })
  const { data: monitor } = useSuspenseQuery(monitorQuery(id))
  const { data: checks } = useSuspenseQuery(checksQuery(id))
  return (
    <>
      <ul className="cards">
        {checks.map(check => (
          <CheckCard key={check.id} check={check} />
        ))}
      </ul>
      <Offers monitor={monitor} />
    </>
  )
}

function CheckCard({ check }: { check: Check }) {
  const { t } = useTranslation('monitors')
  const [isEditing, setEditing] = useState(false)
  const turn = useSwitchCheck()
  const { type, is_enabled, status, latest_summary, latest_run_at, effective_interval, severity } = check
  return (
    <li className="card">
      <h2>{t(`kind.${type}`)}</h2>
      <p>
        <StatusPill status={is_enabled ? status : 'paused'} />
      </p>
      <p className="soft">{latest_summary ?? t(`why.${type}`)}</p>
      <dl className="pairs">
        <Pair name={t('checks.every')} value={intervalWords(effective_interval, t)} />
        <Pair name={t('checks.severity')} value={t(`severity.${severity}`)} />
        {latest_run_at !== null && <Pair name={t('column.lastRun')} value={<Ago at={latest_run_at} />} />}
        {settingsOf(check).map(({ name, value }) => (
          <Pair
            key={name}
            name={t(`setting.${name}`)}
            value={
              typeof value === 'boolean'
                ? t(value ? 'setting.yes' : 'setting.no')
                : textOf(value) || t(name === 'warn_days' ? 'setting.byLifetime' : 'setting.none')
            }
          />
        ))}
      </dl>
      <Failure error={turn.error} />
      <div className="row">
        <ButtonLink to="/app/monitors/$monitor/checks/$check" params={{ monitor: check.monitor_id, check: check.id }}>
          {t('checks.details')}
        </ButtonLink>
        <Button onPress={() => setEditing(true)} icon="edit">
          {t('checks.edit')}
        </Button>
        <Button onPress={() => turn.mutate(check)} isPending={turn.isPending}>
          {t(is_enabled ? 'checks.disable' : 'checks.enable')}
        </Button>
      </div>
      {isEditing && <CheckDialog check={check} onClose={() => setEditing(false)} />}
    </li>
  )
}

const Pair = ({ name, value }: { name: string; value: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

/** Kinds of checks that the monitor does not have, each with why. */
function Offers({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation('monitors')
  const add = useMutation({
    mutationFn: (type: Check['type']) =>
      bodyOf(
        api.POST('/api/v1/monitors/{monitor}/checks', {
          params: { path: { monitor: monitor.id } },
          // the server knows the defaults of what is left out
          body: { type } as never,
        }),
      ),
    onSuccess: readMonitorsAgain,
  })
  if (monitor.type === 'cron' || monitor.type === 'agent') return null
  const present = new Set(monitor.checks.map(({ type }) => type))
  const offers = offeredChecks({ ...guess(monitor.url), type: monitor.type }).filter(({ type }) => !present.has(type))
  if (offers.length === 0) return null
  return (
    <section className="card">
      <h2>{t('checks.add')}</h2>
      <Failure error={add.error} />
      <ul className="bare-list">
        {offers.map(({ type }) => (
          <li key={type} className="row">
            <Button icon="add" onPress={() => add.mutate(type)} isPending={add.isPending && add.variables === type}>
              {t(`kind.${type}`)}
            </Button>
            <span className="soft">{t(`why.${type}`)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
