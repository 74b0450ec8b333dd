import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Form, FormActions, SubmitButton, useFields } from '../parts/form.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { toast } from '../parts/toast.tsx'
import { useDelete, useUpdate } from './actions.ts'
import { IntervalField } from './interval-field.tsx'
import { PolicyFields, type PolicyValues } from './policy-fields.tsx'
import { type Monitor, type MonitorChanges, monitorQuery } from './queries.ts'
import { RegionsField } from './regions-field.tsx'
import { tagsOf } from './tags.ts'

/** The fields of a monitor, and its end. */
export function MonitorSettings() {
  const { monitor: id } = useParams({ from: '/app/app/monitors/$monitor' })
  const { data: monitor } = useSuspenseQuery(monitorQuery(id))
  return (
    <>
      <section className="card">
        <Fields monitor={monitor} />
      </section>
      <Deletion monitor={monitor} />
    </>
  )
}

const isPassive = ({ type }: Monitor) => type === 'cron' || type === 'agent'

/** The monitor as it was when the form was opened, and what of it has been changed since. */
function Fields({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation('monitors')
  const [before, setBefore] = useState(() => fieldsOf(monitor))
  const [fields, set] = useFields(before)
  const update = useUpdate(monitor, saved => {
    setBefore(fieldsOf(saved))
    set(fieldsOf(saved))
    toast.success(t('saved'))
  })
  return (
    <Form
      mutation={update}
      body={() => changesBetween(before, fields)}
      call={{ method: 'PATCH', path: `/monitors/${monitor.id}` }}
    >
      <TextField name="name" label={t('field.name')} value={fields.name} onChange={name => set({ name })} isRequired />
      {!isPassive(monitor) && (
        <>
          <TextField
            name="url"
            label={t('field.url')}
            value={fields.url}
            onChange={url => set({ url })}
            isRequired
            isCode
          />
          <div className="field-columns">
            <IntervalField
              name="check_interval"
              value={fields.check_interval}
              onChange={seconds => set({ check_interval: seconds })}
            />
            <NumberField
              name="timeout"
              label={t('field.timeout')}
              minValue={1}
              maxValue={60}
              value={fields.timeout}
              onChange={timeout => set({ timeout })}
            />
          </div>
          <RegionsField value={fields.regions} onChange={regions => set({ regions })} />
          <PolicyFields value={fields} onChange={set} />
        </>
      )}
      <div className="field-columns">
        <TextField
          name="tags"
          label={t('field.tags')}
          description={t('field.tagsSays')}
          value={fields.tags}
          onChange={tags => set({ tags })}
        />
        <TextField name="group" label={t('field.group')} value={fields.group} onChange={group => set({ group })} />
      </div>
      <TextField
        name="notes"
        label={t('field.notes')}
        value={fields.notes}
        onChange={notes => set({ notes })}
        rows={3}
      />
      <FormActions>
        <SubmitButton>{t('save')}</SubmitButton>
      </FormActions>
    </Form>
  )
}

function fieldsOf(monitor: Monitor) {
  const { name, url, check_interval, timeout, regions, tags, group, notes } = monitor
  const policy: PolicyValues = {
    region_policy: monitor.region_policy,
    confirmations: monitor.confirmations,
    recovery_confirmations: monitor.recovery_confirmations,
  }
  return {
    ...{ name, url, check_interval, timeout, regions, ...policy },
    tags: tags.join(', '),
    group: group ?? '',
    notes: notes ?? '',
  }
}

/** Only what a person changed: what a colleague changed meanwhile stays. */
function changesBetween(before: ReturnType<typeof fieldsOf>, after: ReturnType<typeof fieldsOf>): MonitorChanges {
  const { tags, group, notes, ...same } = after
  const sent: MonitorChanges = { ...same, tags: tagsOf(tags), group: group || null, notes: notes || null }
  const isChanged = (name: string) =>
    JSON.stringify(before[name as keyof typeof before]) !== JSON.stringify(after[name as keyof typeof after])
  return Object.fromEntries(Object.entries(sent).filter(([name]) => isChanged(name)))
}

function Deletion({ monitor: { id, name } }: { monitor: Monitor }) {
  const { t } = useTranslation('monitors')
  const navigate = useNavigate()
  const remove = useDelete()
  const confirm = async () => {
    await remove.mutateAsync([id])
    toast.success(t('settings.deleted', { name }))
    await navigate({ to: '/app/monitors' })
  }
  return (
    <section className="card">
      <h2>{t('settings.delete')}</h2>
      <ConfirmDialog
        trigger={
          <Button variant="danger" icon="delete">
            {t('settings.delete')}
          </Button>
        }
        title={t('settings.deleteTitle', { name })}
        action={t('delete')}
        isDanger
        typed={name}
        onConfirm={confirm}
      >
        {t('settings.deleteSays')}
      </ConfirmDialog>
    </section>
  )
}
