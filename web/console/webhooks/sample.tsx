import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../../api.ts'
import { eventTypesQuery } from '../../parts/event-picker.tsx'
import { SelectField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'

type Event = Schemas['ResellerWebhooksSampleRequest']['event']

/** Sends a sample of an event, and shows what the receiver answered. */
export function Sample({ webhook, onClose }: { webhook: Schemas['ResellerWebhook']; onClose(): void }) {
  const { t } = useTranslation('console')
  const types = useQuery(eventTypesQuery).data?.data ?? []
  const [event, setEvent] = useState<string>(webhook.events[0] ?? 'incident.created')
  const [outcome, setOutcome] = useState<Schemas['ChannelTest'] | null>(null)
  const send = async () => {
    setOutcome(null)
    const params = { path: { webhook: webhook.id } }
    const body = { event: event as Event }
    setOutcome((await bodyOf(api.POST('/api/v1/reseller/webhooks/{webhook}/sample', { params, body }))).data)
    return 'stay'
  }
  return (
    <FormDialog
      title={t('webhooks.sample.title', { name: webhook.name })}
      says={t('webhooks.sample.says')}
      submit={t('webhooks.sample')}
      onClose={onClose}
      act={send}
    >
      <SelectField
        label={t('webhooks.sample.event')}
        name="event"
        choices={types.map(({ name, description }) => ({ id: name, label: name, description }))}
        value={event}
        onChange={chosen => setEvent(chosen)}
      />
      {outcome && (
        <div role="status">
          <p className={outcome.success ? 'up' : 'down'}>
            {outcome.success
              ? t('webhooks.sample.ok', { status: outcome.status_code, ms: outcome.duration_ms })
              : t('webhooks.sample.failed', { why: outcome.status_code ?? outcome.error })}
          </p>
          {outcome.response && <pre>{outcome.response}</pre>}
        </div>
      )}
    </FormDialog>
  )
}
