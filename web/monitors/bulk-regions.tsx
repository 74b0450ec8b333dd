import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Form, FormActions, SubmitButton } from '../parts/form.tsx'
import { toast } from '../parts/toast.tsx'
import { useChangeMany } from './actions.ts'
import type { Monitor } from './queries.ts'
import { RegionsField } from './regions-field.tsx'

/** Sets the regions that run the checks of each monitor. `monitors`: those whose checks run in regions. */
export function RegionsDialog({ monitors }: { monitors: readonly Monitor[] }) {
  const { t } = useTranslation('bulk')
  const [isOpen, setOpen] = useState(false)
  return (
    <Dialog
      trigger={<Button icon="globe">{t('regions')}</Button>}
      title={t('regionsTitle')}
      isOpen={isOpen}
      onOpenChange={setOpen}
    >
      {close => (
        <Suspense fallback={<div className="loading" role="progressbar" aria-label={t('regions')} />}>
          <RegionsForm monitors={monitors} close={close} />
        </Suspense>
      )}
    </Dialog>
  )
}

function RegionsForm({ monitors, close }: { monitors: readonly Monitor[]; close(): void }) {
  const { t } = useTranslation(['bulk', 'parts'])
  const [regions, setRegions] = useState(commonRegions(monitors))
  const count = monitors.length
  const change = useChangeMany(() => {
    toast.success(t('regionsSet', { count }))
    close()
  })
  return (
    <Form
      mutation={change}
      body={() => monitors.map(({ id }) => ({ id, regions }))}
      call={{
        method: 'PATCH',
        path: '/monitors/bulk',
        body: () => ({ monitors: monitors.map(({ id }) => ({ id, regions })) }),
      }}
    >
      <p>{t('regionsSays', { count })}</p>
      <RegionsField name="monitors.0.regions" value={regions} onChange={setRegions} />
      <FormActions>
        <SubmitButton>{t('regionsTitle')}</SubmitButton>
        <Button onPress={close}>{t('dialog.cancel', { ns: 'parts' })}</Button>
      </FormActions>
    </Form>
  )
}

/** The regions of all of them, if they have the same; else none, which means all. */
function commonRegions([first, ...others]: readonly Monitor[]): string[] {
  if (!first) return []
  const key = (monitor: Monitor) => monitor.regions.toSorted().join()
  return others.every(monitor => key(monitor) === key(first)) ? first.regions : []
}
