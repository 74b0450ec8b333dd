import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { KeyField } from './key-field.tsx'
import { type Migration, readAgain } from './queries.ts'

/** Begins the shadow: with a key of the provider's API, where it can be asked for its statuses. */
export function Shadow({ migration: { id, provider, is_compared: isCompared } }: { migration: Migration }) {
  const { t } = useTranslation('migrations')
  const [key, setKey] = useState('')
  const path = `/migrations/${id}/shadow`
  const begin = useMutation({
    mutationFn: () => {
      const params = { path: { migration: id } }
      const body = key ? { api_key: key } : {}
      return bodyOf(api.POST('/api/v1/migrations/{migration}/shadow', { params, body }))
    },
    onSuccess: readAgain,
  })
  return (
    <section className="card">
      <h2>{t('shadow.begin')}</h2>
      <p>{t('step.shadow.says')}</p>
      <p className="soft">{t(isCompared ? 'shadow.compared' : 'shadow.alone')}</p>
      <Form
        mutation={begin}
        body={() => undefined}
        call={{ method: 'POST', path, body: () => (key ? { api_key: '…' } : {}) }}
      >
        {isCompared && <KeyField provider={provider} value={key} onChange={setKey} />}
        <FormActions>
          <SubmitButton>{t('shadow.begin')}</SubmitButton>
        </FormActions>
      </Form>
    </section>
  )
}
