import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { CheckboxField, SelectField, SwitchField, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { toast } from '../parts/toast.tsx'
import { type Policy, readAlertsAgain } from './queries.ts'
import { type TargetType, useTargets } from './target-names.ts'
import './alerts.css'

type Step = Schemas['EscalationStepChange']
type Target = Step['targets'][number]

const severities = ['critical', 'major', 'minor'] as const
const targetTypes = ['user', 'schedule', 'channel', 'team'] as const
const positions = ['current', 'next'] as const
const none = 'none'
const mostSteps = 20

interface Props {
  policy: Policy | null
  policies: readonly Policy[]
  onClose(): void
}

/** Steps in their order, how often they repeat, and the policy that goes on when nobody has acknowledged. */
export function PolicyEditor({ policy, policies, onClose }: Props) {
  const { t } = useTranslation('alerts')
  const [name, setName] = useState(policy?.name ?? '')
  const [isDefault, setDefault] = useState(policy?.is_default ?? false)
  const [repeats, setRepeats] = useState(policy?.repeat_count ?? 0)
  const [delay, setDelay] = useState(policy?.repeat_delay_minutes ?? 10)
  const [fallback, setFallback] = useState(policy?.fallback_policy_id ?? null)
  const [steps, setSteps] = useState<readonly Step[]>(policy ? policy.steps.map(stepOf) : [firstStep])
  const putStep = (at: number, step: Step) => setSteps(steps.map((each, index) => (index === at ? step : each)))
  const save = async () => {
    const fields = { name, is_default: isDefault, repeat_count: repeats, repeat_delay_minutes: delay }
    const body = { ...fields, fallback_policy_id: fallback, steps: [...steps] }
    if (policy === null) await bodyOf(api.POST('/api/v1/escalation-policies', { body }))
    else {
      const params = { path: { escalation_policy: policy.id } }
      await bodyOf(api.PATCH('/api/v1/escalation-policies/{escalation_policy}', { params, body }))
    }
    await readAlertsAgain()
    toast.success(t('saved'))
  }
  return (
    <FormDialog title={policy?.name ?? t('policies.new')} submit={t('save')} onClose={onClose} act={save}>
      <TextField label={t('name')} name="name" isRequired autoFocus value={name} onChange={setName} />
      <SwitchField
        label={t('policies.isDefault')}
        description={t('policies.isDefault.says')}
        name="is_default"
        isSelected={isDefault}
        onChange={setDefault}
      />
      {steps.map((step, at) => (
        // steps have no name of their own before they are saved, and keep their place while they are edited
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <fieldset key={at} className="policy-step">
          <legend>{t('step.title', { number: at + 1 })}</legend>
          <StepFields at={at} step={step} onChange={next => putStep(at, next)} />
          {steps.length > 1 && (
            <Button icon="delete" onPress={() => setSteps(steps.filter(each => each !== step))}>
              {t('step.remove', { number: at + 1 })}
            </Button>
          )}
        </fieldset>
      ))}
      {steps.length < mostSteps && (
        <div>
          <Button icon="add" onPress={() => setSteps([...steps, { ...firstStep, delay_minutes: 10 }])}>
            {t('step.add')}
          </Button>
        </div>
      )}
      <NumberField
        label={t('policies.repeatCount')}
        name="repeat_count"
        minValue={0}
        maxValue={10}
        value={repeats}
        onChange={setRepeats}
      />
      {repeats > 0 && (
        <NumberField
          label={t('policies.repeatDelay')}
          name="repeat_delay_minutes"
          unit={t('minutes')}
          minValue={1}
          value={delay}
          onChange={setDelay}
        />
      )}
      {policies.some(({ id }) => id !== policy?.id) && (
        <SelectField
          label={t('policies.fallback')}
          description={t('policies.fallback.says')}
          name="fallback_policy_id"
          value={fallback ?? none}
          onChange={id => setFallback(id === none ? null : id)}
          choices={[
            { id: none, label: t('policies.fallback.none') },
            ...policies.filter(({ id }) => id !== policy?.id).map(({ id, name: label }) => ({ id, label })),
          ]}
        />
      )}
    </FormDialog>
  )
}

const firstStep: Step = { delay_minutes: 1, assignment: 'all', targets: [{ type: 'team', id: null }] }

const stepOf = ({ id, delay_minutes, assignment, only_if, targets }: Policy['steps'][number]): Step => ({
  ...{ id, delay_minutes, assignment, only_if },
  targets: targets.map(({ type, id: target, position }) => ({ type, id: target, ...(position && { position }) })),
})

function StepFields({ at, step, onChange }: { at: number; step: Step; onChange(step: Step): void }) {
  const { t } = useTranslation('alerts')
  const { targets, only_if: condition } = step
  const putTarget = (index: number, target: Target) =>
    onChange({ ...step, targets: targets.map((each, place) => (place === index ? target : each)) })
  const chosen = condition?.severity ?? []
  const setSeverity = (severity: (typeof severities)[number], isOn: boolean) => {
    const next = isOn ? [...chosen, severity] : chosen.filter(each => each !== severity)
    const rest = { ...condition, severity: next.length > 0 ? next : null }
    const isEmpty = Object.values(rest).every(value => value === null || value === undefined)
    onChange({ ...step, only_if: isEmpty ? null : rest })
  }
  return (
    <>
      <NumberField
        label={t('step.delay')}
        description={t(at === 0 ? 'step.delay.first' : 'step.delay.later')}
        name={`steps.${at}.delay_minutes`}
        unit={t('minutes')}
        minValue={1}
        value={step.delay_minutes}
        onChange={minutes => onChange({ ...step, delay_minutes: minutes })}
      />
      {targets.map((target, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: targets have no name of their own and keep their place
        <div key={index} className="row policy-target">
          <TargetFields
            name={`steps.${at}.targets.${index}`}
            target={target}
            onChange={next => putTarget(index, next)}
          />
          {targets.length > 1 && (
            <Button
              icon="delete"
              aria-label={t('step.target.remove', { number: index + 1 })}
              onPress={() => onChange({ ...step, targets: targets.filter(each => each !== target) })}
            />
          )}
        </div>
      ))}
      <div>
        <Button icon="add" onPress={() => onChange({ ...step, targets: [...targets, { type: 'team', id: null }] })}>
          {t('step.target.add')}
        </Button>
      </div>
      {targets.length > 1 && (
        <SelectField
          label={t('step.assignment')}
          value={step.assignment ?? 'all'}
          onChange={assignment => onChange({ ...step, assignment })}
          choices={(['all', 'round_robin'] as const).map(id => ({ id, label: t(`assignment.${id}`) }))}
        />
      )}
      <fieldset className="plain">
        <legend>{t('step.severity')}</legend>
        <div className="row">
          {severities.map(severity => (
            <CheckboxField
              key={severity}
              label={t(`severity.${severity}`)}
              isSelected={chosen.includes(severity)}
              onChange={isOn => setSeverity(severity, isOn)}
            />
          ))}
        </div>
      </fieldset>
    </>
  )
}

function TargetFields({ name, target, onChange }: { name: string; target: Target; onChange(target: Target): void }) {
  const { t } = useTranslation('alerts')
  const targets = useTargets()
  const choices = target.type === 'team' ? [] : targets[target.type]
  const choose = (type: TargetType) => onChange({ type, id: type === 'team' ? null : (targets[type][0]?.id ?? null) })
  return (
    <>
      <SelectField
        label={t('step.target')}
        name={`${name}.type`}
        value={target.type}
        onChange={choose}
        choices={targetTypes.map(id => ({ id, label: t(`targetType.${id}`) }))}
      />
      {target.type !== 'team' && (
        <SelectField
          label={t(`targetType.${target.type}`)}
          name={`${name}.id`}
          value={target.id ?? null}
          onChange={id => onChange({ ...target, id })}
          choices={choices.map(({ id, name: label }) => ({ id, label }))}
        />
      )}
      {target.type === 'schedule' && (
        <SelectField
          label={t('step.position')}
          value={target.position ?? 'current'}
          onChange={position => onChange({ ...target, position })}
          choices={positions.map(id => ({ id, label: t(`position.${id}`) }))}
        />
      )}
    </>
  )
}
