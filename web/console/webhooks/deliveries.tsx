import { keepPreviousData, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Table } from '../../parts/table.tsx'
import { Moment } from '../../parts/time.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import { deliveriesQuery, webhooksQuery } from '../queries.ts'

type Delivery = Schemas['NotificationLog']

/** What was sent to a webhook, and what it answered. */
export function Deliveries() {
  const { t } = useTranslation('console')
  const { webhook: id } = useParams({ from: '/app/console/webhooks/$webhook' })
  const [cursor, setCursor] = useState<string | undefined>(undefined)
  const name = useSuspenseQuery(webhooksQuery).data.data.find(webhook => webhook.id === id)?.name ?? id
  const { data } = useQuery({ ...deliveriesQuery(id, cursor), placeholderData: keepPreviousData })
  const replay = async (delivery: Delivery) => {
    const path = { notification_log: delivery.id }
    await bodyOf(api.POST('/api/v1/notification-logs/{notification_log}/replay', { params: { path } }))
    await refresh(['reseller', 'webhooks', id])
    toast.success(t('webhooks.replayed'))
  }
  return (
    <section className="card">
      <p>
        <Link to="/console/webhooks">{t('nav.webhooks')}</Link>
      </p>
      <h2>{t('webhooks.deliveries.of', { name })}</h2>
      {data?.data.length === 0 && cursor === undefined ? (
        <EmptyState title={t('webhooks.deliveries.empty')}>{t('webhooks.deliveries.empty.says')}</EmptyState>
      ) : (
        <Table
          caption={t('webhooks.deliveries')}
          rows={data?.data}
          keyOf={delivery => delivery.id}
          columns={[
            { id: 'event', header: t('webhooks.delivery.event'), cell: ({ event }) => <code>{event}</code> },
            {
              id: 'state',
              header: t('webhooks.delivery.state'),
              cell: ({ status }) => t(`webhooks.delivery.${status}`),
            },
            {
              id: 'attempts',
              header: t('webhooks.delivery.attempts'),
              cell: ({ attempts }) => attempts.length,
            },
            { id: 'answer', header: t('webhooks.delivery.answer'), cell: delivery => <LastAnswer of={delivery} /> },
            { id: 'time', header: t('webhooks.delivery.time'), cell: ({ created_at: at }) => <Moment at={at} /> },
            {
              id: 'actions',
              header: '',
              cell: delivery =>
                delivery.is_replayable && (
                  <Button
                    variant="quiet"
                    aria-label={`${t('webhooks.replay')}: ${delivery.event}`}
                    onPress={() => replay(delivery)}
                  >
                    {t('webhooks.replay')}
                  </Button>
                ),
            },
          ]}
        />
      )}
      <div className="row">
        {data?.meta.prev_cursor && (
          <Button icon="back" aria-label="‹" onPress={() => setCursor(data.meta.prev_cursor ?? undefined)} />
        )}
        {data?.meta.next_cursor && (
          <Button icon="chevronRight" aria-label="›" onPress={() => setCursor(data.meta.next_cursor ?? undefined)} />
        )}
      </div>
    </section>
  )
}

function LastAnswer({ of: { attempts } }: { of: Delivery }) {
  const { t } = useTranslation('console')
  const last = attempts.at(-1)
  if (!last) return '–'
  return (
    <>
      {last.status_code ?? last.error} · {t('webhooks.delivery.ms', { ms: last.duration_ms })}
    </>
  )
}
