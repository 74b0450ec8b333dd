import { useTranslation } from 'react-i18next'
import { Ask } from '../access/ask.tsx'
import { say } from '../access/say.ts'
import { api, bodyOf } from '../api.ts'
import { readAgain, type Schedule } from './queries.ts'

/** Asks before a schedule is deleted. The API refuses while an escalation policy calls it, and names the policy. */
export function DeleteSchedule({ schedule: { id, name }, onClose }: { schedule: Schedule; onClose(): void }) {
  const { t } = useTranslation('on-call')
  const act = async () => {
    const params = { path: { on_call_schedule: id } }
    await bodyOf(api.DELETE('/api/v1/on-call-schedules/{on_call_schedule}', { params }))
    await readAgain()
    say(t('deleted', { name }))
  }
  return (
    <Ask
      title={t('delete.title', { name })}
      says={t('delete.says')}
      submit={t('delete')}
      isDanger
      onClose={onClose}
      act={act}
    />
  )
}
