import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { KeyField } from './key-field.tsx'
import { type Migration, readAgain } from './queries.ts'
import { sources } from './sources.ts'

/** Begins the shadow: with a key of the provider's API, where it can be asked for its statuses. */
export function Shadow({ migration: { id, provider, is_compared: isCompared } }: { migration: Migration }) {
  const { t } = useTranslation('migrations')
  const [key, setKey] = useState('')
  const [address, setAddress] = useState('')
  const path = `/migrations/${id}/shadow`
  const body = (sent: string) => ({ ...(address && { base_url: address }), ...(sent && { api_key: sent }) })
  const begin = useMutation({
    mutationFn: () => {
      const params = { path: { migration: id } }
      return bodyOf(api.POST('/api/v1/migrations/{migration}/shadow', { params, body: body(key) }))
    },
    onSuccess: readAgain,
  })
  return (
    <section className="card">
      <h2>{t('shadow.begin')}</h2>
      <p>{t('step.shadow.says')}</p>
      <p className="soft">{t(isCompared ? 'shadow.compared' : 'shadow.alone')}</p>
      <Form mutation={begin} body={() => undefined} call={{ method: 'POST', path, body: () => body(key && '…') }}>
        {isCompared && sources[provider].reads === 'file' && (
          <TextField
            name="base_url"
            label={t('field.address')}
            description={t('shadow.address.says')}
            isCode
            value={address}
            onChange={setAddress}
          />
        )}
        {isCompared && <KeyField provider={provider} value={key} onChange={setKey} />}
        <FormActions>
          <SubmitButton>{t('shadow.begin')}</SubmitButton>
        </FormActions>
      </Form>
    </section>
  )
}
