import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { channelsQuery, type Rule, readAlertsAgain, rulesQuery } from '../alerts/queries.ts'
import { ApiError, api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { SelectField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { Segments } from '../parts/segments.tsx'
import { toast } from '../parts/toast.tsx'
import { queries } from '../queries.ts'
import type { Monitor } from './queries.ts'

/** What a rule sends unless a person chooses other events. */
const defaultEvents: Schemas['NotificationRulesCreateRequest']['event_types'] = [
  'incident.created',
  'incident.resolved',
]

type Change = 'join' | 'leave'

/** Has a channel notified of the incidents of the monitors, or no longer. */
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
  const [change, setChange] = useState<Change>('join')
  const channel = channels?.find(({ id }) => id === chosen) ?? channels?.[0]
  const ids = monitors.map(({ id }) => id)
  const notify = useMutation({
    mutationFn: async (channel: string) => {
      await (change === 'join' ? join(channel, ids) : leave(channel, ids))
      await readAlertsAgain()
    },
    onSuccess: () => {
      toast.success(t(change === 'join' ? 'channelSet' : 'channelUnset', { channel: channel?.name }))
      close()
    },
  })
  if (!channels || !rules) return <div className="loading" role="progressbar" aria-label={t('channelName')} />
  if (!channel) return <Link to="/app/alerts">{t('channelFirst')}</Link>
  const isJoining = change === 'join'
  return (
    <Form mutation={notify} body={() => channel.id} {...(isJoining && { call: callFor(channel.id, ids, rules.data) })}>
      <Segments<Change>
        label={t('channelChange')}
        choices={[
          { id: 'join', label: t('channelJoin') },
          { id: 'leave', label: t('channelLeave') },
        ]}
        value={change}
        onChange={setChange}
      />
      <p>{t(isJoining ? 'channelSays' : 'channelLeaves', { count: ids.length })}</p>
      <SelectField
        name="channel_id"
        label={t('channelName')}
        choices={channels.map(({ id, name }) => ({ id, label: name }))}
        value={channel.id}
        onChange={setChosen}
      />
      {rules.data.some(each => each.channel_id === channel.id && sendsAll(each)) && (
        <p>{t(isJoining ? 'channelAll' : 'channelStays')}</p>
      )}
      <FormActions>
        <SubmitButton>{t(isJoining ? 'channel' : 'channelLeave')}</SubmitButton>
        <Button onPress={close}>{t('dialog.cancel', { ns: 'parts' })}</Button>
      </FormActions>
    </Form>
  )
}

const isDefault = ({ event_types: types }: Rule) => defaultEvents.every(event => types.includes(event))
const sendsAll = (rule: Rule) => {
  const { monitor_ids = [], tags = [], types = [] } = rule.monitor_filter ?? {}
  return isDefault(rule) && rule.tenant_filter === null && monitor_ids.length + tags.length + types.length === 0
}
/** Whether a rule is for named monitors, and nothing else. */
const namesMonitors = (rule: Rule) =>
  rule.tenant_filter === null &&
  (rule.monitor_filter?.monitor_ids.length ?? 0) > 0 &&
  rule.monitor_filter?.tags.length === 0 &&
  rule.monitor_filter.types.length === 0
/** Whether it is one of those that are made here: the usual events of named monitors. */
const isOwn = (rule: Rule) => namesMonitors(rule) && isDefault(rule) && rule.event_types.length === defaultEvents.length

const idsOf = (rule: Rule) => rule.monitor_filter?.monitor_ids ?? []
const named = (monitor_ids: string[]) => ({ monitor_ids, tags: [], types: [] })
const joined = (rule: Rule, ids: readonly string[]) => [...new Set([...idsOf(rule), ...ids])]
const ownRule = (channel: string, rules: readonly Rule[]) =>
  rules.find(rule => rule.channel_id === channel && isOwn(rule))
const newRule = (channel: string, ids: readonly string[]) => ({
  channel_id: channel,
  event_types: defaultEvents,
  monitor_filter: named([...ids]),
})
const freshRules = async () => (await queries.fetchQuery({ ...rulesQuery, staleTime: 0 })).data

/** The call that adds the monitors, to be copied. */
function callFor(channel: string, ids: readonly string[], rules: readonly Rule[]) {
  const rule = ownRule(channel, rules)
  if (!rule) return { method: 'POST' as const, path: '/notification-rules', body: () => newRule(channel, ids) }
  const body = () => ({ monitor_filter: named(joined(rule, ids)) })
  return { method: 'PATCH' as const, path: `/notification-rules/${rule.id}`, body }
}

/** The monitors join those of the channel's rule, if it has one for named monitors; else it gets one. */
async function join(channel: string, ids: readonly string[]) {
  const own = ownRule(channel, await freshRules())
  if (own) return update(own.id, rule => joined(rule, ids))
  await bodyOf(api.POST('/api/v1/notification-rules', { body: newRule(channel, ids) }))
}

async function leave(channel: string, ids: readonly string[]) {
  const rules = (await freshRules()).filter(rule => rule.channel_id === channel && namesMonitors(rule))
  for (const { id } of rules) await update(id, rule => idsOf(rule).filter(each => !ids.includes(each)))
}

const mostAttempts = 4

/** A rule without monitors is deleted. Where another person changes it in the same moment, it is read again. */
async function update(notification_rule: string, next: (rule: Rule) => string[]) {
  const path = { notification_rule }
  for (let attempt = 1; ; attempt++) {
    const read = await api.GET('/api/v1/notification-rules/{notification_rule}', { params: { path } })
    const { data: rule } = await bodyOf(Promise.resolve(read))
    const header = { 'If-Match': read.response.headers.get('ETag') ?? '*' }
    const ids = next(rule)
    try {
      if (ids.length === idsOf(rule).length && ids.every(id => idsOf(rule).includes(id))) return
      const params = { path, header }
      if (ids.length === 0) await bodyOf(api.DELETE('/api/v1/notification-rules/{notification_rule}', { params }))
      else
        await bodyOf(
          api.PATCH('/api/v1/notification-rules/{notification_rule}', { params, body: { monitor_filter: named(ids) } }),
        )
      return
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412 || attempt === mostAttempts) throw error
    }
  }
}
