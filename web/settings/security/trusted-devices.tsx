import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { Table } from '../../parts/table.tsx'
import { Moment } from '../../parts/time.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import { trustedDevicesQuery } from '../queries.ts'

/** Absent while there is none. */
export function TrustedDevices() {
  const { t } = useTranslation('settings')
  const { data } = useQuery(trustedDevicesQuery)
  if (!data || data.data.length === 0) return null
  const forget = async (id: string) => {
    const path = { trusted_device: id }
    await bodyOf(api.DELETE('/api/v1/profile/trusted-devices/{trusted_device}', { params: { path } }))
    await refresh(trustedDevicesQuery.queryKey)
    toast.success(t('devices.deleted'))
  }
  return (
    <section className="card">
      <h2>{t('devices.title')}</h2>
      <p className="soft">{t('devices.says')}</p>
      <Table
        caption={t('devices.title')}
        rows={data.data}
        keyOf={({ id }) => id}
        columns={[
          { id: 'device', header: t('sessions.device'), cell: ({ name }) => name },
          { id: 'expires', header: t('devices.expires'), cell: ({ expires_at: at }) => <Moment at={at} /> },
          {
            id: 'actions',
            header: '',
            cell: ({ id, name }) => (
              <Button variant="quiet" aria-label={t('devices.delete.label', { name })} onPress={() => forget(id)}>
                {t('devices.delete')}
              </Button>
            ),
          },
        ]}
      />
    </section>
  )
}
