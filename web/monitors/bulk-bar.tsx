import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog, Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { toast } from '../parts/toast.tsx'
import { useChangeMany, useDelete } from './actions.ts'
import { ChannelDialog } from './bulk-channel.tsx'
import { RegionsDialog } from './bulk-regions.tsx'
import { hasRuns } from './kinds.ts'
import type { Monitor } from './queries.ts'

interface BulkBarProps {
  monitors: readonly Monitor[]
  /** These were changed: they need not be selected any more. Those selected meanwhile stay so. */
  onDone(ids: readonly string[]): void
}

/** What can be done with the selected monitors together. */
export function BulkBar({ monitors, onDone }: BulkBarProps) {
  const { t } = useTranslation('bulk')
  const change = useChangeMany()
  const remove = useDelete()
  const ids = monitors.map(({ id }) => id)
  const run = monitors.filter(hasRuns)
  const turn = (is_enabled: boolean) =>
    change.mutate(
      ids.map(id => ({ id, is_enabled })),
      { onSuccess: () => onDone(ids), onError: toast.failure },
    )
  const deleteAll = async () => {
    const count = await remove.mutateAsync(ids)
    toast.success(t('deleted', { count }))
    onDone(ids)
  }
  return (
    <div className="bulk" role="toolbar" aria-label={t('label')}>
      <span className="number" role="status">
        {t('selected', { count: monitors.length })}
      </span>
      <Button icon="pause" onPress={() => turn(false)} isPending={change.isPending}>
        {t('pause')}
      </Button>
      <Button icon="play" onPress={() => turn(true)} isPending={change.isPending}>
        {t('resume')}
      </Button>
      <TagDialog monitors={monitors} />
      {run.length > 0 && <RegionsDialog monitors={run} />}
      <ChannelDialog monitors={monitors} />
      <ConfirmDialog
        trigger={
          <Button icon="delete" variant="danger">
            {t('delete')}
          </Button>
        }
        title={t('deleteTitle', { count: monitors.length })}
        action={t('deleteDo', { count: monitors.length })}
        isDanger
        onConfirm={deleteAll}
      >
        <p>{t('deleteSays')}</p>
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
  const { t } = useTranslation(['bulk', 'parts'])
  const [tag, setTag] = useState('')
  const [isOpen, setOpen] = useState(false)
  const change = useChangeMany(() => setOpen(false))
  const tagged = () => monitors.map(({ id, tags }) => ({ id, tags: [...tags, tag.trim()] }))
  return (
    <Dialog trigger={<Button icon="add">{t('tag')}</Button>} title={t('tag')} isOpen={isOpen} onOpenChange={setOpen}>
      {close => (
        <Form
          mutation={change}
          body={tagged}
          call={{ method: 'PATCH', path: '/monitors/bulk', body: () => ({ monitors: tagged() }) }}
        >
          <TextField
            name="monitors.0.tags"
            label={t('tagName')}
            description={t('tagSays', { count: monitors.length })}
            value={tag}
            onChange={setTag}
            isRequired
            autoFocus
          />
          <FormActions>
            <SubmitButton>{t('tag')}</SubmitButton>
            <Button onPress={close}>{t('dialog.cancel', { ns: 'parts' })}</Button>
          </FormActions>
        </Form>
      )}
    </Dialog>
  )
}
