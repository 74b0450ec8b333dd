import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { Pager } from '../../parts/pager.tsx'
import { Table } from '../../parts/table.tsx'
import { Moment } from '../../parts/time.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import { sessionsQuery } from '../queries.ts'

const again = () => refresh(['profile', 'sessions'])

export function Sessions() {
  const { t } = useTranslation('settings')
  const [page, setPage] = useState(1)
  const { data } = useQuery({ ...sessionsQuery(page), placeholderData: keepPreviousData })
  const revoke = async (session: string) => {
    await bodyOf(api.DELETE('/api/v1/profile/sessions/{session}', { params: { path: { session } } }))
    await again()
    toast.success(t('sessions.revoked'))
  }
  const revokeOthers = async () => {
    const { data: done } = await bodyOf(api.DELETE('/api/v1/profile/sessions'))
    await again()
    toast.success(t('sessions.others.done', { count: done.ended }))
  }
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('sessions.title')}</h2>
        {(data?.meta.total ?? 0) > 1 && <Button onPress={revokeOthers}>{t('sessions.others')}</Button>}
      </div>
      <Table
        caption={t('sessions.title')}
        rows={data?.data}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'device',
            header: t('sessions.device'),
            cell: session => (
              <>
                {session.device_name}
                {session.is_current && <span className="soft"> · {t('sessions.current')}</span>}
              </>
            ),
          },
          {
            id: 'method',
            header: t('sessions.method'),
            cell: session => t(`sessions.method.${session.auth_method ?? 'none'}`),
          },
          { id: 'ip', header: t('sessions.ip'), cell: session => session.last_used_ip ?? '–' },
          {
            id: 'used',
            header: t('sessions.used'),
            cell: session => (session.last_used_at ? <Moment at={session.last_used_at} /> : t('never')),
          },
          {
            id: 'actions',
            header: '',
            cell: session =>
              !session.is_current && (
                <Button
                  variant="quiet"
                  aria-label={t('sessions.revoke.label', { name: session.device_name })}
                  onPress={() => revoke(session.id)}
                >
                  {t('sessions.revoke')}
                </Button>
              ),
          },
        ]}
      />
      {data && <Pager meta={data.meta} onPage={setPage} />}
    </section>
  )
}
