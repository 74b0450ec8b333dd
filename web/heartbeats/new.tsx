import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { Form, FormActions, SubmitButton, useFields } from '../parts/form.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { usePerson } from '../shell/session.ts'
import { readAgain } from './queries.ts'
import { bodyOfFields, type Fields, ScheduleFields } from './schedule.tsx'

/** A job and its schedule. Leads to its page, which shows the address to ping. */
export function NewHeartbeat() {
  const { t } = useTranslation('heartbeats')
  const navigate = useNavigate()
  const { timezone } = usePerson()
  const [fields, put] = useFields<Fields>({
    ...{ name: '', schedule_kind: 'simple', schedule: '', timezone, period_minutes: 60, grace_minutes: 5 },
    max_run_minutes: Number.NaN,
  })
  const create = useMutation({
    mutationFn: (body: Schemas['NewCronMonitor']) => bodyOf(api.POST('/api/v1/cron-monitors', { body })),
    onSuccess: async ({ data }) => {
      await readAgain()
      await navigate({ to: '/app/heartbeats/$monitor', params: { monitor: data.id } })
    },
  })
  return (
    <div className="page">
      <PageHead title={t('new.title')} subtitle={<p>{t('new.says')}</p>} />
      <Form mutation={create} body={() => bodyOfFields(fields) as Schemas['NewCronMonitor']}>
        <ScheduleFields value={fields} onChange={put} />
        <FormActions>
          <SubmitButton>{t('new.create')}</SubmitButton>
        </FormActions>
      </Form>
    </div>
  )
}
