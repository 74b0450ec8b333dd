import { type ReactNode, useState } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { FormActions } from '../parts/form.tsx'
import '../parts/dialog.css'

interface ShownProps {
  title: string
  says: string
  label: string
  secret: string
  onClose(): void
  children?: ReactNode
}

/** A secret that the API shows once. Only its button closes it, not a press beside it. */
export function Shown({ title, says, label, secret, onClose, children }: ShownProps) {
  const { t } = useTranslation('access')
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(secret)
    setCopied(true)
  }
  return (
    <ModalOverlay className="dialog-back" isOpen isKeyboardDismissDisabled>
      <Modal className="dialog-frame">
        <Dialog className="dialog">
          <div className="dialog-head">
            <Heading slot="title" level={2}>
              {title}
            </Heading>
          </div>
          <p>{says}</p>
          <section aria-label={label}>
            <pre>{secret}</pre>
          </section>
          <FormActions>
            <Button icon={isCopied ? 'check' : 'copy'} autoFocus onPress={copy}>
              {t(isCopied ? 'copied' : 'copy')}
            </Button>
            <Button variant="primary" onPress={onClose}>
              {t('close')}
            </Button>
            {children}
          </FormActions>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
