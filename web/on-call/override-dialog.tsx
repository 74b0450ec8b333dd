import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { useTimes } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import type { Span } from './grid.tsx'
import { localOf, sentOf } from './local.ts'
import { pathOf, peopleQuery, policyChoices, readAgain, type Schedule } from './queries.ts'

interface OverrideDialogProps {
  schedule: Schedule
  span: Span
  onClose(): void
}

/** Whoever is on call. */
const anyone = 'anyone'

/** An override that always counts. */
const always = 'always'

/** A person takes over for a time, for everybody or for one person. */
export function OverrideDialog({ schedule: { id }, span, onClose }: OverrideDialogProps) {
  const { t } = useTranslation('on-call')
  const { zone } = useTimes()
  const { data: people = [] } = useQuery(peopleQuery)
  const [person, setPerson] = useState<string | null>(null)
  const [replaced, setReplaced] = useState(anyone)
  const { data: policies = [] } = useQuery(policyChoices)
  const [policy, setPolicy] = useState(always)
  const [from, setFrom] = useState(localOf(span.from, zone))
  const [to, setTo] = useState(localOf(span.to, zone))
  const [reason, setReason] = useState('')
  const create = async () => {
    const body = {
      user_id: person ?? '',
      replaces_user_id: replaced === anyone ? null : replaced,
      escalation_policy_id: policy === always ? null : policy,
      ...{ starts_at: sentOf(from, zone), ends_at: sentOf(to, zone) },
      reason: reason.trim() || null,
    }
    await bodyOf(api.POST('/api/v1/on-call-schedules/{on_call_schedule}/overrides', { params: pathOf(id), body }))
    await readAgain()
    toast.success(t('override.created'))
  }
  return (
    <FormDialog title={t('override.new')} submit={t('override.create')} onClose={onClose} act={create}>
      <SelectField
        label={t('override.person')}
        name="user_id"
        isRequired
        value={person}
        onChange={setPerson}
        choices={people}
      />
      <SelectField
        label={t('override.replaces')}
        name="replaces_user_id"
        value={replaced}
        onChange={setReplaced}
        choices={[{ id: anyone, label: t('override.anyone') }, ...people.filter(each => each.id !== person)]}
      />
      <TextField
        label={t('override.from')}
        description={t('override.zone', { zone })}
        name="starts_at"
        type="datetime-local"
        isRequired
        value={from}
        onChange={setFrom}
      />
      <TextField label={t('override.to')} name="ends_at" type="datetime-local" isRequired value={to} onChange={setTo} />
      {policies.length > 0 && (
        <SelectField
          label={t('override.policy')}
          name="escalation_policy_id"
          value={policy}
          onChange={setPolicy}
          choices={[{ id: always, label: t('override.always') }, ...policies]}
        />
      )}
      <TextField label={t('override.reason')} name="reason" maxLength={255} value={reason} onChange={setReason} />
    </FormDialog>
  )
}
