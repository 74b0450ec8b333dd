import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Table } from '../parts/table.tsx'
import { Moment } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { policiesQuery } from '../shared-queries.ts'
import { usePerson } from '../shell/session.ts'
import { ChannelEditor } from './channel-editor.tsx'
import { type Channel, channelsQuery, readAlertsAgain, rulesQuery } from './queries.ts'
import { Tested } from './tested.tsx'

const of = ({ id }: Channel) => ({ params: { path: { notification_channel: id } } })

/** Where notifications go. */
export function Channels() {
  const { t } = useTranslation('alerts')
  const { role } = usePerson()
  const { data } = useQuery(channelsQuery)
  const isUsed = useIsUsed()
  const [edited, setEdited] = useState<Channel | 'new' | null>(null)
  const [deleted, setDeleted] = useState<Channel | null>(null)
  const [tested, setTested] = useState<{ channel: Channel; answer: Schemas['ChannelTest'] } | null>(null)
  const create = role !== 'viewer' && (
    <Button variant="primary" icon="add" onPress={() => setEdited('new')}>
      {t('channels.new')}
    </Button>
  )
  const test = async (channel: Channel) => {
    toast.success(t('channels.testing', { name: channel.name }))
    const path = '/api/v1/notification-channels/{notification_channel}/test'
    const { data: answer } = await bodyOf(api.POST(path, { ...of(channel), body: {} }))
    setTested({ channel, answer })
  }
  const turn = async (channel: Channel) => {
    const body = { is_enabled: !channel.is_enabled }
    await bodyOf(api.PATCH('/api/v1/notification-channels/{notification_channel}', { ...of(channel), body }))
    await readAlertsAgain()
  }
  const confirmAgain = async (channel: Channel) => {
    const path = '/api/v1/notification-channels/{notification_channel}/recipients/resend'
    const waiting = channel.recipients?.filter(({ state }) => state === 'pending') ?? []
    await Promise.all(waiting.map(({ email }) => bodyOf(api.POST(path, { ...of(channel), body: { email } }))))
    toast.success(t('channels.asked'))
  }
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('nav.channels')}</h2>
        {create}
      </div>
      <p className="soft">{t('channels.says')}</p>
      {data?.meta.total === 0 ? (
        <EmptyState title={t('channels.empty')} action={create}>
          {t('channels.empty.says')}
        </EmptyState>
      ) : (
        <Table
          caption={t('nav.channels')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            { id: 'name', header: t('name'), cell: ({ name }) => name },
            { id: 'type', header: t('channels.type'), cell: ({ type }) => t(`kind.${type}`) },
            { id: 'state', header: t('state'), cell: channel => <State channel={channel} isUsed={isUsed(channel)} /> },
            {
              id: 'sent',
              header: t('nav.deliveries'),
              cell: ({ id, name }) => (
                <Link
                  to="/app/alerts/deliveries"
                  search={{ channel: id }}
                  aria-label={t('channels.deliveries', { name })}
                >
                  {t('show')}
                </Link>
              ),
            },
            ...(role === 'viewer'
              ? []
              : [
                  {
                    id: 'actions',
                    header: '',
                    cell: (channel: Channel) => (
                      <div className="row">
                        <Button onPress={() => void test(channel).catch(error => toast.failure(error))}>
                          {t('channels.test')}
                        </Button>
                        <Actions
                          label={t('actions', { name: channel.name })}
                          actions={[
                            { id: 'edit', label: t('edit'), act: () => setEdited(channel) },
                            {
                              id: 'turn',
                              label: t(channel.is_enabled ? 'channels.disable' : 'channels.enable'),
                              act: () => turn(channel),
                            },
                            ...(channel.recipients?.some(({ state }) => state === 'pending')
                              ? [{ id: 'confirm', label: t('channels.ask'), act: () => confirmAgain(channel) }]
                              : []),
                            { id: 'delete', label: t('delete'), act: () => setDeleted(channel), isDanger: true },
                          ]}
                        />
                      </div>
                    ),
                  },
                ]),
          ]}
        />
      )}
      {edited && <ChannelEditor channel={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {tested && <Tested {...tested} onClose={() => setTested(null)} />}
      {deleted && (
        <FormDialog
          title={t('channels.delete.title', { name: deleted.name })}
          says={t('channels.delete.says')}
          submit={t('delete')}
          isDanger
          onClose={() => setDeleted(null)}
          act={async () => {
            await bodyOf(api.DELETE('/api/v1/notification-channels/{notification_channel}', of(deleted)))
            await readAlertsAgain()
            toast.success(t('deleted', { name: deleted.name }))
          }}
        />
      )}
    </section>
  )
}

/** Whether a rule or a step of a policy names a channel, as far as the lists are read. */
function useIsUsed(): (channel: Channel) => boolean {
  const rules = useQuery(rulesQuery).data
  const policies = useQuery(policiesQuery).data
  return ({ id }) =>
    rules === undefined ||
    policies === undefined ||
    rules.meta.total > rules.data.length ||
    rules.data.some(rule => rule.channel_id === id) ||
    policies.data.some(({ steps }) => steps.some(({ targets }) => targets.some(target => target.id === id)))
}

function State({ channel, isUsed }: { channel: Channel; isUsed: boolean }) {
  const { t } = useTranslation('alerts')
  if (channel.held_by_plan) return t('channels.state.plan')
  if (!channel.is_enabled) return t('channels.state.off')
  const waiting = channel.recipients?.filter(({ state }) => state === 'pending').length ?? 0
  if (channel.failing_since)
    return (
      <strong className="down">
        {t('channels.state.failing')} <Moment at={channel.failing_since} />
      </strong>
    )
  const refused = channel.recipients?.flatMap(({ email, state }) => (state === 'refused' ? [email] : [])) ?? []
  if (refused.length > 0)
    return <strong className="down">{t('channels.state.refused', { addresses: refused.join(', ') })}</strong>
  if (!isUsed) return <strong className="down">{t('channels.state.unused')}</strong>
  return waiting > 0 ? t('channels.state.unconfirmed', { count: waiting }) : t('channels.state.on')
}
