import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { useTimes } from '../parts/time.tsx'
import { toast } from '../parts/toast.tsx'
import { pathOf, previewQuery, readAgain, type Schedule } from './queries.ts'

/** How far ahead shifts are offered. */
const daysAhead = 56
const dayMs = 86_400_000

/** Two people take over one shift of each other. */
export function SwapDialog({ schedule: { id }, onClose }: { schedule: Schedule; onClose(): void }) {
  const { t } = useTranslation('on-call')
  const times = useTimes()
  const [now] = useState(Date.now)
  const { data } = useQuery(previewQuery(id, now, now + daysAhead * dayMs))
  const [first, setFirst] = useState<string | null>(null)
  const [second, setSecond] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const shifts = data?.shifts ?? []
  const nameOf = (user: string) => data?.users.find(({ user_id: each }) => each === user)?.name ?? user
  const shiftAt = (at: string | null) => shifts.find(({ starts_at: each }) => each === at)
  const choicesOf = (offered: typeof shifts) =>
    offered.map(({ user_id, starts_at, ends_at }) => ({
      id: starts_at,
      label: nameOf(user_id),
      description: `${times.absolute(starts_at)} – ${times.absolute(ends_at)}`,
    }))
  const sideOf = (at: string | null) => {
    const { user_id = '', starts_at = '', ends_at = '' } = shiftAt(at) ?? {}
    return { user_id, starts_at, ends_at }
  }
  const swap = async () => {
    const body = { first: sideOf(first), second: sideOf(second), reason: reason.trim() || null }
    await bodyOf(api.POST('/api/v1/on-call-schedules/{on_call_schedule}/swap', { params: pathOf(id), body }))
    await readAgain()
    toast.success(t('swap.done'))
  }
  return (
    <FormDialog title={t('swap')} says={t('swap.says')} submit={t('swap.submit')} onClose={onClose} act={swap}>
      <SelectField
        label={t('swap.first')}
        name="first"
        isRequired
        // a press on a field without choices would be lost
        isDisabled={shifts.length === 0}
        value={first}
        onChange={setFirst}
        choices={choicesOf(shifts)}
      />
      <SelectField
        label={t('swap.second')}
        name="second"
        isRequired
        isDisabled={first === null}
        value={second}
        onChange={setSecond}
        choices={choicesOf(shifts.filter(({ user_id }) => user_id !== shiftAt(first)?.user_id))}
      />
      <TextField label={t('override.reason')} name="reason" maxLength={255} value={reason} onChange={setReason} />
    </FormDialog>
  )
}
