import { useTranslation } from 'react-i18next'
import { Tokens } from '../tokens/tokens.tsx'

/** Tokens by which the reseller's own systems act in all managed teams. */
export function ResellerTokens() {
  const { t } = useTranslation('console')
  return (
    <Tokens family="reseller" isFirst>
      <p>
        <a href="/api/v1/openapi.json?audience=reseller">{t('tokens.reference')}</a>
      </p>
    </Tokens>
  )
}
