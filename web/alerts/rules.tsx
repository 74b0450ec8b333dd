import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Table } from '../parts/table.tsx'
import { toast } from '../parts/toast.tsx'
import { usePerson } from '../shell/session.ts'
import { channelsQuery, type Rule, readAlertsAgain, rulesQuery } from './queries.ts'
import { RuleEditor } from './rule-editor.tsx'

/** Which events go to which channel, one sentence a rule. */
export function Rules() {
  const { t } = useTranslation('alerts')
  const { role } = usePerson()
  const { data } = useQuery(rulesQuery)
  const channels = useQuery(channelsQuery).data?.data
  const [edited, setEdited] = useState<Rule | 'new' | null>(null)
  const [deleted, setDeleted] = useState<Rule | null>(null)
  const nameOf = ({ channel_id: id }: Rule) => channels?.find(channel => channel.id === id)?.name ?? id
  const hasNoChannel = channels?.length === 0
  const create =
    role !== 'viewer' &&
    (hasNoChannel ? (
      <Link to="/app/alerts">{t('rules.channelFirst')}</Link>
    ) : (
      <Button variant="primary" icon="add" onPress={() => setEdited('new')}>
        {t('rules.new')}
      </Button>
    ))
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('nav.rules')}</h2>
        {create}
      </div>
      <p className="soft">{t('rules.says')}</p>
      {data?.meta.total === 0 ? (
        <EmptyState title={t('rules.empty')} action={create}>
          {t('rules.empty.says')}
        </EmptyState>
      ) : (
        <Table
          caption={t('nav.rules')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            { id: 'says', header: t('rules.rule'), cell: rule => <Sentence rule={rule} channel={nameOf(rule)} /> },
            ...(role === 'viewer'
              ? []
              : [
                  {
                    id: 'actions',
                    header: '',
                    cell: (rule: Rule) => (
                      <Actions
                        label={t('rules.actions', { name: nameOf(rule) })}
                        actions={[
                          { id: 'edit', label: t('edit'), act: () => setEdited(rule) },
                          { id: 'delete', label: t('delete'), act: () => setDeleted(rule), isDanger: true },
                        ]}
                      />
                    ),
                  },
                ]),
          ]}
        />
      )}
      {edited && channels && (
        <RuleEditor rule={edited === 'new' ? null : edited} channels={channels} onClose={() => setEdited(null)} />
      )}
      {deleted && (
        <FormDialog
          title={t('rules.delete.title')}
          says={t('rules.delete.says', { name: nameOf(deleted) })}
          submit={t('delete')}
          isDanger
          onClose={() => setDeleted(null)}
          act={async () => {
            const params = { path: { notification_rule: deleted.id } }
            await bodyOf(api.DELETE('/api/v1/notification-rules/{notification_rule}', { params }))
            await readAlertsAgain()
            toast.success(t('rules.deleted'))
          }}
        />
      )}
    </section>
  )
}

const shownEvents = 3

/** "incident.created and incident.resolved of monitors tagged prod go to Slack." */
function Sentence({ rule, channel }: { rule: Rule; channel: string }) {
  const { t, i18n } = useTranslation('alerts')
  const list = new Intl.ListFormat(i18n.language)
  const { event_types: types, monitor_filter: filter, tenant_filter: teams } = rule
  const rest = types.length - shownEvents
  const events = list.format([
    ...types.slice(0, shownEvents),
    ...(rest > 0 ? [t('rules.moreEvents', { count: rest })] : []),
  ])
  const parts = [
    ...(filter?.tags.length ? [t('rules.of.tags', { tags: list.format(filter.tags) })] : []),
    ...(filter?.types.length ? [t('rules.of.types', { types: list.format(filter.types) })] : []),
    ...(filter?.monitor_ids.length ? [t('rules.of.monitors', { count: filter.monitor_ids.length })] : []),
  ]
  return (
    <>
      {parts.length > 0
        ? t('rules.sentence.some', { events, channel, which: list.format(parts) })
        : t('rules.sentence.all', { events, channel })}
      {teams && (
        <small className="soft"> {t('rules.of.teams', { count: teams.tenant_ids.length + teams.labels.length })}</small>
      )}
    </>
  )
}
