import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { CheckboxField, SelectField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { tagsQuery } from '../shared-queries.ts'
import { EventPresets } from './event-presets.tsx'
import { type Channel, type Rule, readAlertsAgain } from './queries.ts'

type Events = Schemas['NotificationRulesCreateRequest']['event_types']

const defaultEvents = ['incident.created', 'incident.resolved']

interface Props {
  rule: Rule | null
  channels: readonly Channel[]
  onClose(): void
}

/** Which events, of which monitors, go where. Filters by monitor and by team that a program has set are kept. */
export function RuleEditor({ rule, channels, onClose }: Props) {
  const { t } = useTranslation('alerts')
  const [channel, setChannel] = useState(rule?.channel_id ?? channels[0]?.id ?? null)
  const [events, setEvents] = useState<readonly string[]>(rule?.event_types ?? defaultEvents)
  const [tags, setTags] = useState<readonly string[]>(rule?.monitor_filter?.tags ?? [])
  const known = useQuery(tagsQuery).data?.map(({ name }) => name) ?? []
  const offered = [...new Set([...known, ...tags])]
  const save = async () => {
    const { monitor_ids = [], types = [] } = rule?.monitor_filter ?? {}
    const isFiltered = tags.length + monitor_ids.length + types.length > 0
    const body = {
      channel_id: channel ?? '',
      event_types: [...events] as Events,
      monitor_filter: isFiltered ? { monitor_ids, types, tags: [...tags] } : null,
    }
    if (rule === null) await bodyOf(api.POST('/api/v1/notification-rules', { body }))
    else {
      const params = { path: { notification_rule: rule.id } }
      await bodyOf(api.PATCH('/api/v1/notification-rules/{notification_rule}', { params, body }))
    }
    await readAlertsAgain()
    toast.success(t('saved'))
  }
  return (
    <FormDialog title={t(rule === null ? 'rules.new' : 'rules.change')} submit={t('save')} onClose={onClose} act={save}>
      {fields => (
        <>
          <SelectField
            label={t('rules.channel')}
            name="channel_id"
            isRequired
            value={channel}
            onChange={setChannel}
            choices={channels.map(({ id, name, type }) => ({ id, label: name, description: t(`kind.${type}`) }))}
          />
          <EventPresets chosen={events} onChange={setEvents} error={fields.event_types} />
          {offered.length > 0 && (
            <fieldset className="plain">
              <legend>{t('rules.tags')}</legend>
              <p className="soft">{t('rules.tags.says')}</p>
              {offered.map(tag => (
                <CheckboxField
                  key={tag}
                  label={tag}
                  isSelected={tags.includes(tag)}
                  onChange={isOn => setTags(isOn ? [...tags, tag] : tags.filter(each => each !== tag))}
                />
              ))}
            </fieldset>
          )}
        </>
      )}
    </FormDialog>
  )
}
