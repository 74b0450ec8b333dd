import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { toast } from '../../parts/toast.tsx'
import { refresh } from '../../queries.ts'
import { type ManagedTeam, type Plan, plans } from '../queries.ts'

const actions = ['pause', 'unpause', 'plan', 'label', 'delete'] as const
type Action = (typeof actions)[number]

/** What is done to all selected teams. One that fails does not stop the others: the API says which and why. */
export function Batch({ teams, onDone }: { teams: readonly ManagedTeam[]; onDone(): void }) {
  const { t } = useTranslation('console')
  const [action, setAction] = useState<Action | null>(null)
  return (
    <div className="row" role="toolbar" aria-label={t('teams.actions')}>
      <strong>{t('teams.selected', { count: teams.length })}</strong>
      {actions.map(each => (
        <Button key={each} variant={each === 'delete' ? 'danger' : 'plain'} onPress={() => setAction(each)}>
          {t(`teams.batch.${each}`)}
        </Button>
      ))}
      {action && <BatchStep action={action} teams={teams} onClose={() => setAction(null)} onDone={onDone} />}
    </div>
  )
}

interface StepProps {
  action: Action
  teams: readonly ManagedTeam[]
  onClose(): void
  onDone(): void
}

function BatchStep({ action, teams, onClose, onDone }: StepProps) {
  const { t } = useTranslation('console')
  const [plan, setPlan] = useState<Plan>('starter')
  const [text, setText] = useState('')
  const ids = teams.map(({ id }) => id)
  const bodies = {
    pause: { action: 'pause' as const, ids, reason: text || null },
    unpause: { action: 'unpause' as const, ids },
    plan: { action: 'plan' as const, ids, plan },
    label: { action: 'label' as const, ids, label: text || null },
    delete: {
      action: 'delete' as const,
      ids,
      confirm: Object.fromEntries(teams.map(({ id, name }) => [id, name])),
    },
  }
  const perform = async () => {
    const { data } = await bodyOf(api.POST('/api/v1/reseller/managed-teams/batch', { body: bodies[action] }))
    await refresh(['reseller'])
    onDone()
    const why = data.results.find(({ result }) => result === 'failed')?.message ?? ''
    toast.success(
      data.failed === 0
        ? t('teams.batch.done', { count: data.done })
        : t('teams.batch.failed', { count: data.failed, why }),
    )
  }
  const isDelete = action === 'delete'
  return (
    <FormDialog
      title={isDelete ? t('teams.batch.delete.title') : t(`teams.batch.${action}`)}
      says={isDelete ? t('teams.batch.delete.says') : undefined}
      submit={t(`teams.batch.${action}`)}
      isDanger={isDelete}
      {...(isDelete && { typed: String(ids.length), typedLabel: t('teams.batch.delete.type', { count: ids.length }) })}
      onClose={onClose}
      act={perform}
    >
      <p className="soft">{teams.map(({ name }) => name).join(', ')}</p>
      {action === 'plan' && (
        <SelectField
          label={t('teams.plan')}
          name="plan"
          choices={plans.map(id => ({ id, label: id }))}
          value={plan}
          onChange={value => setPlan(value)}
        />
      )}
      {action === 'label' && (
        <TextField label={t('teams.label')} name="label" autoFocus value={text} onChange={setText} />
      )}
      {action === 'pause' && (
        <TextField
          label={t('team.pause.reason')}
          name="reason"
          maxLength={50}
          autoFocus
          value={text}
          onChange={setText}
        />
      )}
    </FormDialog>
  )
}
