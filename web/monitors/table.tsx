import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { createContext, use, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { milliseconds, percent } from '../../contract/figures.ts'
import type { Schemas } from '../api.ts'
import { LiveMark } from '../live/mark.tsx'
import { Sparkline } from '../parts/sparkline.tsx'
import { labelOf, StatusPill } from '../parts/status-pill.tsx'
import { type Column, Table } from '../parts/table.tsx'
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

type Figures = Pick<MonitorTableProps, 'stats' | 'days' | 'recent'> & { language: string }
const Figures = createContext<Figures>({ stats: undefined, days: undefined, recent: undefined, language: 'en' })

export function MonitorTable({ monitors, stats, days, recent, selected, onSelect }: MonitorTableProps) {
  const { t, i18n } = useTranslation('monitors')
  const { language } = i18n
  const figures = useMemo(() => ({ stats, days, recent, language }), [stats, days, recent, language])
  const columns = useMemo(() => columnsOf(t), [t])
  return (
    <div className="monitors">
      <Figures value={figures}>
        <Table
          caption={t('title')}
          rows={monitors}
          keyOf={({ id }) => id}
          selection={{ keys: selected, onChange: onSelect, nameOf: ({ name }) => name }}
          columns={columns}
        />
      </Figures>
    </div>
  )
}

/** Rows keep their columns, so that figures that come later are made alone. */
const columnsOf = (t: TFunction<'monitors'>): Column<Monitor>[] => [
  {
    id: 'status',
    header: t('column.status'),
    isPlain: true,
    cell: ({ id, status, state }) => (
      <>
        <StatusPill status={labelOf({ status, state })} />
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
    cell: ({ group, tags }) => (
      <>
        {group !== null && (
          <Link className="tag group" to="/app/monitors" search={{ group }}>
            {group}
          </Link>
        )}
        {tags.map(tag => (
          <Link key={tag} className="tag" to="/app/monitors" search={{ tag }}>
            {tag}
          </Link>
        ))}
      </>
    ),
  },
  {
    id: 'days',
    header: t('column.days'),
    isPlain: true,
    cell: ({ id, name }) => <Days id={id} name={name} />,
  },
  {
    id: 'uptime',
    header: t('column.uptime'),
    isNumeric: true,
    cell: ({ id }) => <Uptime id={id} />,
  },
  {
    id: 'recent',
    header: t('column.recent'),
    isNumeric: true,
    cell: ({ name, checks }) => <Recent name={name} check={mainCheck(checks)?.id} />,
  },
  {
    id: 'lastRun',
    header: t('column.lastRun'),
    cell: ({ last_checked_at }) => (last_checked_at === null ? t('never') : <Ago at={last_checked_at} />),
  },
]

const noDates: readonly string[] = []

function Days({ id, name }: { id: string; name: string }) {
  const { days } = use(Figures)
  return <MonitorDays name={name} dates={days?.dates ?? noDates} days={days?.byMonitor.get(id)} />
}

function Uptime({ id }: { id: string }) {
  const { stats, language } = use(Figures)
  return percent(stats?.get(id)?.uptime_30d ?? null, language)
}

function Recent({ name, check = '' }: { name: string; check: string | undefined }) {
  const { recent, language } = use(Figures)
  const { hours = [], p95 = null } = recent?.get(check) ?? {}
  return (
    <span className="recent">
      {p95 === null ? <span className="sparkline" /> : <RecentLine name={name} hours={hours} />}
      <span>{milliseconds(p95, language)}</span>
    </span>
  )
}

function RecentLine({ name, hours }: { name: string; hours: readonly (number | null)[] }) {
  const { t } = useTranslation('monitors')
  return <Sparkline values={hours} label={t('recent.label', { name })} />
}
