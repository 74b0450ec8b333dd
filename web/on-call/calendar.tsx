import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Shown } from '../access/shown.tsx'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { useTimes } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { refresh } from '../queries.ts'
import { usePerson } from '../shell/session.ts'
import { calendarQuery } from './queries.ts'

const readAgain = () => refresh(calendarQuery.queryKey)

/** The person's own shifts, at a secret address for a calendar program. */
export function Calendar() {
  const { t } = useTranslation(['on-call', 'access'])
  const { isLimited } = usePerson()
  const times = useTimes()
  const { data } = useQuery(calendarQuery)
  const [asked, setAsked] = useState<'rotate' | 'delete' | null>(null)
  const [address, setAddress] = useState<string | null>(null)
  const rotate = async () => {
    const made = await bodyOf(api.POST('/api/v1/on-call-schedules/calendar'))
    await readAgain()
    setAddress(made.data.url)
  }
  const remove = async () => {
    await bodyOf(api.DELETE('/api/v1/on-call-schedules/calendar'))
    await readAgain()
    toast.success(t('calendar.deleted'))
  }
  if (data === undefined) return null
  const since = data.data?.created_at
  return (
    <section className="card">
      <h2>{t('calendar')}</h2>
      <p className="soft">
        {t('calendar.says')} {since !== undefined && t('calendar.since', { time: times.absolute(since) })}
      </p>
      {isLimited && <p className="soft">{t('limited.title', { ns: 'access' })}</p>}
      <div className="row">
        {!isLimited && (
          <Button icon={since === undefined ? 'calendar' : 'refresh'} onPress={() => setAsked('rotate')}>
            {t(since === undefined ? 'calendar.create' : 'calendar.rotate')}
          </Button>
        )}
        {since !== undefined && (
          <Button icon="delete" onPress={() => setAsked('delete')}>
            {t('calendar.delete')}
          </Button>
        )}
      </div>
      {asked === 'rotate' && (
        <FormDialog
          title={t(since === undefined ? 'calendar.create' : 'calendar.rotate')}
          says={t(since === undefined ? 'calendar.create.says' : 'calendar.rotate.says')}
          submit={t(since === undefined ? 'calendar.create' : 'calendar.rotate')}
          onClose={() => setAsked(null)}
          act={rotate}
        />
      )}
      {asked === 'delete' && (
        <FormDialog
          title={t('calendar.delete')}
          says={t('calendar.delete.says')}
          submit={t('calendar.delete')}
          isDanger
          onClose={() => setAsked(null)}
          act={remove}
        />
      )}
      {address !== null && (
        <Shown
          title={t('calendar')}
          says={t('calendar.once')}
          label={t('calendar.address')}
          secret={address}
          onClose={() => setAddress(null)}
        />
      )}
    </section>
  )
}
