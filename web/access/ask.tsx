import { type ReactNode, useMemo, useState } from 'react'
import { Dialog, Form, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { whyOf } from './why.ts'
import './ask.css'

type Fields = Readonly<Record<string, string>>

interface AskProps {
  title: string
  says?: string | undefined
  submit: string
  isDanger?: boolean
  /** What cannot be undone is done once this was typed. */
  typed?: string
  /** Another question that is asked to type `typed`. */
  typedLabel?: string
  onClose(): void
  /** The dialog closes after it, unless it resolves with `stay`: then the caller shows something else. */
  act(): Promise<unknown>
  /** Fields. A function gets what the API refused, for fields that do not show it themselves. */
  children?: ReactNode | ((fields: Fields) => ReactNode)
}

/** A question in a dialog, with fields or without. A refusal is shown at its field, or below all of them. */
export function Ask({ title, says, submit, isDanger, typed, typedLabel, onClose, act, children }: AskProps) {
  const { t } = useTranslation('access')
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const [text, setText] = useState('')
  // the same object until the next answer: React Aria takes another one for errors that have come again
  const fields = useMemo<Fields>(() => ({ ...(error instanceof ApiError && error.fields) }), [error])
  const perform = async () => {
    setPending(true)
    setError(null)
    try {
      if ((await act()) !== 'stay') onClose()
    } catch (thrown) {
      setError(thrown)
    } finally {
      setPending(false)
    }
  }
  return (
    <ModalOverlay className="ask-ground" isOpen onOpenChange={isOpen => isOpen || onClose()}>
      <Modal className="ask">
        <Dialog>
          <Heading slot="title">{title}</Heading>
          {says && <p>{says}</p>}
          <Form
            validationErrors={fields}
            onSubmit={event => {
              event.preventDefault()
              if (!isPending && (typed === undefined || text === typed)) void perform()
            }}
          >
            {typeof children === 'function' ? children(fields) : children}
            {typed !== undefined && (
              <TextField
                label={typedLabel ?? t('type', { name: typed })}
                autoComplete="off"
                value={text}
                onChange={setText}
              />
            )}
            {error !== null && (
              <p className="field-error" role="alert">
                {whyOf(error, t)}
              </p>
            )}
            <div className="row ask-buttons">
              <Button onPress={onClose}>{t('cancel')}</Button>
              <Button
                type="submit"
                variant={isDanger ? 'danger' : 'primary'}
                isDisabled={typed !== undefined && text !== typed}
              >
                {isPending && <span className="spinner" aria-hidden="true" />}
                {submit}
              </Button>
            </div>
          </Form>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
