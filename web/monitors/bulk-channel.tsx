import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { channelsQuery, type Rule, rulesQuery } from '../alerts/queries.ts'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { SelectField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { toast } from '../parts/toast.tsx'
import { queries } from '../queries.ts'
import type { Monitor } from './queries.ts'

/** What a rule sends unless a person chooses other events. */
const usual: Schemas['NotificationRulesCreateRequest']['event_types'] = ['incident.created', 'incident.resolved']

/** Has a channel notified of the incidents of the monitors. */
export function ChannelDialog({ monitors }: { monitors: readonly Monitor[] }) {
  const { t } = useTranslation('bulk')
  return (
    <Dialog trigger={<Button icon="bell">{t('channel')}</Button>} title={t('channel')}>
      {close => <ChannelForm monitors={monitors} close={close} />}
    </Dialog>
  )
}

function ChannelForm({ monitors, close }: { monitors: readonly Monitor[]; close(): void }) {
  const { t } = useTranslation(['bulk', 'parts'])
  const channels = useQuery(channelsQuery).data?.data
  const { data: rules } = useQuery(rulesQuery)
  const [chosen, setChosen] = useState<string | null>(null)
  const channel = channels?.find(({ id }) => id === chosen) ?? channels?.[0]
  const ids = monitors.map(({ id }) => id)
  const notify = useMutation({
    mutationFn: async (channel: string) => {
      // a rule that another person has changed meanwhile keeps its monitors
      const { data } = await queries.fetchQuery({ ...rulesQuery, staleTime: 0 })
      await send(callFor(channel, ids, data))
      await queries.invalidateQueries({ queryKey: rulesQuery.queryKey })
    },
    onSuccess: () => {
      toast.success(t('channelSet', { channel: channel?.name }))
      close()
    },
  })
  if (!channels || !rules) return <div className="loading" role="progressbar" aria-label={t('channelName')} />
  if (!channel) return <Link to="/app/alerts">{t('channelFirst')}</Link>
  const { rule, ...call } = callFor(channel.id, ids, rules.data)
  return (
    <Form
      mutation={notify}
      body={() => channel.id}
      call={{ ...call, path: rule ? `/notification-rules/${rule}` : '/notification-rules', body: () => call.body }}
    >
      <p>{t('channelSays', { count: ids.length })}</p>
      <SelectField
        name="channel_id"
        label={t('channelName')}
        choices={channels.map(({ id, name }) => ({ id, label: name }))}
        value={channel.id}
        onChange={setChosen}
      />
      {rules.data.some(each => each.channel_id === channel.id && sendsAll(each)) && <p>{t('channelAll')}</p>}
      <FormActions>
        <SubmitButton>{t('channel')}</SubmitButton>
        <Button onPress={close}>{t('dialog.cancel', { ns: 'parts' })}</Button>
      </FormActions>
    </Form>
  )
}

const isUsual = ({ event_types: types }: Rule) => usual.every(event => types.includes(event))
const sendsAll = (rule: Rule) => {
  const { monitor_ids = [], tags = [], types = [] } = rule.monitor_filter ?? {}
  return isUsual(rule) && rule.tenant_filter === null && monitor_ids.length + tags.length + types.length === 0
}
/** Whether a rule is one of those that are made here: nothing but the usual events of named monitors. */
const isOwn = (rule: Rule) =>
  isUsual(rule) &&
  rule.event_types.length === usual.length &&
  rule.tenant_filter === null &&
  (rule.monitor_filter?.monitor_ids.length ?? 0) > 0 &&
  rule.monitor_filter?.tags.length === 0 &&
  rule.monitor_filter.types.length === 0

/** The monitors join those of the channel's rule, if it has one for named monitors; else it gets one. */
function callFor(channel: string, ids: readonly string[], rules: readonly Rule[]) {
  const rule = rules.find(each => each.channel_id === channel && isOwn(each))
  const monitor_ids = [...new Set([...(rule?.monitor_filter?.monitor_ids ?? []), ...ids])]
  const monitor_filter = { monitor_ids, tags: [], types: [] }
  return rule
    ? { method: 'PATCH' as const, rule: rule.id, body: { monitor_filter } }
    : { method: 'POST' as const, rule: null, body: { channel_id: channel, event_types: usual, monitor_filter } }
}

const send = (call: ReturnType<typeof callFor>) =>
  bodyOf(
    call.rule === null
      ? api.POST('/api/v1/notification-rules', { body: call.body })
      : api.PATCH('/api/v1/notification-rules/{notification_rule}', {
          params: { path: { notification_rule: call.rule } },
          body: call.body,
        }),
  )
