import { useTranslation } from 'react-i18next'
import { TextField } from '../parts/field.tsx'
import { type Provider, sources } from './sources.ts'

/** The key of a provider's API, which is sent and never shown again. */
export function KeyField({
  provider,
  value,
  onChange,
}: {
  provider: Provider
  value: string
  onChange(key: string): void
}) {
  const { t } = useTranslation('migrations')
  return (
    <TextField
      name="api_key"
      label={t('field.key')}
      description={`${sources[provider].reads === 'api' ? t(`source.${provider}.says`) : ''} ${t('field.key.says')}`}
      type="password"
      autoComplete="off"
      isCode
      value={value}
      onChange={onChange}
    />
  )
}
