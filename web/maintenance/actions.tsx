import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, bodyOf } from '../api.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { NumberField } from '../parts/number-field.tsx'
import { toast } from '../parts/toast.tsx'
import { type MaintenanceWindow, pathOf, readAgain } from './queries.ts'

export type Act = 'start' | 'stop' | 'extend' | 'cancel'

/** What can be done with a window in its state. */
export function actsOf({ state }: MaintenanceWindow): readonly Act[] {
  if (state === 'active') return ['extend', 'stop']
  return state === 'scheduled' ? ['start', 'cancel'] : []
}

interface Props {
  window: MaintenanceWindow
  act: Act
  onClose(): void
}

/** Confirms what is done with a window, and says what it brings. */
export function AskAct({ window, act, onClose }: Props) {
  const { t } = useTranslation('maintenance')
  const [minutes, setMinutes] = useState(30)
  const { title: name, rrule } = window
  const recurs = rrule === null ? 'once' : 'again'
  const perform = async () => {
    const params = pathOf(window.id)
    await bodyOf<unknown>(
      {
        start: () => api.POST('/api/v1/maintenance-windows/{maintenance_window}/start', { params }),
        stop: () => api.POST('/api/v1/maintenance-windows/{maintenance_window}/stop', { params }),
        cancel: () => api.POST('/api/v1/maintenance-windows/{maintenance_window}/cancel', { params }),
        extend: () =>
          api.POST('/api/v1/maintenance-windows/{maintenance_window}/extend', { params, body: { minutes } }),
      }[act](),
    )
    await readAgain()
    toast.success(t(`done.${act}`))
  }
  return (
    <FormDialog
      title={t(`ask.${act}`, { name })}
      says={act === 'extend' ? t('extend.says') : t(`asks.${act}.${recurs}`)}
      submit={t(act)}
      isDanger={act === 'cancel'}
      onClose={onClose}
      act={perform}
    >
      {act === 'extend' && (
        <NumberField
          label={t('extend.by')}
          name="minutes"
          unit={t('minutes')}
          isRequired
          autoFocus
          minValue={1}
          value={minutes}
          onChange={setMinutes}
        />
      )}
    </FormDialog>
  )
}
