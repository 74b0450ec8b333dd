import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Menu, type MenuAction } from '../parts/menu.tsx'
import { toast } from '../parts/toast.tsx'
import { type Step, useSnooze, useStep } from './actions.ts'
import type { IncidentDetail } from './queries.ts'

// what is written is loaded when somebody writes
const NoteForm = lazy(async () => ({ default: (await import('./forms.tsx')).NoteForm }))
const ResolveForm = lazy(async () => ({ default: (await import('./forms.tsx')).ResolveForm }))
const PublishForm = lazy(async () => ({ default: (await import('./forms.tsx')).PublishForm }))
const EditForm = lazy(async () => ({ default: (await import('./forms.tsx')).EditForm }))

const snoozeMinutes = [30, 60, 240, 1_440]
type Asked = 'note' | 'resolve' | 'publish' | 'edit'

/** What can be done with an incident. */
export function IncidentActions({ incident }: { incident: IncidentDetail }) {
  const { t } = useTranslation('incidents')
  const { id, number, acknowledged_at, resolved_at, archived_at, snoozed_until, is_snoozed } = incident
  const [asked, setAsked] = useState<Asked | null>(null)
  const step = useStep()
  const snooze = useSnooze(id)
  const take = (name: Step) =>
    step.mutate(
      { id, step: name },
      { onError: toast.failure, onSuccess: () => toast.success(t(`did.${name}`, { number })) },
    )
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
      <Dialog
        title={t(`dialog.${asked ?? 'note'}`, { number })}
        isOpen={asked !== null}
        onOpenChange={open => !open && close()}
      >
        {() => (
          <Suspense>
            {asked === 'note' && <NoteForm incident={incident} onDone={close} />}
            {asked === 'resolve' && <ResolveForm incident={incident} onDone={close} />}
            {asked === 'publish' && <PublishForm incident={incident} onDone={close} />}
            {asked === 'edit' && <EditForm incident={incident} onDone={close} />}
          </Suspense>
        )}
      </Dialog>
    </>
  )
}
