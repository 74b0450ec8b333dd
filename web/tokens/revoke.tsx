import { useTranslation } from 'react-i18next'
import { FormDialog } from '../parts/form-dialog.tsx'
import { toast } from '../parts/toast.tsx'

interface RevokeProps {
  name: string
  onClose(): void
  act(): Promise<unknown>
}

export function Revoke({ name, onClose, act }: RevokeProps) {
  const { t } = useTranslation('tokens')
  return (
    <FormDialog
      title={t('delete.title', { name })}
      says={t('delete.says')}
      submit={t('revoke')}
      isDanger
      onClose={onClose}
      act={async () => {
        await act()
        toast.success(t('revoked'))
      }}
    />
  )
}
