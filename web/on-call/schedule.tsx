import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Segments } from '../parts/segments.tsx'
import { useTimes } from '../parts/time.tsx'
import { usePerson } from '../shell/session.ts'
import { dutiesOf, layersOf, overridesOf, type Row } from './blocks.ts'
import { Grid, type Span } from './grid.tsx'
import { dayOf, daysAfter, midnightsOf, mondayOf } from './local.ts'
import { Now } from './now.tsx'
import { Overrides } from './overrides.tsx'
import { peopleQuery, previewQuery, type Schedule, scheduleQuery } from './queries.ts'
import type { ScheduleSpan } from './routes.ts'
import { ShiftList } from './shift-list.tsx'
import '../monitors/monitors.css'
import './on-call.css'

// most people come to see who is on call: what changes it is loaded when it is opened
const DeleteSchedule = lazy(async () => ({ default: (await import('./delete-schedule.tsx')).DeleteSchedule }))
const OverrideDialog = lazy(async () => ({ default: (await import('./override-dialog.tsx')).OverrideDialog }))
const ScheduleEditor = lazy(async () => ({ default: (await import('./schedule-editor.tsx')).ScheduleEditor }))
const SwapDialog = lazy(async () => ({ default: (await import('./swap-dialog.tsx')).SwapDialog }))

const views = { day: 1, week: 7 } as const
type View = keyof typeof views
const hourMs = 3_600_000

/** One schedule: who is on call by day or week and why, and how that is changed for a time. */
export function SchedulePage() {
  const { t } = useTranslation('on-call')
  const { schedule: id } = useParams({ from: '/app/app/on-call/$schedule' })
  const { data: schedule } = useSuspenseQuery(scheduleQuery(id))
  const { zone } = useTimes()
  const mayWrite = usePerson().role !== 'viewer'
  const [asked, setAsked] = useState<'edit' | 'delete' | 'swap' | Span | null>(null)
  const nameOf = useNames(schedule)
  const close = () => setAsked(null)
  const nextHour = () => {
    const from = Math.ceil(Date.now() / hourMs) * hourMs
    return { from, to: from + hourMs }
  }
  return (
    <div className="page">
      <PageHead
        title={schedule.name}
        subtitle={
          <p>
            {t('schedule.zones', { zone })}{' '}
            {schedule.timezone !== zone && t('schedule.own', { zone: schedule.timezone })}
          </p>
        }
        actions={
          mayWrite && (
            <>
              <Button variant="primary" icon="add" onPress={() => setAsked(nextHour())}>
                {t('override.new')}
              </Button>
              <Button icon="refresh" onPress={() => setAsked('swap')}>
                {t('swap')}
              </Button>
              <Button icon="edit" onPress={() => setAsked('edit')}>
                {t('edit')}
              </Button>
              <Button variant="danger" icon="delete" onPress={() => setAsked('delete')}>
                {t('delete')}
              </Button>
            </>
          )
        }
      />
      <section className="card" aria-label={t('now')}>
        <Now id={id} />
      </section>
      <Shifts schedule={schedule} nameOf={nameOf} onPick={mayWrite ? setAsked : undefined} />
      <section className="card">
        <h2>{t('overrides')}</h2>
        <Overrides schedule={schedule} mayWrite={mayWrite} nameOf={nameOf} />
      </section>
      <Suspense>
        {asked === 'edit' && <ScheduleEditor schedule={schedule} onClose={close} />}
        {asked === 'swap' && <SwapDialog schedule={schedule} onClose={close} />}
        {asked === 'delete' && <DeleteSchedule schedule={schedule} onClose={close} />}
        {asked !== null && typeof asked === 'object' && (
          <OverrideDialog schedule={schedule} span={asked} onClose={close} />
        )}
      </Suspense>
    </div>
  )
}

/** Names of people: of the team, and of those whom the schedule names. */
function useNames({ id }: Schedule): (person: string) => string {
  const { t } = useTranslation('on-call')
  const { data: members } = useQuery(peopleQuery)
  const [now] = useState(Date.now)
  const { data: preview } = useQuery(previewQuery(id, now, now + hourMs))
  return person =>
    members?.find(member => member.id === person)?.label ??
    preview?.users.find(user => user.user_id === person)?.name ??
    t('person.gone')
}

interface ShiftsProps {
  schedule: Schedule
  nameOf(person: string): string
  onPick: ((span: Span) => void) | undefined
}

function Shifts({ schedule, nameOf, onPick }: ShiftsProps) {
  const { t } = useTranslation('on-call')
  const { zone, absolute } = useTimes()
  const navigate = useNavigate({ from: '/app/on-call/$schedule' })
  const { view: shown, day }: ScheduleSpan = useSearch({ from: '/app/app/on-call/$schedule' })
  const view: View = shown ?? 'week'
  const today = dayOf(Date.now(), zone)
  const first = view === 'week' ? mondayOf(day ?? today) : (day ?? today)
  const midnights = midnightsOf(first, views[view], zone)
  const [from = 0, to = 0] = [midnights[0], midnights.at(-1)]
  const { data } = useQuery({ ...previewQuery(schedule.id, from, to), placeholderData: before => before })
  const show = (next: { view: View; day: string | undefined }) =>
    navigate({
      search: { ...(next.view === 'day' && { view: 'day' }), ...(next.day !== undefined && { day: next.day }) },
      replace: true,
    })
  const shift = (count: number) => show({ view, day: daysAfter(first, count * views[view]) })
  const duties = data ? dutiesOf(data) : []
  const drawn = data ? overridesOf(data) : []
  const rows: Row[] = [
    ...(data ? layersOf(data) : []),
    ...(drawn.length > 0 ? [{ id: 'overrides', name: t('overrides'), blocks: drawn }] : []),
    { id: 'on-call', name: t('title'), blocks: duties },
  ]
  return (
    <section className="card">
      <div className="row spread">
        <h2>
          {absolute(from, 'date')}
          {view === 'week' && ` – ${absolute(to - 1, 'date')}`}
        </h2>
        <div className="row">
          <Button icon="back" aria-label={t('grid.before')} onPress={() => shift(-1)} />
          <Button onPress={() => show({ view, day: undefined })}>{t('grid.today')}</Button>
          <Button icon="chevronRight" aria-label={t('grid.after')} onPress={() => shift(1)} />
          <Segments
            label={t('grid.span')}
            choices={[
              { id: 'day', label: t('grid.day') },
              { id: 'week', label: t('grid.week') },
            ]}
            value={view}
            onChange={chosen => show({ view: chosen, day })}
          />
        </div>
      </div>
      {data === undefined ? (
        <div className="loading" role="progressbar" aria-label={t('title')} />
      ) : (
        <>
          <Grid
            key={`${view} ${first}`}
            midnights={midnights}
            rows={rows}
            people={data.users.map(user => user.user_id)}
            nameOf={nameOf}
            onPick={onPick}
          />
          <ShiftList blocks={duties} nameOf={nameOf} />
        </>
      )}
    </section>
  )
}
