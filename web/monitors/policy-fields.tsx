import { useTranslation } from 'react-i18next'
import { SelectField } from '../parts/field.tsx'
import { NumberField } from '../parts/number-field.tsx'
import type { Monitor } from './queries.ts'

/** When a monitor is down: how many regions must agree, and how often each must see it. */
export type PolicyValues = Pick<Monitor, 'region_policy' | 'confirmations' | 'recovery_confirmations'>

export const defaultPolicy: PolicyValues = {
  region_policy: { mode: 'majority', count: null },
  confirmations: 2,
  recovery_confirmations: 2,
}

const modes = ['any', 'majority', 'all', 'count'] as const

interface PolicyFieldsProps {
  value: PolicyValues
  onChange(value: PolicyValues): void
}

export function PolicyFields({ value, onChange }: PolicyFieldsProps) {
  const { t } = useTranslation('monitors')
  const { region_policy: policy, confirmations, recovery_confirmations: recovery } = value
  return (
    <div className="field-columns">
      <SelectField
        name="region_policy.mode"
        label={t('field.policy')}
        choices={modes.map(id => ({ id, label: t(`policy.${id}`) }))}
        value={policy.mode}
        onChange={mode =>
          onChange({ ...value, region_policy: { mode, count: mode === 'count' ? (policy.count ?? 2) : null } })
        }
      />
      {policy.mode === 'count' && (
        <NumberField
          name="region_policy.count"
          label={t('field.count')}
          minValue={1}
          value={policy.count ?? 1}
          onChange={count => onChange({ ...value, region_policy: { mode: 'count', count } })}
        />
      )}
      <NumberField
        name="confirmations"
        label={t('field.confirmations')}
        minValue={1}
        maxValue={10}
        value={confirmations}
        onChange={count => onChange({ ...value, confirmations: count })}
      />
      <NumberField
        name="recovery_confirmations"
        label={t('field.recovery')}
        minValue={1}
        maxValue={10}
        value={recovery}
        onChange={count => onChange({ ...value, recovery_confirmations: count })}
      />
    </div>
  )
}
