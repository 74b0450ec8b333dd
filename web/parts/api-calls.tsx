import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'

// dialogs and their fields are a fourth of the first load, and the first page needs neither
const ApiCallsDialog = lazy(async () => ({ default: (await import('./api-calls-dialog.tsx')).ApiCallsDialog }))

/** The calls behind the page, to be copied as curl. */
export function ApiCalls() {
  const { t } = useTranslation('parts')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" icon="code" aria-label={t('calls.open')} onPress={() => setIsOpen(true)} />
      {isOpen && (
        <Suspense>
          <ApiCallsDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
