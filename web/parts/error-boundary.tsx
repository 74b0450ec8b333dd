import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api.ts'
import { Button } from './button.tsx'
import { mend } from './mend.ts'
import { messageOf } from './problem.ts'

/**
 * Stands where a page has failed: what went wrong, the number of the request, and "Try again". What the server or the
 * way to it was at fault for is tried again by itself.
 */
export function RouteError({ error }: ErrorComponentProps) {
  const { t, i18n } = useTranslation('parts')
  const router = useRouter()
  const { reset } = useQueryErrorResetBoundary()
  // failed queries are asked again when the page is shown again
  useEffect(() => reset(), [reset])
  useEffect(() => mend(error, () => void router.invalidate()), [error, router])
  return (
    <div className="page" role="alert">
      <h1>{t('error.title')}</h1>
      <p>{messageOf(error, i18n)}</p>
      {error instanceof ApiError && error.requestId && (
        <p className="soft">
          {t('error.requestId')} <code>{error.requestId}</code>
        </p>
      )}
      {error instanceof ApiError && error.code === 'operator_factor_needed' && (
        <p>
          <a href="/account/second-factor">{t('error.secondFactor')}</a>
        </p>
      )}
      <div>
        <Button icon="refresh" onPress={() => void router.invalidate()}>
          {t('error.again')}
        </Button>
      </div>
    </div>
  )
}
