import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { toast } from '../parts/toast.tsx'
import { readAgain, type Schedule } from './queries.ts'

/** Asks before a schedule is deleted. The API refuses while an escalation policy calls it, and names the policy. */
export function DeleteSchedule({ schedule: { id, name }, onClose }: { schedule: Schedule; onClose(): void }) {
  const { t } = useTranslation('on-call')
  const act = async () => {
    const params = { path: { on_call_schedule: id } }
    await bodyOf(api.DELETE('/api/v1/on-call-schedules/{on_call_schedule}', { params }))
    await readAgain()
    toast.success(t('deleted', { name }))
  }
  return (
    <FormDialog
      title={t('delete.title', { name })}
      says={t('delete.says')}
      submit={t('delete')}
      isDanger
      onClose={onClose}
      act={act}
    />
  )
}
