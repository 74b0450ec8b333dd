import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { useMay } from '../shell/may.ts'
import { usePerson } from '../shell/session.ts'
import { Calendar } from './calendar.tsx'
import { DeleteSchedule } from './delete-schedule.tsx'
import { Now } from './now.tsx'
import { type Schedule, schedulesQuery } from './queries.ts'
import { ScheduleEditor } from './schedule-editor.tsx'
import './on-call.css'

/** The schedules of the team: who is on call in each. */
export function ScheduleList() {
  const { t } = useTranslation('on-call')
  const { role } = usePerson()
  const { isActing } = useMay()
  const { data } = useQuery(schedulesQuery)
  const [edited, setEdited] = useState<Schedule | 'new' | null>(null)
  const [deleted, setDeleted] = useState<Schedule | null>(null)
  const create = role !== 'viewer' && (
    <Button variant="primary" icon="add" onPress={() => setEdited('new')}>
      {t('new')}
    </Button>
  )
  return (
    <div className="page">
      <PageHead title={t('title')} subtitle={t('says')} actions={create} />
      {data === undefined && <div className="loading" role="progressbar" aria-label={t('title')} />}
      {data?.meta.total === 0 && (
        <EmptyState title={t('empty')} icon="calendar" action={create}>
          {t('empty.says')}
        </EmptyState>
      )}
      {data?.data.map(schedule => (
        <article key={schedule.id} className="card" aria-label={schedule.name}>
          <div className="row spread">
            <h2>
              <Link to="/app/on-call/$schedule" params={{ schedule: schedule.id }}>
                {schedule.name}
              </Link>{' '}
              <span className="on-call-note soft">{schedule.timezone}</span>
            </h2>
            {role !== 'viewer' && (
              <Actions
                label={t('actions', { name: schedule.name })}
                actions={[
                  { id: 'edit', label: t('edit'), act: () => setEdited(schedule) },
                  { id: 'delete', label: t('delete'), act: () => setDeleted(schedule), isDanger: true },
                ]}
              />
            )}
          </div>
          <Now id={schedule.id} />
        </article>
      ))}
      {!isActing && data !== undefined && data.meta.total > 0 && <Calendar />}
      {edited && <ScheduleEditor schedule={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {deleted && <DeleteSchedule schedule={deleted} onClose={() => setDeleted(null)} />}
    </div>
  )
}
