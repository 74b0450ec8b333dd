import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../../access/actions.tsx'
import { api, bodyOf, type Schemas } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Table } from '../../parts/table.tsx'
import { Moment } from '../../parts/time.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import { webhooksQuery } from '../queries.ts'
import { WebhookEditor } from './editor.tsx'
import { Sample } from './sample.tsx'
import { FilterTester } from './tester.tsx'

type Webhook = Schemas['ResellerWebhook']

/** Where events of managed teams go. */
export function Webhooks() {
  const { t } = useTranslation('console')
  const { data } = useQuery(webhooksQuery)
  const [edited, setEdited] = useState<Webhook | 'new' | null>(null)
  const [sampled, setSampled] = useState<Webhook | null>(null)
  const [deleted, setDeleted] = useState<Webhook | null>(null)
  const create = (
    <Button variant="primary" icon="add" onPress={() => setEdited('new')}>
      {t('webhooks.new')}
    </Button>
  )
  return (
    <>
      <section className="card">
        <div className="row spread">
          <h2>{t('nav.webhooks')}</h2>
          {create}
        </div>
        <p className="soft">{t('webhooks.says')}</p>
        {data?.meta.total === 0 ? (
          <EmptyState title={t('webhooks.empty')} action={create}>
            {t('webhooks.empty.says')}
          </EmptyState>
        ) : (
          <Table
            caption={t('nav.webhooks')}
            rows={data?.data}
            keyOf={({ id }) => id}
            columns={[
              {
                id: 'name',
                header: t('webhooks.name'),
                cell: webhook => (
                  <>
                    <Link to="/console/webhooks/$webhook" params={{ webhook: webhook.id }}>
                      {webhook.name}
                    </Link>
                    <small className="soft">{webhook.url}</small>
                  </>
                ),
              },
              {
                id: 'events',
                header: t('webhooks.events'),
                cell: ({ events }) => t('webhooks.events.chosen', { count: events.length }),
              },
              {
                id: 'filter',
                header: t('nav.teams'),
                cell: ({ tenant_filter: filter }) => filter?.labels.join(', ') || t('webhooks.all'),
              },
              { id: 'state', header: t('webhooks.state'), cell: webhook => <State webhook={webhook} /> },
              {
                id: 'actions',
                header: '',
                cell: webhook => (
                  <Actions
                    label={t('webhooks.actions', { name: webhook.name })}
                    actions={[
                      { id: 'edit', label: t('edit'), act: () => setEdited(webhook) },
                      { id: 'sample', label: t('webhooks.sample'), act: () => setSampled(webhook) },
                      { id: 'delete', label: t('delete'), act: () => setDeleted(webhook), isDanger: true },
                    ]}
                  />
                ),
              },
            ]}
          />
        )}
        {edited && <WebhookEditor webhook={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
        {sampled && <Sample webhook={sampled} onClose={() => setSampled(null)} />}
        {deleted && (
          <FormDialog
            title={t('webhooks.delete.title', { name: deleted.name })}
            says={t('webhooks.delete.says')}
            submit={t('delete')}
            isDanger
            onClose={() => setDeleted(null)}
            act={async () => {
              const params = { path: { webhook: deleted.id } }
              await bodyOf(api.DELETE('/api/v1/reseller/webhooks/{webhook}', { params }))
              await refresh(webhooksQuery.queryKey)
              toast.success(t('webhooks.deleted'))
            }}
          />
        )}
      </section>
      <FilterTester />
    </>
  )
}

function State({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation('console')
  if (!webhook.is_enabled) return t('webhooks.state.off')
  if (!webhook.failing_since) return t('webhooks.state.on')
  return (
    <strong className="down">
      {t('webhooks.state.failing')} <Moment at={webhook.failing_since} />
    </strong>
  )
}
