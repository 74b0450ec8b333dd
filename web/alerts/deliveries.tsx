import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { SelectField } from '../parts/field.tsx'
import { CursorPager } from '../parts/pager.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { refresh } from '../queries.ts'
import { usePerson } from '../shell/session.ts'
import { channelsQuery, type Delivery, deliveriesQuery, deliveryQuery } from './queries.ts'
import { deliveryStates } from './routes.ts'
import './alerts.css'

const all = 'all'

/** What was sent, what was answered, and sending it again. */
export function Deliveries() {
  const { t } = useTranslation('alerts')
  const filters = useSearch({ from: '/app/app/alerts/deliveries' })
  const navigate = useNavigate({ from: '/app/alerts/deliveries' })
  const [cursor, setCursor] = useState<string | null>(null)
  const [shown, setShown] = useState<Delivery | null>(null)
  const channels = useQuery(channelsQuery).data?.data ?? []
  const { data } = useQuery({ ...deliveriesQuery(filters, cursor), placeholderData: keepPreviousData })
  const filterBy = (part: Record<string, string>) => {
    setCursor(null)
    const next = Object.entries({ ...filters, ...part }).filter(([, value]) => value !== all)
    void navigate({ search: Object.fromEntries(next), replace: true })
  }
  return (
    <section className="card">
      <h2>{t('nav.deliveries')}</h2>
      <div className="row">
        <SelectField
          label={t('rules.channel')}
          value={filters.channel ?? all}
          onChange={channel => filterBy({ channel })}
          choices={[{ id: all, label: t('all') }, ...channels.map(({ id, name }) => ({ id, label: name }))]}
        />
        <SelectField
          label={t('state')}
          value={filters.status ?? all}
          onChange={status => filterBy({ status })}
          choices={[{ id: all, label: t('all') }, ...deliveryStates.map(id => ({ id, label: t(`delivery.${id}`) }))]}
        />
      </div>
      {data?.data.length === 0 && cursor === null ? (
        <EmptyState title={t('deliveries.empty')}>{t('deliveries.empty.says')}</EmptyState>
      ) : (
        <Table
          caption={t('nav.deliveries')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            { id: 'event', header: t('deliveries.event'), cell: ({ event }) => <code>{event}</code> },
            { id: 'channel', header: t('rules.channel'), cell: ({ channel_name: name }) => name },
            {
              id: 'state',
              header: t('state'),
              cell: ({ status }) => (
                <span className={status === 'failed' ? 'down' : status === 'delivered' ? 'up' : ''}>
                  {t(`delivery.${status}`)}
                </span>
              ),
            },
            { id: 'attempts', header: t('deliveries.attempts'), cell: ({ attempts }) => attempts.length },
            { id: 'time', header: t('deliveries.time'), cell: ({ created_at: at }) => <Moment at={at} /> },
            {
              id: 'show',
              header: '',
              cell: delivery => (
                <Button
                  variant="quiet"
                  aria-label={t('deliveries.show', { event: delivery.event })}
                  onPress={() => setShown(delivery)}
                >
                  {t('show')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {data && <CursorPager meta={data.meta} onCursor={setCursor} />}
      {shown && <DeliveryDialog delivery={shown} onClose={() => setShown(null)} />}
    </section>
  )
}

/** The attempts of a delivery with their answers, and what was sent. */
function DeliveryDialog({ delivery, onClose }: { delivery: Delivery; onClose(): void }) {
  const { t } = useTranslation('alerts')
  const { role } = usePerson()
  const { data } = useQuery(deliveryQuery(delivery.id))
  const replay = async () => {
    const params = { path: { notification_log: delivery.id } }
    await bodyOf(api.POST('/api/v1/notification-logs/{notification_log}/replay', { params }))
    await refresh(['notification-logs'])
    toast.success(t('deliveries.replayed'))
    onClose()
  }
  return (
    <Dialog
      title={`${delivery.event} → ${delivery.channel_name}`}
      isOpen
      isWide
      onOpenChange={isOpen => isOpen || onClose()}
    >
      {close => (
        <>
          <h3>{t('deliveries.attempts')}</h3>
          {delivery.attempts.length === 0 ? (
            <p className="soft">{t('deliveries.none')}</p>
          ) : (
            <ol>
              {delivery.attempts.map(({ number, at, duration_ms: ms, status_code: code, error, response }) => (
                <li key={number}>
                  <Moment at={at} />: {code ?? error} · {t('deliveries.ms', { ms })}
                  {response && <pre className="excerpt">{response}</pre>}
                </li>
              ))}
            </ol>
          )}
          {delivery.next_attempt_at && (
            <p>
              {t('deliveries.next')} <Moment at={delivery.next_attempt_at} />
            </p>
          )}
          {data?.data.payload && (
            <>
              <h3>{t('deliveries.payload')}</h3>
              <pre className="excerpt">{JSON.stringify(data.data.payload, null, 2)}</pre>
            </>
          )}
          <div className="form-actions">
            {delivery.is_replayable && role !== 'viewer' && (
              <Button variant="primary" onPress={() => void replay().catch(error => toast.failure(error))}>
                {t('deliveries.replay')}
              </Button>
            )}
            <Button onPress={close}>{t('close')}</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
