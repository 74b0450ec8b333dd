import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { SwitchField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { toast } from '../parts/toast.tsx'
import { refresh } from '../queries.ts'

/** Whether members need a second factor, and how long those without one have. */
export function SignInRules({ policy }: { policy: Schemas['SecurityPolicy'] }) {
  const { t } = useTranslation('team')
  const [isRequired, setRequired] = useState(policy.mfa_required)
  const [days, setDays] = useState(policy.mfa_grace_days)
  const save = async () => {
    const body = { mfa_required: isRequired, mfa_grace_days: days }
    await bodyOf(api.PATCH('/api/v1/security-policy', { body }))
    await refresh(['security-policy'])
    toast.success(t('policy.saved'))
  }
  const saving = useMutation({ mutationFn: save })
  return (
    <section className="card">
      <h2>{t('policy')}</h2>
      {policy.members_without_mfa > 0 && <p>{t('policy.missing', { count: policy.members_without_mfa })}</p>}
      <Form mutation={saving} body={() => undefined}>
        <SwitchField
          label={t('policy.required')}
          description={t('policy.required.says')}
          name="mfa_required"
          isSelected={isRequired}
          onChange={setRequired}
        />
        {isRequired && (
          <NumberField
            label={t('policy.grace')}
            name="mfa_grace_days"
            minValue={0}
            maxValue={30}
            value={days}
            onChange={setDays}
          />
        )}
        <FormActions>
          <SubmitButton>{t('save')}</SubmitButton>
        </FormActions>
      </Form>
    </section>
  )
}
