import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextField } from './field.tsx'
import { Form, FormActions, SubmitButton } from './form.tsx'

type Fields = Readonly<Record<string, string>>

export interface FormDialogProps {
  title: string
  says?: string | undefined
  /** The word of the button that does it: a verb, such as "Save". */
  submit: string
  isDanger?: boolean
  isWide?: boolean
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

/** A form in a dialog that is open while it is rendered; a press beside it loses nothing that was typed. What the API refuses is said as in a `Form`. */
export function FormDialog({ title, onClose, isWide = false, ...rest }: FormDialogProps) {
  return (
    <Dialog title={title} isOpen isWide={isWide} isDismissable={false} onOpenChange={isOpen => isOpen || onClose()}>
      {() => <Fields onClose={onClose} {...rest} />}
    </Dialog>
  )
}

function Fields({
  says,
  submit,
  isDanger = false,
  typed,
  typedLabel,
  onClose,
  act,
  children,
}: Omit<FormDialogProps, 'title' | 'isWide'>) {
  const { t } = useTranslation('parts')
  const [text, setText] = useState('')
  const mutation = useMutation({ mutationFn: act, onSuccess: done => done !== 'stay' && onClose() })
  const refused = mutation.error instanceof ApiError ? mutation.error.fields : {}
  return (
    <Form mutation={mutation} body={() => undefined}>
      {says && <p>{says}</p>}
      {typeof children === 'function' ? children(refused) : children}
      {typed !== undefined && (
        <TextField
          label={typedLabel ?? t('dialog.type', { text: typed })}
          autoComplete="off"
          value={text}
          onChange={setText}
        />
      )}
      <FormActions>
        <SubmitButton
          variant={isDanger ? 'danger' : 'primary'}
          isDisabled={typed !== undefined && text.trim() !== typed}
        >
          {submit}
        </SubmitButton>
        <Button onPress={onClose}>{t('dialog.cancel')}</Button>
      </FormActions>
    </Form>
  )
}
