import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { duration, milliseconds, number } from '../../contract/figures.ts'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { healthQuery } from './queries.ts'

const megabyte = 1_048_576
const queues = ['outbox', 'mails', 'deliveries'] as const

/** Whether each part works, what waits, and the processes. */
export function Health() {
  const { t, i18n } = useTranslation('ops')
  const health = useSuspenseQuery(healthQuery).data.data
  const count = (value: number) => number(value, i18n.language)
  const ms = (value: number | null) => milliseconds(value, i18n.language)
  return (
    <>
      <section className="card">
        <h2 className={health.state === 'ok' ? 'up' : 'down'}>{t(`health.${health.state}`)}</h2>
        <p className="soft">
          {t('health.measured')} <Moment at={health.measured_at} />
        </p>
        <dl className="figures">
          <div>
            <dt>{t('health.dead')}</dt>
            <dd>{count(health.outbox.dead)}</dd>
          </div>
          <div>
            <dt>{t('health.quarantined')}</dt>
            <dd>{count(health.quarantined_rows)}</dd>
          </div>
          <div>
            <dt>{t('health.lag')}</dt>
            <dd>{ms(health.ingest_lag_ms)}</dd>
          </div>
          <div>
            <dt>{t('health.mismatch')}</dt>
            <dd>{health.rollup_mismatch ?? '–'}</dd>
          </div>
        </dl>
      </section>
      <section className="card">
        <h2>{t('health.parts')}</h2>
        <Table
          caption={t('health.parts')}
          rows={health.parts}
          keyOf={({ name }) => name}
          columns={[
            { id: 'part', header: t('health.part'), cell: ({ name }) => t(`health.part.${name}`) },
            {
              id: 'state',
              header: t('health.state'),
              cell: ({ state }) => <span className={state === 'ok' ? 'up' : 'down'}>{t(`health.state.${state}`)}</span>,
            },
            { id: 'latency', header: t('health.latency'), cell: part => ms(part.latency_ms) },
            { id: 'why', header: t('health.why'), cell: ({ why }) => why ?? '–' },
          ]}
        />
      </section>
      <section className="card">
        <h2>{t('health.queues')}</h2>
        <Table
          caption={t('health.queues')}
          rows={queues}
          keyOf={name => name}
          columns={[
            { id: 'queue', header: t('health.queue'), cell: name => t(`health.queue.${name}`) },
            { id: 'waiting', header: t('health.waiting'), cell: name => count(health[name].waiting) },
            {
              id: 'oldest',
              header: t('health.oldest'),
              cell: name => duration(health[name].oldest_seconds * 1_000, i18n.language),
            },
          ]}
        />
      </section>
      <section className="card">
        <h2>{t('health.processes')}</h2>
        <Table
          caption={t('health.processes')}
          rows={health.processes}
          keyOf={({ id }) => id}
          columns={[
            {
              id: 'host',
              header: t('health.host'),
              cell: process => (
                <>
                  {process.host}
                  {!process.is_reporting && <strong className="down"> · {t('health.silent')}</strong>}
                </>
              ),
            },
            { id: 'roles', header: t('health.roles'), cell: ({ roles }) => roles.join(', ') },
            { id: 'version', header: t('health.version'), cell: ({ version }) => <code>{version}</code> },
            { id: 'started', header: t('health.started'), cell: ({ started_at: at }) => <Moment at={at} /> },
            { id: 'delay', header: t('health.delay'), cell: process => ms(process.event_loop_delay_ms) },
            {
              id: 'memory',
              header: t('health.memory'),
              cell: process => `${count(process.memory_bytes / megabyte)}\u00a0MB`,
            },
            {
              id: 'ready',
              header: t('health.not-ready'),
              cell: process => Object.values(process.not_ready).join(', ') || '–',
            },
          ]}
        />
      </section>
    </>
  )
}
