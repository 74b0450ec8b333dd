import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { infoQuery } from './queries.ts'

/** Version, configuration without secrets, and migrations. */
export function Info() {
  const { t } = useTranslation('ops')
  const info = useSuspenseQuery(infoQuery).data.data
  const settings = Object.entries(info.configuration)
  const migrations = [
    ...info.postgres.migrations.map(each => ({ ...each, store: 'PostgreSQL' })),
    ...(info.clickhouse?.migrations ?? []).map(each => ({ ...each, store: 'ClickHouse' })),
  ].sort((one, other) => other.applied_at.localeCompare(one.applied_at))
  const textOf = (value: unknown): string => {
    if (value === null || value === '') return t('info.none')
    if (typeof value === 'boolean') return t(value ? 'info.yes' : 'info.no')
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
  return (
    <>
      <section className="card">
        <dl className="figures">
          <div>
            <dt>{t('info.version')}</dt>
            <dd>{info.version}</dd>
          </div>
          <div>
            <dt>{t('info.node')}</dt>
            <dd>{info.node_version}</dd>
          </div>
          <div>
            <dt>{t('health.part.postgres')}</dt>
            <dd>{info.postgres.version}</dd>
          </div>
          <div>
            <dt>{t('health.part.clickhouse')}</dt>
            <dd>{info.clickhouse?.version ?? t('info.none')}</dd>
          </div>
        </dl>
      </section>
      <section className="card">
        <h2>{t('info.configuration')}</h2>
        <Table
          caption={t('info.configuration')}
          rows={settings}
          keyOf={([name]) => name}
          columns={[
            { id: 'setting', header: t('info.setting'), cell: ([name]) => <code>{name}</code> },
            { id: 'value', header: t('info.value'), cell: ([, value]) => textOf(value) },
          ]}
        />
      </section>
      <section className="card">
        <h2>{t('info.migrations')}</h2>
        <Table
          caption={t('info.migrations')}
          rows={migrations}
          keyOf={({ store, name }) => `${store} ${name}`}
          columns={[
            {
              id: 'migration',
              header: t('info.migration'),
              cell: ({ store, name }) => (
                <>
                  {name} <small className="soft">{store}</small>
                </>
              ),
            },
            { id: 'applied', header: t('info.applied'), cell: ({ applied_at: at }) => <Moment at={at} /> },
          ]}
        />
      </section>
    </>
  )
}
