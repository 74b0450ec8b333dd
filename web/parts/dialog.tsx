import { type ReactElement, type ReactNode, useState } from 'react'
import { Dialog as AriaDialog, DialogTrigger, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Failure } from './failure.tsx'
import { TextField } from './field.tsx'
import './dialog.css'

interface Opening {
  /** A button that opens the dialog; without one, `isOpen` does. The focus goes back to where it was. */
  trigger?: ReactElement
  isOpen?: boolean
  onOpenChange?(isOpen: boolean): void
}

export interface DialogProps extends Opening {
  title: ReactNode
  /** What stands in the dialog; `close` closes it. */
  children(close: () => void): ReactNode
  isWide?: boolean
  /** For questions that must be answered. */
  isAlert?: boolean
  /** Whether a press beside the dialog closes it; by default of all but questions. */
  isDismissable?: boolean
}

export function Dialog({ trigger, title, children, isWide, isOpen, onOpenChange, ...rest }: DialogProps) {
  const { isAlert = false, isDismissable = !isAlert } = rest
  const { t } = useTranslation('parts')
  const opening = { ...(isOpen !== undefined && { isOpen }), ...(onOpenChange && { onOpenChange }) }
  const overlay = (
    <ModalOverlay className="dialog-back" isDismissable={isDismissable} {...(!trigger && opening)}>
      <Modal className={isWide ? 'dialog-frame wide' : 'dialog-frame'}>
        <AriaDialog className="dialog" role={isAlert ? 'alertdialog' : 'dialog'}>
          {({ close }) => (
            <>
              <div className="dialog-head">
                <Heading slot="title" level={2}>
                  {title}
                </Heading>
                <Button variant="quiet" icon="close" aria-label={t('dialog.close')} onPress={close} />
              </div>
              {children(close)}
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
  if (!trigger) return overlay
  return (
    <DialogTrigger {...opening}>
      {trigger}
      {overlay}
    </DialogTrigger>
  )
}

export interface ConfirmDialogProps extends Opening {
  title: ReactNode
  /** What will happen. */
  children: ReactNode
  /** The word of the button that does it: a verb, such as "Delete monitor". */
  action: string
  isDanger?: boolean
  /** A text that must be typed before, such as the name of what is deleted. */
  typed?: string
  /** The dialog closes once this has resolved, and shows what it rejects with. */
  onConfirm(): Promise<unknown>
}

export function ConfirmDialog({ children, ...rest }: ConfirmDialogProps) {
  return (
    <Dialog {...rest} isAlert>
      {close => (
        <Confirmation {...rest} close={close}>
          {children}
        </Confirmation>
      )}
    </Dialog>
  )
}

function Confirmation({
  children,
  action,
  isDanger = false,
  typed,
  onConfirm,
  close,
}: ConfirmDialogProps & { close(): void }) {
  const { t } = useTranslation('parts')
  const [text, setText] = useState('')
  const [error, setError] = useState<Error | null>(null)
  const [isPending, setIsPending] = useState(false)
  const confirm = async () => {
    setIsPending(true)
    setError(null)
    try {
      await onConfirm()
      close()
    } catch (failure) {
      setError(failure instanceof Error ? failure : new Error(String(failure)))
    } finally {
      setIsPending(false)
    }
  }
  return (
    <div className="form">
      <Failure error={error} />
      <div>{children}</div>
      {typed !== undefined && (
        <TextField label={t('dialog.type', { text: typed })} value={text} onChange={setText} autoComplete="off" />
      )}
      <div className="form-actions">
        <Button
          variant={isDanger ? 'danger' : 'primary'}
          isPending={isPending}
          isDisabled={typed !== undefined && text.trim() !== typed}
          onPress={() => void confirm()}
        >
          {action}
        </Button>
        <Button autoFocus={typed === undefined} onPress={close}>
          {t('dialog.cancel')}
        </Button>
      </div>
    </div>
  )
}
