import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../../api.ts'
import { Button } from '../../parts/button.tsx'
import { SelectField, TextField } from '../../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../../parts/form.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { toast } from '../../parts/toast.tsx'
import { queries, refresh } from '../../queries.ts'
import { type ManagedTeam, type Plan, plans, teamQuery } from '../queries.ts'

type Step = 'pause' | 'trash' | 'detach'
const again = () => refresh(['reseller'])

/** Name, plan and trial; pause, trash and detach. */
export function Manage({ id }: { id: string }) {
  const team = useSuspenseQuery(teamQuery(id)).data.data
  return (
    <>
      <General key={team.updated_at} team={team} />
      <States team={team} />
    </>
  )
}

function General({ team }: { team: ManagedTeam }) {
  const { t } = useTranslation('console')
  const [draft, setDraft] = useState({
    name: team.name,
    label: team.label ?? '',
    ref: team.external_ref ?? '',
    days: '',
  })
  const [plan, setPlan] = useState(team.plan as Plan)
  const put = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const save = async () => {
    const { name, label, ref, days } = draft
    const body = {
      name,
      plan,
      label: label || null,
      external_ref: ref || null,
      ...(days !== '' && { trial_days: Number(days) }),
    }
    const params = { path: { managed_team: team.id } }
    await bodyOf(api.PATCH('/api/v1/reseller/managed-teams/{managed_team}', { params, body }))
    await again()
    toast.success(t('team.saved'))
  }
  const saving = useMutation({ mutationFn: save })
  return (
    <section className="card">
      <h2>{t('team.general')}</h2>
      <Form mutation={saving} body={() => undefined}>
        <TextField label={t('team.name')} name="name" isRequired value={draft.name} onChange={name => put({ name })} />
        <SelectField
          label={t('teams.plan')}
          name="plan"
          choices={plans.map(each => ({ id: each, label: each }))}
          value={plan}
          onChange={value => setPlan(value)}
        />
        <TextField
          label={t('teams.label')}
          description={t('team.label.says')}
          name="label"
          value={draft.label}
          onChange={label => put({ label })}
        />
        <TextField
          label={t('team.external_ref')}
          description={t('team.external_ref.says')}
          name="external_ref"
          value={draft.ref}
          onChange={ref => put({ ref })}
        />
        <TextField
          label={t('team.trial_days')}
          description={t('team.trial.days.says')}
          name="trial_days"
          inputMode="numeric"
          value={draft.days}
          onChange={days => put({ days })}
        />
        <FormActions>
          <SubmitButton>{t('save')}</SubmitButton>
        </FormActions>
      </Form>
    </section>
  )
}

function States({ team }: { team: ManagedTeam }) {
  const { t } = useTranslation('console')
  const [step, setStep] = useState<Step | null>(null)
  const unpause = async () => {
    const params = { path: { managed_team: team.id } }
    await bodyOf(api.POST('/api/v1/reseller/managed-teams/{managed_team}/unpause', { params }))
    await again()
    toast.success(t('team.unpause.done'))
  }
  const pause = (
    <Button icon="pause" onPress={() => setStep('pause')}>
      {t('team.pause')}
    </Button>
  )
  return (
    <section className="card">
      <h2>{t('teams.state')}</h2>
      <div className="row">
        {team.is_paused ? <Button onPress={unpause}>{t('team.unpause')}</Button> : pause}
        <Button variant="danger" onPress={() => setStep('trash')}>
          {t('team.trash')}
        </Button>
        <Button variant="danger" onPress={() => setStep('detach')}>
          {t('team.detach')}
        </Button>
      </div>
      {step && <StateStep step={step} team={team} onClose={() => setStep(null)} />}
    </section>
  )
}

function StateStep({ step, team, onClose }: { step: Step; team: ManagedTeam; onClose(): void }) {
  const { t } = useTranslation('console')
  const navigate = useNavigate()
  const [reason, setReason] = useState('')
  const { id, name } = team
  const params = { path: { managed_team: id } }
  const path = '/api/v1/reseller/managed-teams/{managed_team}' as const
  const leave = async () => {
    await navigate({ to: '/console/teams' })
    queries.removeQueries({ queryKey: ['reseller', 'team', id] })
  }
  const acts = {
    pause: () => bodyOf(api.POST(`${path}/pause`, { params, body: { reason: reason || null } })),
    trash: async () => {
      await bodyOf(api.DELETE(path, { params, body: { confirm_name: name } }))
      await leave()
    },
    detach: async () => {
      await bodyOf(api.POST(`${path}/decouple`, { params }))
      await leave()
    },
  }
  const isPause = step === 'pause'
  return (
    <FormDialog
      title={isPause ? t('team.pause') : t(`team.${step}.title`, { name })}
      says={t(`team.${step}.says`)}
      submit={t(`team.${step}`)}
      isDanger={!isPause}
      {...(!isPause && { typed: name })}
      onClose={onClose}
      act={async () => {
        await acts[step]()
        await again()
        toast.success(t(`team.${step}.done`, { name }))
      }}
    >
      {isPause && (
        <TextField
          label={t('team.pause.reason')}
          name="reason"
          maxLength={50}
          autoFocus
          value={reason}
          onChange={setReason}
        />
      )}
    </FormDialog>
  )
}
