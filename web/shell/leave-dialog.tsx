import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../parts/dialog.tsx'

interface LeaveDialogProps {
  onLeave(): void
  onStay(): void
}

/** Says that what was typed would be lost. */
export function LeaveDialog({ onLeave, onStay }: LeaveDialogProps) {
  const { t } = useTranslation('parts')
  return (
    <ConfirmDialog
      title={t('leave.title')}
      action={t('leave.leave')}
      isDanger
      isOpen
      onOpenChange={isOpen => isOpen || onStay()}
      onConfirm={async () => onLeave()}
    >
      {t('leave.says')}
    </ConfirmDialog>
  )
}
