import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Actions } from '../access/actions.tsx'
import { api, bodyOf } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { policiesQuery } from '../shared-queries.ts'
import { usePerson } from '../shell/session.ts'
import { PolicyEditor } from './policy-editor.tsx'
import { type Policy, readAlertsAgain } from './queries.ts'
import { useTargetNames } from './target-names.ts'
import './alerts.css'

/** Who is called when nobody acknowledges an incident: steps, each with its delay and whom it calls. */
export function Policies() {
  const { t, i18n } = useTranslation('alerts')
  const { role } = usePerson()
  const { data } = useQuery(policiesQuery)
  const nameOf = useTargetNames()
  const [edited, setEdited] = useState<Policy | 'new' | null>(null)
  const [deleted, setDeleted] = useState<Policy | null>(null)
  const list = new Intl.ListFormat(i18n.language)
  const create = role !== 'viewer' && (
    <Button variant="primary" icon="add" onPress={() => setEdited('new')}>
      {t('policies.new')}
    </Button>
  )
  return (
    <section className="card">
      <div className="row spread">
        <h2>{t('nav.policies')}</h2>
        {create}
      </div>
      <p className="soft">{t('policies.says')}</p>
      {data === undefined && <div className="loading" role="progressbar" aria-label={t('nav.policies')} />}
      {data?.meta.total === 0 && (
        <EmptyState title={t('policies.empty')} action={create}>
          {t('policies.empty.says')}
        </EmptyState>
      )}
      {data?.data.map(policy => (
        <article key={policy.id} className="policy" aria-label={policy.name}>
          <div className="row spread">
            <h3>
              {policy.name} {policy.is_default && <span className="soft">({t('policies.default')})</span>}
            </h3>
            {role !== 'viewer' && (
              <Actions
                label={t('actions', { name: policy.name })}
                actions={[
                  { id: 'edit', label: t('edit'), act: () => setEdited(policy) },
                  { id: 'delete', label: t('delete'), act: () => setDeleted(policy), isDanger: true },
                ]}
              />
            )}
          </div>
          <ol>
            {policy.steps.map(step => (
              <li key={step.id}>
                {t('policies.step', {
                  count: step.delay_minutes,
                  targets: list.format(step.targets.map(nameOf)),
                  how: t(`assignment.${step.assignment}`),
                })}
                {step.only_if && <span className="soft"> {t('policies.conditional')}</span>}
              </li>
            ))}
          </ol>
          {policy.repeat_count > 0 && (
            <p className="soft">
              {t('policies.repeats', { count: policy.repeat_count, minutes: policy.repeat_delay_minutes })}
            </p>
          )}
        </article>
      ))}
      {edited && data && (
        <PolicyEditor policy={edited === 'new' ? null : edited} policies={data.data} onClose={() => setEdited(null)} />
      )}
      {deleted && (
        <FormDialog
          title={t('policies.delete.title', { name: deleted.name })}
          says={t('policies.delete.says')}
          submit={t('delete')}
          isDanger
          onClose={() => setDeleted(null)}
          act={async () => {
            const params = { path: { escalation_policy: deleted.id } }
            await bodyOf(api.DELETE('/api/v1/escalation-policies/{escalation_policy}', { params }))
            await readAlertsAgain()
            toast.success(t('deleted', { name: deleted.name }))
          }}
        />
      )}
    </section>
  )
}
