import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { type Migration, readAgain } from './queries.ts'

/** Asks before a migration is cancelled. */
export function CancelDialog({ migration: { id, name }, onClose }: { migration: Migration; onClose(): void }) {
  const { t } = useTranslation('migrations')
  return (
    <FormDialog
      title={t('cancel.title', { name })}
      says={t('cancel.says')}
      submit={t('cancel')}
      isDanger
      onClose={onClose}
      act={async () => {
        await bodyOf(api.POST('/api/v1/migrations/{migration}/cancel', { params: { path: { migration: id } } }))
        await readAgain()
      }}
    />
  )
}
