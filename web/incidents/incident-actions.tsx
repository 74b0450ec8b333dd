import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { Menu, type MenuAction } from '../parts/menu.tsx'
import { toast } from '../parts/toast.tsx'
import { type Step, useSnooze, useStep } from './actions.ts'
import type { Asked } from './incident-dialog.tsx'
import type { IncidentDetail } from './queries.ts'

// the dialog with its form: what is typed at once must find the field
const IncidentDialog = lazy(async () => ({ default: (await import('./incident-dialog.tsx')).IncidentDialog }))

const snoozeMinutes = [30, 60, 240, 1_440]

/** What can be done with an incident. */
export function IncidentActions({ incident }: { incident: IncidentDetail }) {
  const { t } = useTranslation('incidents')
  const { id, number, acknowledged_at, resolved_at, archived_at, snoozed_until, is_snoozed } = incident
  const [asked, setAsked] = useState<Asked | null>(null)
  const step = useStep(name => toast.success(t(`did.${name}`, { number })))
  const snooze = useSnooze(id)
  const take = (name: Step) => step.mutate({ id, step: name }, { onError: toast.failure })
  const isOpen = resolved_at === null
  const more: MenuAction[] = [
    { id: 'edit', label: t('edit'), icon: 'edit', onAction: () => setAsked('edit') },
    ...(isOpen && acknowledged_at !== null
      ? [
          {
            id: 'unacknowledge',
            label: t('unacknowledge'),
            icon: 'back' as const,
            onAction: () => take('unacknowledge'),
          },
        ]
      : []),
    ...(isOpen
      ? []
      : [
          archived_at === null
            ? { id: 'archive', label: t('archive'), icon: 'download' as const, onAction: () => take('archive') }
            : { id: 'unarchive', label: t('unarchive'), icon: 'back' as const, onAction: () => take('unarchive') },
        ]),
  ]
  const close = () => setAsked(null)
  return (
    <>
      {isOpen && acknowledged_at === null && (
        <Button variant="primary" icon="check" onPress={() => take('acknowledge')} isPending={step.isPending}>
          {t('acknowledge')}
        </Button>
      )}
      {isOpen &&
        (is_snoozed && snoozed_until !== null ? (
          <Button icon="bell" onPress={() => take('unsnooze')}>
            {t('unsnooze')}
          </Button>
        ) : (
          <Menu
            label={t('snooze')}
            trigger={<Button icon="snooze">{t('snooze')}</Button>}
            actions={snoozeMinutes.map(minutes => ({
              id: String(minutes),
              label:
                minutes < 60 ? t('snooze.minutes', { count: minutes }) : t('snooze.hours', { count: minutes / 60 }),
              onAction: () => snooze.mutate(minutes, { onError: toast.failure }),
            }))}
          />
        ))}
      {isOpen && (
        <Button icon="edit" onPress={() => setAsked('note')}>
          {t('note')}
        </Button>
      )}
      <Button icon="globe" onPress={() => setAsked('publish')}>
        {t('publish')}
      </Button>
      {isOpen && (
        <Button icon="up" onPress={() => setAsked('resolve')}>
          {t('resolve')}
        </Button>
      )}
      <Menu label={t('more')} actions={more} />
      <Suspense>{asked !== null && <IncidentDialog incident={incident} asked={asked} onClose={close} />}</Suspense>
    </>
  )
}
