import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { number } from '../../contract/figures.ts'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Failure } from '../parts/failure.tsx'
import { Table } from '../parts/table.tsx'
import { Moment, useTimes } from '../parts/time.tsx'
import { useUpdate } from './actions.ts'
import { type Monitor, monitorQuery, periodOf, regionsQuery, type Simulation, type Span } from './queries.ts'
import { type Band, bandsOf } from './series.ts'
import { Slider } from './slider.tsx'
import { SpanChoice } from './span-choice.tsx'

/** The settings that the sliders set. `required`: how many regions must agree. */
interface Settings {
  required: number
  confirmations: number
  recovery: number
}

const maxConfirmations = 10

/** How many of so many regions a policy asks for. */
function requiredBy({ mode, count }: Monitor['region_policy'], regions: number): number {
  if (mode === 'any') return 1
  if (mode === 'all') return regions
  return mode === 'count' ? Math.min(count ?? 1, regions) : Math.floor(regions / 2) + 1
}

/** The stored results of the monitor judged by other settings, which can then be used. */
export function WhatIf() {
  const { t } = useTranslation('monitors')
  const { monitor: id } = useParams({ from: '/app/app/monitors/$monitor' })
  const { data: monitor } = useSuspenseQuery(monitorQuery(id))
  const { data: all } = useSuspenseQuery(regionsQuery)
  const regions = monitor.regions.length || all.length || 1
  const today: Settings = {
    required: requiredBy(monitor.region_policy, regions),
    confirmations: monitor.confirmations,
    recovery: monitor.recovery_confirmations,
  }
  const [wanted, setWanted] = useState(today)
  const [span, setSpan] = useState<Span>('30d')
  const changes = {
    ...(wanted.required !== today.required && {
      region_policy: { mode: 'count' as const, count: wanted.required },
    }),
    ...(wanted.confirmations !== today.confirmations && { confirmations: wanted.confirmations }),
    ...(wanted.recovery !== today.recovery && { recovery_confirmations: wanted.recovery }),
  }
  const comparison = useMutation({
    mutationFn: async () =>
      (
        await bodyOf(
          api.POST('/api/v1/monitors/{monitor}/simulate', {
            params: { path: { monitor: id } },
            body: { ...changes, checks: [], ...periodOf(span) },
          }),
        )
      ).data,
  })
  const update = useUpdate(monitor)
  const set = (part: Partial<Settings>) => {
    setWanted({ ...wanted, ...part })
    comparison.reset()
    update.reset()
  }
  const isOther = Object.keys(changes).length > 0
  return (
    <section className="card">
      <h2>{t('whatIf.title')}</h2>
      <p>{t('whatIf.says')}</p>
      <div className="sliders">
        <Slider
          label={t('field.count')}
          minValue={1}
          maxValue={regions}
          value={wanted.required}
          onChange={required => set({ required })}
        />
        <Slider
          label={t('field.confirmations')}
          minValue={1}
          maxValue={maxConfirmations}
          value={wanted.confirmations}
          onChange={confirmations => set({ confirmations })}
        />
        <Slider
          label={t('field.recovery')}
          minValue={1}
          maxValue={maxConfirmations}
          value={wanted.recovery}
          onChange={recovery => set({ recovery })}
        />
      </div>
      <SpanChoice
        span={span}
        onChange={next => {
          setSpan(next)
          comparison.reset()
        }}
      />
      <div className="row">
        <Button variant="primary" onPress={() => comparison.mutate()} isPending={comparison.isPending}>
          {t('whatIf.run')}
        </Button>
        <Button onPress={() => update.mutate(changes)} isDisabled={!isOther} isPending={update.isPending}>
          {t('whatIf.use')}
        </Button>
      </div>
      <Failure error={comparison.error ?? update.error} />
      <p role="status">{update.isSuccess && t('whatIf.used')}</p>
      {comparison.data && <Comparison of={comparison.data} />}
    </section>
  )
}

/** Totals and incidents side by side. Those of today are the same results by the settings of today. */
function Comparison({ of }: { of: Simulation }) {
  const { t, i18n } = useTranslation('monitors')
  const { were, would_be: wouldBe, unchanged, notes, looks, difference } = of
  const isSame = difference.incidents === 0 && difference.alerts === 0 && difference.minutes === 0
  const figure = (value: number) => number(value, i18n.language, 1)
  const rows = (
    [
      ['incidents', 'incidents'],
      ['alerts', 'alerts'],
      ['minutes', 'minutes'],
      ['longest', 'longest_minutes'],
    ] as const
  ).map(([name, field]) => ({ name, were: were[field], unchanged: unchanged[field], wouldBe: wouldBe[field] }))
  return (
    <div className="comparison">
      <Table
        caption={t('whatIf.results', { count: looks })}
        isCaptionShown
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { id: 'name', header: t('whatIf.figure'), cell: ({ name }) => t(`whatIf.${name}`) },
          { id: 'were', header: t('whatIf.were'), isNumeric: true, cell: row => figure(row.were) },
          {
            id: 'unchanged',
            header: t('whatIf.unchanged'),
            isNumeric: true,
            cell: row => figure(row.unchanged),
          },
          { id: 'wouldBe', header: t('whatIf.wouldBe'), isNumeric: true, cell: row => figure(row.wouldBe) },
        ]}
      />
      {isSame && <p>{t('whatIf.same')}</p>}
      <h3>{t('whatIf.timeline')}</h3>
      <Timeline name={t('whatIf.were')} of={of} incidents={were.list} />
      <Timeline name={t('whatIf.wouldBe')} of={of} incidents={wouldBe.list} />
      {notes.length > 0 && (
        <details>
          <summary>{t('whatIf.notes')}</summary>
          <ul>
            {notes.map(({ code, message }) => (
              <li key={code}>{message}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

const width = 1_000
const height = 20
const leastWidth = 3

interface TimelineProps {
  name: string
  of: Pick<Simulation, 'from' | 'to'>
  incidents: Simulation['would_be']['list']
}

/** A line of time with its incidents, and the newest of them as a list. */
function Timeline({ name, of, incidents }: TimelineProps) {
  const { t } = useTranslation('monitors')
  const times = useTimes()
  const whole: Band = { from: Date.parse(of.from), to: Date.parse(of.to) }
  const scale = (at: number) => ((at - whole.from) / (whole.to - whole.from)) * width
  return (
    <figure className="timeline">
      <figcaption>
        {name}: {t('whatIf.count', { count: incidents.length })}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <rect className="whole" width={width} height={height} />
        {bandsOf(incidents, whole).map(band => (
          <rect
            key={`${band.from}-${band.to}`}
            className="down"
            x={scale(band.from)}
            width={Math.max(leastWidth, scale(band.to) - scale(band.from))}
            height={height}
          />
        ))}
      </svg>
      {incidents.length > 0 && (
        <details>
          <summary>{t('whatIf.list')}</summary>
          <ul className="bare-list">
            {incidents.slice(0, 50).map(({ check_id, check_type, started_at, minutes, regions }) => (
              <li key={check_id + started_at}>
                {t(`kind.${check_type}`)} <Moment at={started_at} />,{' '}
                {t('overview.lasted', { duration: times.duration(minutes * 60_000) })}
                {regions.length > 0 && `, ${regions.join(', ')}`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </figure>
  )
}
