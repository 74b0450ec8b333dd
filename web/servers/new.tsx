import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OwnSession } from '../access/own-session.tsx'
import { api, bodyOf } from '../api.ts'
import { readMonitorsAgain } from '../monitors/actions.ts'
import { TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Install } from './install.tsx'
import { serverQuery } from './queries.ts'

/** A name, then the line to paste on the server. */
export function NewServer() {
  const { t } = useTranslation('servers')
  const [name, setName] = useState('')
  const create = useMutation({
    mutationFn: (body: { name: string }) => bodyOf(api.POST('/api/v1/agent-monitors', { body })),
    onSuccess: () => readMonitorsAgain(),
  })
  const made = create.data
  return (
    <div className="page">
      <PageHead title={made ? made.data.name : t('new.title')} />
      {made ? (
        <>
          <Install install={made.install} />
          <Arrival id={made.data.id} />
        </>
      ) : (
        <OwnSession>
          <Form mutation={create} body={() => ({ name })}>
            <TextField
              name="name"
              label={t('field.name')}
              description={t('new.nameSays')}
              value={name}
              onChange={setName}
              isRequired
              autoFocus
            />
            <FormActions>
              <SubmitButton>{t('new.create')}</SubmitButton>
            </FormActions>
          </Form>
        </OwnSession>
      )}
    </div>
  )
}

/** Turns green with the first report. */
function Arrival({ id }: { id: string }) {
  const { t } = useTranslation('servers')
  const { data } = useQuery({ ...serverQuery(id), refetchInterval: 2_000 })
  const hasArrived = data !== undefined && data.last_heard_at !== null
  return (
    <section className="card">
      <p role="status" className={hasArrived ? 'up' : 'soft'}>
        {t(hasArrived ? 'new.arrived' : 'new.waits')}
      </p>
      <p>
        <Link to="/app/servers/$monitor" params={{ monitor: id }}>
          {t('new.open')}
        </Link>
      </p>
    </section>
  )
}
