import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf, type Schemas } from '../api.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { toast } from '../parts/toast.tsx'
import { FileField } from './file-field.tsx'
import { KeyField } from './key-field.tsx'
import { readAgain, sendFile } from './queries.ts'
import { type Provider, providers, sources } from './sources.ts'
import '../monitors/monitors.css'
import './migrations.css'

type NewMigration = Schemas['NewMigration']

/** What must hold before a cutover, with the defaults of the API. */
const defaults = { min_shadow_hours: 24, min_results: 10, max_divergence_percent: 2, latency_factor: 3 }
const bounds: Record<keyof typeof defaults, [number, number]> = {
  min_shadow_hours: [0, 720],
  min_results: [0, 1_000],
  max_divergence_percent: [0, 100],
  latency_factor: [1.5, 100],
}
const optionNames = Object.keys(defaults) as (keyof typeof defaults)[]

/** From which source, and what it is read with. Leads to the preview. */
export function NewMigration() {
  const { t } = useTranslation('migrations')
  const navigate = useNavigate()
  const [provider, setProvider] = useState<Provider>('uptime-kuma')
  const [file, setFile] = useState<File | null>(null)
  const [key, setKey] = useState('')
  const [pingKey, setPingKey] = useState('')
  const [address, setAddress] = useState('')
  const [name, setName] = useState('')
  const [account, setAccount] = useState('')
  const [options, setOptions] = useState(defaults)
  const source = sources[provider]
  const body = (): NewMigration => ({
    provider,
    ...(name && { name }),
    ...(account && { account }),
    ...(source.reads === 'api' && { ...(key && { api_key: key }), ...(address && { base_url: address }) }),
    ...(source.hasPingKey && pingKey && { ping_key: pingKey }),
    options,
  })
  const create = useMutation({
    mutationFn: (migration: NewMigration) => bodyOf(api.POST('/api/v1/migrations', { body: migration })),
    onSuccess: async ({ data }) => {
      // there is a migration now: a file that is refused is sent again on its page
      if (file && source.reads === 'file') await sendFile(data.id, file).catch(toast.failure)
      await readAgain()
      await navigate({ to: '/app/settings/import/$migration', params: { migration: data.id } })
    },
  })
  return (
    <section className="card">
      <h2>{t('start')}</h2>
      <p className="soft">{t('start.says')}</p>
      <Form
        mutation={create}
        body={body}
        call={{
          method: 'POST',
          path: '/migrations',
          body: () => ({ ...body(), ...(key && { api_key: '…' }), ...(pingKey && { ping_key: '…' }) }),
        }}
      >
        <SelectField
          name="provider"
          label={t('field.provider')}
          choices={providers.map(id => ({ id, label: t(`source.${id}`) }))}
          value={provider}
          onChange={chosen => {
            setProvider(chosen)
            setFile(null)
          }}
        />
        {source.reads === 'file' ? (
          <FileField
            key={provider}
            name="body"
            label={t('field.file')}
            description={t(`source.${provider}.says`)}
            accept={source.accept}
            onChange={setFile}
          />
        ) : (
          <>
            <KeyField provider={provider} value={key} onChange={setKey} />
            {source.hasPingKey && (
              <TextField
                name="ping_key"
                label={t('field.pingKey')}
                description={t('field.pingKey.says')}
                type="password"
                autoComplete="off"
                isCode
                value={pingKey}
                onChange={setPingKey}
              />
            )}
            <TextField
              name="base_url"
              label={t('field.address')}
              description={t('field.address.says', { address: source.address })}
              placeholder={source.address ?? ''}
              isCode
              value={address}
              onChange={setAddress}
            />
          </>
        )}
        <details className="advanced">
          <summary>{t('advanced')}</summary>
          <div className="field-columns">
            <TextField
              name="name"
              label={t('field.name')}
              description={t('field.name.says')}
              value={name}
              onChange={setName}
            />
            <TextField
              name="account"
              label={t('field.account')}
              description={t('field.account.says')}
              value={account}
              onChange={setAccount}
            />
            {optionNames.map(option => (
              <NumberField
                key={option}
                name={`options.${option}`}
                label={t(`option.${option}`)}
                description={t(`option.${option}.says`)}
                minValue={bounds[option][0]}
                maxValue={bounds[option][1]}
                value={options[option]}
                onChange={value => setOptions({ ...options, [option]: value })}
              />
            ))}
          </div>
        </details>
        <FormActions>
          <SubmitButton>{t('start.submit')}</SubmitButton>
        </FormActions>
      </Form>
    </section>
  )
}
