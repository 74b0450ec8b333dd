import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog, Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { toast } from '../parts/toast.tsx'
import { useChangeMany, useDelete } from './actions.ts'
import type { Monitor } from './queries.ts'

interface BulkBarProps {
  monitors: readonly Monitor[]
  /** These were changed: they need not be selected any more. Those selected meanwhile stay so. */
  onDone(ids: readonly string[]): void
}

/** What can be done with the selected monitors together. */
export function BulkBar({ monitors, onDone }: BulkBarProps) {
  const { t } = useTranslation('monitors')
  const change = useChangeMany()
  const remove = useDelete()
  const ids = monitors.map(({ id }) => id)
  const turn = (is_enabled: boolean) =>
    change.mutate(
      ids.map(id => ({ id, is_enabled })),
      { onSuccess: () => onDone(ids), onError: toast.failure },
    )
  const deleteAll = async () => {
    const count = await remove.mutateAsync(ids)
    toast.success(t('bulk.deleted', { count }))
    onDone(ids)
  }
  return (
    <div className="bulk" role="toolbar" aria-label={t('bulk.label')}>
      <span className="number" role="status">
        {t('bulk.selected', { count: monitors.length })}
      </span>
      <Button icon="pause" onPress={() => turn(false)} isPending={change.isPending}>
        {t('bulk.pause')}
      </Button>
      <Button icon="play" onPress={() => turn(true)} isPending={change.isPending}>
        {t('bulk.resume')}
      </Button>
      <TagDialog monitors={monitors} />
      <ConfirmDialog
        trigger={
          <Button icon="delete" variant="danger">
            {t('bulk.delete')}
          </Button>
        }
        title={t('bulk.deleteTitle', { count: monitors.length })}
        action={t('bulk.deleteDo', { count: monitors.length })}
        isDanger
        onConfirm={deleteAll}
      >
        <p>{t('bulk.deleteSays')}</p>
        <ul>
          {monitors.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </div>
  )
}

/** Adds a tag to each monitor; those that it has stay. */
function TagDialog({ monitors }: { monitors: readonly Monitor[] }) {
  const { t } = useTranslation('monitors')
  const [tag, setTag] = useState('')
  const [isOpen, setOpen] = useState(false)
  const change = useChangeMany(() => setOpen(false))
  return (
    <Dialog
      trigger={<Button icon="add">{t('bulk.tag')}</Button>}
      title={t('bulk.tag')}
      isOpen={isOpen}
      onOpenChange={setOpen}
    >
      {close => (
        <Form mutation={change} body={() => monitors.map(({ id, tags }) => ({ id, tags: [...tags, tag.trim()] }))}>
          <TextField
            name="monitors.0.tags"
            label={t('bulk.tagName')}
            description={t('bulk.tagSays', { count: monitors.length })}
            value={tag}
            onChange={setTag}
            isRequired
            autoFocus
          />
          <FormActions>
            <SubmitButton>{t('bulk.tag')}</SubmitButton>
            <Button onPress={close}>{t('cancel')}</Button>
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}
