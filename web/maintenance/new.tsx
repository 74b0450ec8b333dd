import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Form, FormActions, SubmitButton, useFields } from '../parts/form.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { usePerson } from '../shell/session.ts'
import { bodyOfFields, emptyFields, PublishingFields, TimeFields, TitleFields, WorkFields } from './fields.tsx'
import { type NewWindow, readAgain } from './queries.ts'
import './maintenance.css'

/** Plans work; leads to the page of its window. */
export function NewMaintenance() {
  const { t } = useTranslation('maintenance')
  const navigate = useNavigate()
  const { page } = useSearch({ from: '/app/app/maintenance/new' })
  const { timezone } = usePerson()
  const [fields, put] = useFields(() => ({
    ...emptyFields(timezone),
    status_page_ids: page === undefined ? [] : [page],
  }))
  const create = useMutation({
    mutationFn: (body: NewWindow) => bodyOf(api.POST('/api/v1/maintenance-windows', { body })),
    onSuccess: async ({ data }) => {
      await readAgain()
      await navigate({ to: '/app/maintenance/$window', params: { window: data.id } })
    },
  })
  return (
    <div className="page">
      <PageHead title={t('new')} subtitle={<p>{t('new.says')}</p>} />
      <Form
        mutation={create}
        body={() => bodyOfFields(fields)}
        call={{ method: 'POST', path: '/maintenance-windows' }}
        aria-label={t('new')}
      >
        <TitleFields value={fields} onChange={put} />
        <TimeFields value={fields} onChange={put} />
        <WorkFields value={fields} onChange={put} />
        <PublishingFields value={fields} onChange={put} />
        <FormActions>
          <SubmitButton>{t('new.create')}</SubmitButton>
        </FormActions>
      </Form>
    </div>
  )
}
