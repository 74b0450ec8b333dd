import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Shown } from '../access/shown.tsx'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { usePerson } from '../shell/session.ts'

/** The secret address that calendar programs subscribe to. */
export function Calendar() {
  const { t } = useTranslation('maintenance')
  const { isLimited } = usePerson()
  const [asked, setAsked] = useState<'create' | 'delete' | null>(null)
  const [url, setUrl] = useState<string | null>(null)
  const create = async () => setUrl((await bodyOf(api.POST('/api/v1/maintenance-windows/calendar'))).data.url)
  const end = async () => {
    await bodyOf(api.DELETE('/api/v1/maintenance-windows/calendar'))
    toast.success(t('calendar.delete.done'))
  }
  return (
    <section className="card">
      <h2>{t('calendar')}</h2>
      <p className="soft">{t('calendar.says')}</p>
      <div className="row">
        {!isLimited && (
          <Button icon="calendar" onPress={() => setAsked('create')}>
            {t('calendar.create')}
          </Button>
        )}
        <Button variant="quiet" icon="delete" onPress={() => setAsked('delete')}>
          {t('calendar.delete')}
        </Button>
      </div>
      {asked && (
        <FormDialog
          title={t(`calendar.${asked}`)}
          says={t(`calendar.${asked}.says`)}
          submit={t(`calendar.${asked}`)}
          isDanger={asked === 'delete'}
          onClose={() => setAsked(null)}
          act={asked === 'create' ? create : end}
        />
      )}
      {url !== null && (
        <Shown
          title={t('calendar')}
          says={t('calendar.once')}
          label={t('calendar.address')}
          secret={url}
          onClose={() => setUrl(null)}
        />
      )}
    </section>
  )
}
