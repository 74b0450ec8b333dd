import { useQuery } from '@tanstack/react-query'
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
import { templatesQuery } from '../queries.ts'
import { Apply } from './apply.tsx'
import { TemplateEditor } from './editor.tsx'

type Template = Schemas['MonitorTemplate']

/** Monitors that a reseller creates in teams at once. */
export function Templates() {
  const { t } = useTranslation('console')
  const { data } = useQuery(templatesQuery)
  const [edited, setEdited] = useState<Template | 'new' | null>(null)
  const [deleted, setDeleted] = useState<Template | null>(null)
  const [applied, setApplied] = useState<Template | null>(null)
  const create = (
    <Button variant="primary" icon="add" onPress={() => setEdited('new')}>
      {t('templates.new')}
    </Button>
  )
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('nav.templates')}</h2>
        {create}
      </div>
      <p className="soft">{t('templates.says', { example: '{{domain}}', interpolation: { escapeValue: false } })}</p>
      {data?.meta.total === 0 ? (
        <EmptyState title={t('templates.empty')} action={create}>
          {t('templates.empty.says')}
        </EmptyState>
      ) : (
        <Table
          caption={t('nav.templates')}
          rows={data?.data}
          keyOf={({ id }) => id}
          columns={[
            { id: 'name', header: t('templates.name'), cell: ({ name }) => name },
            {
              id: 'monitors',
              header: t('templates.monitors'),
              cell: ({ monitors }) => monitors.map(monitor => monitor.name_template).join(', '),
            },
            {
              id: 'variables',
              header: t('templates.variables'),
              cell: ({ variables }) => variables.map(({ name }) => name).join(', ') || '–',
            },
            { id: 'changed', header: t('templates.changed'), cell: ({ updated_at: at }) => <Moment at={at} /> },
            {
              id: 'actions',
              header: '',
              cell: template => (
                <Actions
                  label={t('templates.actions', { name: template.name })}
                  actions={[
                    { id: 'apply', label: t('templates.apply'), act: () => setApplied(template) },
                    { id: 'edit', label: t('edit'), act: () => setEdited(template) },
                    { id: 'delete', label: t('delete'), act: () => setDeleted(template), isDanger: true },
                  ]}
                />
              ),
            },
          ]}
        />
      )}
      {edited && <TemplateEditor template={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {applied && <Apply template={applied} onClose={() => setApplied(null)} />}
      {deleted && (
        <FormDialog
          title={t('templates.delete.title', { name: deleted.name })}
          says={t('templates.delete.says')}
          submit={t('delete')}
          isDanger
          onClose={() => setDeleted(null)}
          act={async () => {
            const path = { monitor_template: deleted.id }
            await bodyOf(api.DELETE('/api/v1/reseller/monitor-templates/{monitor_template}', { params: { path } }))
            await refresh(templatesQuery.queryKey)
            toast.success(t('templates.deleted'))
          }}
        />
      )}
    </section>
  )
}
