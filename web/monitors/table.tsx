import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api.ts'
import { LiveMark } from '../live/mark.tsx'
import { milliseconds, percent } from '../parts/numbers.ts'
import { Sparkline } from '../parts/sparkline.tsx'
import { StatusPill } from '../parts/status-pill.tsx'
import { Table } from '../parts/table.tsx'
import { Ago } from '../parts/time.tsx'
import { mainCheck } from './kinds.ts'
import { MonitorDays } from './monitor-days.tsx'
import type { Monitor } from './queries.ts'

type Stats = Schemas['MonitorsStatsBatchReply']['data'][number]

interface MonitorTableProps {
  monitors: readonly Monitor[]
  /** Figures and bars come after the names. */
  stats: ReadonlyMap<string, Stats> | undefined
  days:
    | { dates: readonly string[]; byMonitor: ReadonlyMap<string, Schemas['UptimeByDay']['monitors'][number]> }
    | undefined
  recent: ReadonlyMap<string, { hours: readonly (number | null)[]; p95: number | null }> | undefined
  selected: ReadonlySet<string>
  onSelect(ids: ReadonlySet<string>): void
}

export function MonitorTable({ monitors, stats, days, recent, selected, onSelect }: MonitorTableProps) {
  const { t, i18n } = useTranslation('monitors')
  return (
    <div className="monitors">
      <Table
        caption={t('title')}
        rows={monitors}
        keyOf={({ id }) => id}
        selection={{ keys: selected, onChange: onSelect, nameOf: ({ name }) => name }}
        columns={[
          {
            id: 'status',
            header: t('column.status'),
            isPlain: true,
            cell: ({ id, status }) => (
              <>
                <StatusPill status={status} />
                <LiveMark monitor={id} />
              </>
            ),
          },
          {
            id: 'name',
            header: t('column.name'),
            isRowHeader: true,
            cell: ({ id, name, url }) => (
              <>
                <Link to="/app/monitors/$monitor" params={{ monitor: id }}>
                  {name}
                </Link>
                <small>{url}</small>
              </>
            ),
          },
          {
            id: 'tags',
            header: t('column.tags'),
            isPlain: true,
            cell: ({ tags }) =>
              tags.map(tag => (
                <Link key={tag} className="tag" to="/app/monitors" search={{ tag }}>
                  {tag}
                </Link>
              )),
          },
          {
            id: 'days',
            header: t('column.days'),
            isPlain: true,
            cell: ({ id, name }) => (
              <MonitorDays name={name} dates={days?.dates ?? []} days={days?.byMonitor.get(id)} />
            ),
          },
          {
            id: 'uptime',
            header: t('column.uptime'),
            isNumeric: true,
            cell: ({ id }) => percent(stats?.get(id)?.uptime_30d ?? null, i18n.language),
          },
          {
            id: 'recent',
            header: t('column.recent'),
            isNumeric: true,
            cell: ({ name, checks }) => {
              const { hours = [], p95 = null } = recent?.get(mainCheck(checks)?.id ?? '') ?? {}
              return (
                <span className="recent">
                  {p95 === null ? (
                    <span className="sparkline" />
                  ) : (
                    <Sparkline values={hours} label={t('recent.label', { name })} />
                  )}
                  <span>{milliseconds(p95, i18n.language)}</span>
                </span>
              )
            },
          },
          {
            id: 'lastRun',
            header: t('column.lastRun'),
            cell: ({ last_checked_at }) => (last_checked_at === null ? t('never') : <Ago at={last_checked_at} />),
          },
        ]}
      />
    </div>
  )
}
