import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../../api.ts'
import { EventPicker } from '../../parts/event-picker.tsx'
import { SwitchField, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { linesOf } from '../../parts/lines.ts'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import { usePerson } from '../../shell/session.ts'
import { webhooksQuery } from '../queries.ts'

type Webhook = Schemas['ResellerWebhook']
type Events = Schemas['ResellerWebhooksCreateRequest']['events']

/** As the API matches labels: a pattern is the whole label, or with a star at its end the beginning of one. */
export const matches = (pattern: string, label: string | null): boolean =>
  label !== null && (pattern.endsWith('*') ? label.startsWith(pattern.slice(0, -1)) : label === pattern)

/** A subscription: where to, which events, of which teams. */
export function WebhookEditor({ webhook, onClose }: { webhook: Webhook | null; onClose(): void }) {
  const { t } = useTranslation('console')
  const [draft, setDraft] = useState({
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    secret: webhook?.secret ?? '',
    labels: webhook?.tenant_filter?.labels.join('\n') ?? '',
  })
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? [])
  const [isEnabled, setEnabled] = useState(webhook?.is_enabled ?? true)
  const put = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const ids = webhook?.tenant_filter?.tenant_ids ?? []
  const labels = linesOf(draft.labels)
  const save = async () => {
    const body = {
      name: draft.name,
      url: draft.url,
      secret: draft.secret || null,
      events: [...events] as Events,
      tenant_filter: labels.length + ids.length === 0 ? null : { labels, tenant_ids: ids },
      is_enabled: isEnabled,
    }
    if (webhook === null) await bodyOf(api.POST('/api/v1/reseller/webhooks', { body }))
    else
      await bodyOf(
        api.PATCH('/api/v1/reseller/webhooks/{webhook}', { params: { path: { webhook: webhook.id } }, body }),
      )
    await refresh(webhooksQuery.queryKey)
    toast.success(t('saved'))
  }
  return (
    <FormDialog title={webhook?.name ?? t('webhooks.new')} submit={t('save')} onClose={onClose} act={save}>
      {fields => (
        <>
          <TextField
            label={t('webhooks.name')}
            name="name"
            isRequired
            autoFocus
            value={draft.name}
            onChange={name => put({ name })}
          />
          <TextField
            label={t('webhooks.url')}
            name="url"
            type="url"
            isRequired
            isCode
            value={draft.url}
            onChange={url => put({ url })}
          />
          <TextField
            label={t('webhooks.secret')}
            description={t('webhooks.secret.says')}
            name="secret"
            type="password"
            autoComplete="new-password"
            value={draft.secret}
            onChange={secret => put({ secret })}
          />
          <EventPicker chosen={events} onChange={setEvents} error={fields.events} />
          <TextField
            label={t('webhooks.filter')}
            description={t('webhooks.filter.says')}
            name="tenant_filter"
            rows={2}
            isCode
            value={draft.labels}
            onChange={text => put({ labels: text })}
          />
          {labels.length > 0 && <Matching labels={labels} />}
          {ids.length > 0 && <p className="soft">{t('webhooks.filter.ids', { count: ids.length })}</p>}
          <SwitchField label={t('webhooks.enabled')} isSelected={isEnabled} onChange={setEnabled} />
        </>
      )}
    </FormDialog>
  )
}

/** Which teams the patterns match now, before anything is saved. */
export function Matching({ labels }: { labels: readonly string[] }) {
  const { t } = useTranslation('console')
  const { managed_teams: teams = [] } = usePerson()
  const found = teams.filter(team => labels.some(pattern => matches(pattern, team.label)))
  const shown = 5
  return (
    <p role="status">
      {t('webhooks.filter.matches', { count: found.length })}{' '}
      <span className="soft">
        {found
          .slice(0, shown)
          .map(({ name }) => name)
          .join(', ')}
        {found.length > shown && ' …'}
      </span>
    </p>
  )
}
