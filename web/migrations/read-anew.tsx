import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { FileField } from './file-field.tsx'
import { KeyField } from './key-field.tsx'
import { type Migration, readAgain, sendFile } from './queries.ts'
import { sources } from './sources.ts'

/** Sends the file again, or has the API of the provider read again. */
export function ReadAnew({ migration: { id, provider, has_credentials: hasKey } }: { migration: Migration }) {
  const { t } = useTranslation('migrations')
  const { reads, accept } = sources[provider]
  const [file, setFile] = useState<File | null>(null)
  const [key, setKey] = useState('')
  const read = useMutation({
    mutationFn: async () => {
      if (file) return sendFile(id, file)
      const params = { path: { migration: id } }
      const body = key ? { api_key: key } : {}
      return bodyOf(api.POST('/api/v1/migrations/{migration}/preview', { params, body }))
    },
    onSuccess: readAgain,
  })
  return (
    <Form mutation={read} body={() => undefined}>
      {reads === 'file' ? (
        <FileField
          name="body"
          label={t('field.file')}
          description={t(`source.${provider}.says`)}
          accept={accept}
          onChange={setFile}
        />
      ) : (
        !hasKey && <KeyField provider={provider} value={key} onChange={setKey} />
      )}
      <FormActions>
        <SubmitButton>{t('start.submit')}</SubmitButton>
      </FormActions>
    </Form>
  )
}
